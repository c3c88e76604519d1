diag.o: compiler/base/diag.c compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/session.h \
 compiler/base/overlay.h compiler/base/help.def compiler/base/retired.def
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/session.h:
compiler/base/overlay.h:
compiler/base/help.def:
compiler/base/retired.def:
