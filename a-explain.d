explain.o: compiler/driver/command/explain.c \
 compiler/driver/command/explain.h compiler/driver/command/command.h \
 compiler/driver/command/options.h compiler/driver/render/render.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/semantics/program.h compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/base/origin.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/syntax/token.def emitters/emitter.h \
 compiler/plan/model/plan.h compiler/plan/model/facts.h \
 compiler/base/data.h compiler/base/str_map.h compiler/plan/model/nics.h \
 schema/objects.h compiler/plan/model/maker.def emitters/doc/doc.h \
 compiler/base/suggest.h compiler/driver/command/instance_text.h \
 compiler/driver/output/print.h compiler/semantics/builtins.h \
 compiler/semantics/evaluator.h emitters/doc/constants.h \
 emitters/doc/constants.def schema/instances.h
compiler/driver/command/explain.h:
compiler/driver/command/command.h:
compiler/driver/command/options.h:
compiler/driver/render/render.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/semantics/program.h:
compiler/semantics/subject.h:
compiler/semantics/value.h:
compiler/base/origin.h:
schema/schema.h:
schema/instance.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/syntax/token.def:
emitters/emitter.h:
compiler/plan/model/plan.h:
compiler/plan/model/facts.h:
compiler/base/data.h:
compiler/base/str_map.h:
compiler/plan/model/nics.h:
schema/objects.h:
compiler/plan/model/maker.def:
emitters/doc/doc.h:
compiler/base/suggest.h:
compiler/driver/command/instance_text.h:
compiler/driver/output/print.h:
compiler/semantics/builtins.h:
compiler/semantics/evaluator.h:
emitters/doc/constants.h:
emitters/doc/constants.def:
schema/instances.h:
