refresh_family.o: schema/refresh/refresh_family.c \
 schema/refresh/refresh_family.h schema/refresh/refresh.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/base/str_map.h schema/row_instance.h compiler/base/data.h \
 schema/instance.h schema/row_cells.h
schema/refresh/refresh_family.h:
schema/refresh/refresh.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/str_map.h:
schema/row_instance.h:
compiler/base/data.h:
schema/instance.h:
schema/row_cells.h:
