record.o: stdlib/node/core/record.c stdlib/node/core/record.h \
 stdlib/node/contract.h stdlib/node/core/text.h
stdlib/node/core/record.h:
stdlib/node/contract.h:
stdlib/node/core/text.h:
