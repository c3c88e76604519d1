benchmark.o: stdlib/node/collective/benchmark.c \
 stdlib/node/collective/benchmark.h stdlib/node/collective/text.h \
 stdlib/node/contract.h
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/contract.h:
