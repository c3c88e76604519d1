test_collective_signals.o: tests/unit/test_collective_signals.c \
 stdlib/node/collective/signals.h tests/support/check.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
stdlib/node/collective/signals.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
