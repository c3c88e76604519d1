fabric.o: stdlib/node/collective/fabric.c stdlib/node/collective/fabric.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/clock.h stdlib/node/collective/lane.h \
 stdlib/node/collective/text.h
stdlib/node/collective/fabric.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/clock.h:
stdlib/node/collective/lane.h:
stdlib/node/collective/text.h:
