member.o: stdlib/node/collective/member.c stdlib/node/collective/member.h \
 stdlib/node/collective/job.h stdlib/node/collective/message.h \
 stdlib/node/contract.h stdlib/node/collective/text.h \
 stdlib/node/collective/clock.h stdlib/node/collective/counters.h \
 stdlib/node/collective/outcome.h stdlib/node/collective/verdict.h \
 stdlib/node/collective/evidence.h stdlib/node/collective/signals.h \
 stdlib/node/collective/step.h stdlib/node/collective/device.h \
 stdlib/node/collective/fabric.h stdlib/node/collective/wire.h
stdlib/node/collective/member.h:
stdlib/node/collective/job.h:
stdlib/node/collective/message.h:
stdlib/node/contract.h:
stdlib/node/collective/text.h:
stdlib/node/collective/clock.h:
stdlib/node/collective/counters.h:
stdlib/node/collective/outcome.h:
stdlib/node/collective/verdict.h:
stdlib/node/collective/evidence.h:
stdlib/node/collective/signals.h:
stdlib/node/collective/step.h:
stdlib/node/collective/device.h:
stdlib/node/collective/fabric.h:
stdlib/node/collective/wire.h:
