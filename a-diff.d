diff.o: compiler/base/diff.c compiler/base/diff.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/terminal.h \
 compiler/base/vec.h
compiler/base/diff.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/terminal.h:
compiler/base/vec.h:
