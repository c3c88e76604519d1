clock.o: stdlib/node/collective/clock.c stdlib/node/collective/clock.h
stdlib/node/collective/clock.h:
