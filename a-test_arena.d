test_arena.o: tests/unit/test_arena.c compiler/base/arena.h \
 compiler/base/base.h tests/support/check.h compiler/base/str.h
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
compiler/base/str.h:
