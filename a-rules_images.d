rules_images.o: compiler/plan/rules/rules_images.c \
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
 compiler/base/pattern.h compiler/plan/model/allow.h \
 compiler/plan/model/names.h schema/operating_systems.h
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
compiler/base/pattern.h:
compiler/plan/model/allow.h:
compiler/plan/model/names.h:
schema/operating_systems.h:
