file.o: compiler/base/file.c compiler/base/file.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/file.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
