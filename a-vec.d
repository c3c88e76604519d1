vec.o: compiler/base/vec.c compiler/base/vec.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/die.h
compiler/base/vec.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/die.h:
