test_collective_step.o: tests/unit/test_collective_step.c \
 stdlib/node/collective/step.h stdlib/node/collective/device.h \
 stdlib/node/collective/fabric.h stdlib/node/collective/message.h \
 stdlib/node/contract.h tests/support/check.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
stdlib/node/collective/step.h:
stdlib/node/collective/device.h:
stdlib/node/collective/fabric.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
