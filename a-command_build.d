command_build.o: compiler/driver/command/command_build.c \
 compiler/driver/chain.h compiler/driver/output/write.h \
 compiler/driver/output/steps.h emitters/emitter.h \
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
 compiler/plan/model/maker.def emitters/doc/doc.h \
 compiler/driver/command/command.h compiler/driver/command/options.h \
 compiler/driver/render/render.h compiler/driver/render/display.h \
 compiler/driver/fix/fix.h compiler/driver/command/next.h
compiler/driver/chain.h:
compiler/driver/output/write.h:
compiler/driver/output/steps.h:
emitters/emitter.h:
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
emitters/doc/doc.h:
compiler/driver/command/command.h:
compiler/driver/command/options.h:
compiler/driver/render/render.h:
compiler/driver/render/display.h:
compiler/driver/fix/fix.h:
compiler/driver/command/next.h:
