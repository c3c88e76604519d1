floor.o: stdlib/node/collective/floor.c stdlib/node/collective/floor.h \
 stdlib/node/collective/benchmark.h stdlib/node/collective/text.h \
 stdlib/node/collective/measured.h
stdlib/node/collective/floor.h:
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/collective/measured.h:
