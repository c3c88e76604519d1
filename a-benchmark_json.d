benchmark_json.o: stdlib/node/collective/benchmark_json.c \
 stdlib/node/collective/benchmark.h stdlib/node/collective/text.h \
 stdlib/node/collective/json.h stdlib/node/collective/ranks.h
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/collective/json.h:
stdlib/node/collective/ranks.h:
