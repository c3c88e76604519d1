instance_text.o: compiler/driver/command/instance_text.c \
 compiler/driver/command/instance_text.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h compiler/driver/output/print.h \
 compiler/base/vec.h compiler/plan/model/nics.h schema/instances.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/overlay.h
compiler/driver/command/instance_text.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/schema.h:
schema/instance.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
compiler/driver/output/print.h:
compiler/base/vec.h:
compiler/plan/model/nics.h:
schema/instances.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/overlay.h:
