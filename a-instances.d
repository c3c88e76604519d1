instances.o: schema/instances.c schema/instances.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 schema/instance.h compiler/base/load.h compiler/base/pattern.h \
 compiler/base/yaml_read.h compiler/base/data.h schema/describe.h \
 schema/row_instance.h schema/row_cells.h schema/schema.h schema/limits.h \
 schema/limits.def build/generated/schema_kinds.h
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
compiler/base/load.h:
compiler/base/pattern.h:
compiler/base/yaml_read.h:
compiler/base/data.h:
schema/describe.h:
schema/row_instance.h:
schema/row_cells.h:
schema/schema.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
