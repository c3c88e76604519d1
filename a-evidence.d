evidence.o: stdlib/node/collective/evidence.c \
 stdlib/node/collective/evidence.h stdlib/node/collective/message.h \
 stdlib/node/contract.h stdlib/node/collective/text.h
stdlib/node/collective/evidence.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
