refresh_kubernetes.o: schema/refresh/refresh_kubernetes.c \
 schema/refresh/refresh_table.h compiler/base/edit.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 schema/refresh/refresh.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/base/str_map.h schema/row_instance.h compiler/base/data.h \
 schema/instance.h schema/row_cells.h
schema/refresh/refresh_table.h:
compiler/base/edit.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
schema/refresh/refresh.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/str_map.h:
schema/row_instance.h:
compiler/base/data.h:
schema/instance.h:
schema/row_cells.h:
