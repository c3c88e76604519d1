instance_filter.o: compiler/driver/command/instance_filter.c \
 compiler/driver/command/instance_filter.h schema/instances.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 schema/instance.h schema/schema.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h compiler/base/suggest.h \
 schema/row_cells.h compiler/base/data.h
compiler/driver/command/instance_filter.h:
schema/instances.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
schema/instance.h:
schema/schema.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
compiler/base/suggest.h:
schema/row_cells.h:
compiler/base/data.h:
