terminal.o: compiler/base/terminal.c compiler/base/terminal.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/terminal.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
