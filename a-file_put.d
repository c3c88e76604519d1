file_put.o: compiler/base/file_put.c compiler/base/file_put.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/file.h compiler/base/source.h
compiler/base/file_put.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/file.h:
compiler/base/source.h:
