benchmark_text.o: stdlib/node/collective/benchmark_text.c \
 stdlib/node/collective/benchmark.h stdlib/node/collective/text.h \
 stdlib/node/collective/ranks.h
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/collective/ranks.h:
