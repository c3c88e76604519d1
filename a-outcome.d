outcome.o: stdlib/node/collective/outcome.c \
 stdlib/node/collective/outcome.h stdlib/node/collective/job.h \
 stdlib/node/collective/message.h stdlib/node/contract.h \
 stdlib/node/collective/text.h stdlib/node/collective/verdict.h \
 stdlib/node/collective/evidence.h
stdlib/node/collective/outcome.h:
stdlib/node/collective/job.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
stdlib/node/collective/verdict.h:
stdlib/node/collective/evidence.h:
