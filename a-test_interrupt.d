test_interrupt.o: tests/unit/test_interrupt.c compiler/base/interrupt.h \
 compiler/base/base.h tests/support/check.h compiler/base/str.h \
 compiler/base/arena.h
compiler/base/interrupt.h:
compiler/base/base.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
