die.o: compiler/base/die.c compiler/base/die.h compiler/base/base.h
compiler/base/die.h:
compiler/base/base.h:
