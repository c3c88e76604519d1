ranks.o: stdlib/node/collective/ranks.c stdlib/node/collective/ranks.h \
 stdlib/node/collective/benchmark.h stdlib/node/collective/text.h
stdlib/node/collective/ranks.h:
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
