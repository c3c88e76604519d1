job.o: stdlib/node/collective/job.c stdlib/node/collective/job.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/number.h stdlib/node/collective/record.h \
 stdlib/node/collective/text.h
stdlib/node/collective/job.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/number.h:
stdlib/node/collective/record.h:
stdlib/node/collective/text.h:
