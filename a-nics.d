nics.o: compiler/plan/model/nics.c compiler/plan/model/nics.h \
 schema/schema.h schema/instance.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/limits.h \
 schema/limits.def build/generated/schema_kinds.h
compiler/plan/model/nics.h:
schema/schema.h:
schema/instance.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
