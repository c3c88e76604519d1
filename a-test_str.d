test_str.o: tests/unit/test_str.c compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h tests/support/check.h
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
