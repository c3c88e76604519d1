test_collective_evidence.o: tests/unit/test_collective_evidence.c \
 stdlib/node/collective/evidence.h stdlib/node/collective/message.h \
 stdlib/node/contract.h tests/support/check.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
stdlib/node/collective/evidence.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
