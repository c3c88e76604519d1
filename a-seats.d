seats.o: stdlib/node/collective/seats.c stdlib/node/collective/seats.h \
 stdlib/node/collective/evidence.h stdlib/node/collective/message.h \
 stdlib/node/contract.h stdlib/node/collective/job.h \
 stdlib/node/collective/wire.h stdlib/node/collective/clock.h \
 stdlib/node/collective/text.h
stdlib/node/collective/seats.h:
stdlib/node/collective/evidence.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/job.h:
stdlib/node/collective/wire.h:
stdlib/node/collective/clock.h:
stdlib/node/collective/text.h:
