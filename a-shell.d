shell.o: compiler/base/shell.c compiler/base/shell.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/terminal.h
compiler/base/shell.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/terminal.h:
