json.o: stdlib/node/collective/json.c stdlib/node/collective/json.h
stdlib/node/collective/json.h:
