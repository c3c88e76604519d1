arena.o: compiler/base/arena.c compiler/base/arena.h compiler/base/base.h \
 compiler/base/die.h
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/die.h:
