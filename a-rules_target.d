rules_target.o: compiler/plan/rules/rules_target.c \
 compiler/plan/rules/rules.h compiler/plan/given/raw.h \
 compiler/plan/model/plan.h compiler/plan/model/facts.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h compiler/base/str_map.h \
 compiler/plan/model/nics.h schema/schema.h schema/instance.h \
 schema/limits.h schema/limits.def build/generated/schema_kinds.h \
 compiler/semantics/program.h compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/base/origin.h compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/syntax/token.def schema/objects.h \
 compiler/plan/model/maker.def compiler/plan/rules/rules.def \
 compiler/plan/model/allow.h compiler/plan/model/capacity.h \
 compiler/plan/model/group.h compiler/plan/model/maker.h \
 compiler/plan/model/region.h schema/operating_systems.h
compiler/plan/rules/rules.h:
compiler/plan/given/raw.h:
compiler/plan/model/plan.h:
compiler/plan/model/facts.h:
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
compiler/base/str_map.h:
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
compiler/plan/rules/rules.def:
compiler/plan/model/allow.h:
compiler/plan/model/capacity.h:
compiler/plan/model/group.h:
compiler/plan/model/maker.h:
compiler/plan/model/region.h:
schema/operating_systems.h:
