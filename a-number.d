number.o: stdlib/node/collective/number.c stdlib/node/collective/number.h
stdlib/node/collective/number.h:
