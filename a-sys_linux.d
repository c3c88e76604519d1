sys_linux.o: stdlib/node/core/sys_linux.c stdlib/node/core/sys.h \
 stdlib/node/core/main.h
stdlib/node/core/sys.h:
stdlib/node/core/main.h:
