measured.o: build/node/collective/measured.c \
 stdlib/node/collective/measured.h
stdlib/node/collective/measured.h:
