launch_template.o: emitters/cloudformation/nodes/launch_template.c \
 emitters/cloudformation/nodes/launch_template.h \
 emitters/cloudformation/nodes/capacity_chain.h \
 emitters/cloudformation/template/stack.h emitters/doc/constants.h \
 compiler/base/origin.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h emitters/doc/constants.def \
 emitters/emitter.h compiler/plan/model/plan.h \
 compiler/plan/model/facts.h compiler/base/data.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h compiler/base/str_map.h \
 compiler/plan/model/nics.h schema/schema.h schema/instance.h \
 schema/limits.h schema/limits.def build/generated/schema_kinds.h \
 compiler/semantics/program.h compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/syntax/ast.h compiler/syntax/token.h \
 compiler/syntax/token.def schema/objects.h compiler/plan/model/maker.def \
 emitters/doc/doc.h emitters/cloudformation/template/condition.h \
 emitters/cloudformation/template/late_node.h \
 emitters/cloudformation/template/template_node.h \
 emitters/cloudformation/template/tags.h schema/operating_systems.h
emitters/cloudformation/nodes/launch_template.h:
emitters/cloudformation/nodes/capacity_chain.h:
emitters/cloudformation/template/stack.h:
emitters/doc/constants.h:
compiler/base/origin.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
emitters/doc/constants.def:
emitters/emitter.h:
compiler/plan/model/plan.h:
compiler/plan/model/facts.h:
compiler/base/data.h:
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
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/syntax/token.def:
schema/objects.h:
compiler/plan/model/maker.def:
emitters/doc/doc.h:
emitters/cloudformation/template/condition.h:
emitters/cloudformation/template/late_node.h:
emitters/cloudformation/template/template_node.h:
emitters/cloudformation/template/tags.h:
schema/operating_systems.h:
