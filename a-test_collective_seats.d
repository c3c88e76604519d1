test_collective_seats.o: tests/unit/test_collective_seats.c \
 stdlib/node/collective/seats.h stdlib/node/collective/evidence.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/job.h stdlib/node/collective/wire.h \
 stdlib/node/collective/clock.h tests/support/check.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
stdlib/node/collective/seats.h:
stdlib/node/collective/evidence.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/job.h:
stdlib/node/collective/wire.h:
stdlib/node/collective/clock.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
