row_cells.o: schema/row_cells.c schema/row_cells.h compiler/base/data.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/base/suggest.h
schema/row_cells.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/suggest.h:
