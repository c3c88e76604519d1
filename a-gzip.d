gzip.o: compiler/base/gzip.c compiler/base/gzip.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/base64.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/die.h
compiler/base/gzip.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/base64.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/die.h:
