signals.o: stdlib/node/collective/signals.c \
 stdlib/node/collective/signals.h
stdlib/node/collective/signals.h:
