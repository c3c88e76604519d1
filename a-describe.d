describe.o: schema/describe.c schema/describe.h schema/row_instance.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 schema/instance.h schema/row_cells.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/overlay.h
schema/describe.h:
schema/row_instance.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
schema/instance.h:
schema/row_cells.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/overlay.h:
