verdict.o: stdlib/node/collective/verdict.c \
 stdlib/node/collective/verdict.h stdlib/node/collective/evidence.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/text.h
stdlib/node/collective/verdict.h:
stdlib/node/collective/evidence.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
