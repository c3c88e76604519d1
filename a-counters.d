counters.o: stdlib/node/collective/counters.c \
 stdlib/node/collective/counters.h stdlib/node/collective/message.h \
 stdlib/node/contract.h stdlib/node/collective/text.h
stdlib/node/collective/counters.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
