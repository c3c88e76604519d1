test_data.o: tests/unit/test_data.c compiler/base/data.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h tests/support/check.h
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
