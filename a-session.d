session.o: compiler/base/session.c compiler/base/session.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
