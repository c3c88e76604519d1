test_collective_job.o: tests/unit/test_collective_job.c \
 stdlib/node/collective/job.h stdlib/node/collective/message.h \
 stdlib/node/contract.h stdlib/node/collective/record.h \
 tests/support/check.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h
stdlib/node/collective/job.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/record.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
