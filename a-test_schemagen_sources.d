test_schemagen_sources.o: tests/unit/test_schemagen_sources.c \
 tests/support/schemagen_world.h compiler/base/file.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h tests/support/check.h
tests/support/schemagen_world.h:
compiler/base/file.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
