base64.o: compiler/base/base64.c compiler/base/base64.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/base64.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
