test_vec.o: tests/unit/test_vec.c compiler/base/vec.h \
 compiler/base/arena.h compiler/base/base.h tests/support/check.h \
 compiler/base/str.h
compiler/base/vec.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
compiler/base/str.h:
