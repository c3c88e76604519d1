message.o: stdlib/node/collective/message.c \
 stdlib/node/collective/message.h stdlib/node/contract.h
stdlib/node/collective/message.h:
stdlib/node/contract.h:
