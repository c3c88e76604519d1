step.o: stdlib/node/collective/step.c stdlib/node/collective/step.h \
 stdlib/node/collective/device.h stdlib/node/collective/fabric.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/clock.h stdlib/node/collective/text.h
stdlib/node/collective/step.h:
stdlib/node/collective/device.h:
stdlib/node/collective/fabric.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/clock.h:
stdlib/node/collective/text.h:
