subject.o: compiler/semantics/subject.c compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/base/origin.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h
compiler/semantics/subject.h:
compiler/semantics/value.h:
compiler/base/origin.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
schema/schema.h:
schema/instance.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
