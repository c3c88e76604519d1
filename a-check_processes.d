check_processes.o: stdlib/node/core/check_processes.c \
 stdlib/node/core/node.h stdlib/node/core/record.h stdlib/node/contract.h \
 stdlib/node/core/text.h stdlib/node/core/sys.h
stdlib/node/core/node.h:
stdlib/node/core/record.h:
stdlib/node/contract.h:
stdlib/node/core/text.h:
stdlib/node/core/sys.h:
