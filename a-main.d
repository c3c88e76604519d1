main.o: stdlib/node/core/main.c stdlib/node/core/main.h \
 stdlib/node/core/node.h stdlib/node/core/record.h stdlib/node/contract.h \
 stdlib/node/core/text.h stdlib/node/core/sha256.h stdlib/node/core/sys.h
stdlib/node/core/main.h:
stdlib/node/core/node.h:
stdlib/node/core/record.h:
stdlib/node/contract.h:
stdlib/node/core/text.h:
stdlib/node/core/sha256.h:
stdlib/node/core/sys.h:
