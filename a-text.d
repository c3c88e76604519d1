text.o: stdlib/node/core/text.c stdlib/node/core/text.h \
 stdlib/node/contract.h
stdlib/node/core/text.h:
stdlib/node/contract.h:
