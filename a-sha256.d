sha256.o: stdlib/node/core/sha256.c stdlib/node/core/sha256.h \
 stdlib/node/core/text.h
stdlib/node/core/sha256.h:
stdlib/node/core/text.h:
