str.o: compiler/base/str.c compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/die.h compiler/base/format.h
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/die.h:
compiler/base/format.h:
