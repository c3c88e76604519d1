test_format.o: tests/unit/test_format.c compiler/base/format.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/format.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
