build_validate.o: compiler/plan/build/build_validate.c \
 compiler/plan/build/builder.h compiler/base/str_map.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/plan/model/plan.h compiler/plan/model/facts.h \
 compiler/base/data.h compiler/base/source.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h compiler/plan/model/nics.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h compiler/semantics/program.h \
 compiler/semantics/subject.h compiler/semantics/value.h \
 compiler/base/origin.h compiler/syntax/ast.h compiler/syntax/token.h \
 compiler/syntax/token.def schema/objects.h compiler/plan/model/maker.def \
 compiler/plan/build/read.h compiler/plan/model/bootstrap.h \
 compiler/plan/model/node_record.h compiler/plan/model/capacity.h \
 compiler/plan/model/group.h schema/operating_systems.h
compiler/plan/build/builder.h:
compiler/base/str_map.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/plan/model/plan.h:
compiler/plan/model/facts.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/plan/model/nics.h:
schema/schema.h:
schema/instance.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
compiler/semantics/program.h:
compiler/semantics/subject.h:
compiler/semantics/value.h:
compiler/base/origin.h:
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/syntax/token.def:
schema/objects.h:
compiler/plan/model/maker.def:
compiler/plan/build/read.h:
compiler/plan/model/bootstrap.h:
compiler/plan/model/node_record.h:
compiler/plan/model/capacity.h:
compiler/plan/model/group.h:
schema/operating_systems.h:
