wire.o: stdlib/node/collective/wire.c stdlib/node/collective/wire.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/text.h
stdlib/node/collective/wire.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
