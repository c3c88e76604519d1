format.o: compiler/base/format.c compiler/base/format.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/format.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
