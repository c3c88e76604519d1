edit.o: compiler/base/edit.c compiler/base/edit.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h
compiler/base/edit.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
