parse.o: stdlib/node/collective/parse.c stdlib/node/collective/parse.h \
 stdlib/node/collective/floor.h stdlib/node/collective/benchmark.h \
 stdlib/node/collective/text.h stdlib/node/collective/measured.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/number.h stdlib/node/collective/record.h \
 stdlib/node/collective/job.h
stdlib/node/collective/parse.h:
stdlib/node/collective/floor.h:
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/collective/measured.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/number.h:
stdlib/node/collective/record.h:
stdlib/node/collective/job.h:
