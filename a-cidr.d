cidr.o: compiler/base/cidr.c compiler/base/cidr.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
compiler/base/cidr.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
