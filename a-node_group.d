node_group.o: emitters/cloudformation/nodes/node_group.c \
 emitters/cloudformation/nodes/node_group.h \
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
 emitters/doc/doc.h compiler/base/shell.h compiler/plan/model/group.h \
 compiler/plan/model/maker.h compiler/plan/model/names.h \
 compiler/plan/model/network_ids.h \
 emitters/cloudformation/template/condition.h \
 emitters/cloudformation/template/extras.h \
 emitters/cloudformation/access/iam.h \
 emitters/cloudformation/template/late_node.h \
 emitters/cloudformation/nodes/launch_template.h \
 emitters/cloudformation/nodes/capacity_chain.h \
 emitters/cloudformation/template/template_node.h \
 emitters/cloudformation/access/security_group.h \
 emitters/cloudformation/template/sub.h \
 emitters/cloudformation/template/tags.h emitters/deployment/variable.h \
 emitters/node/fetched_check.h emitters/node/userdata.h schema/names.h \
 schema/names.def
emitters/cloudformation/nodes/node_group.h:
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
compiler/base/shell.h:
compiler/plan/model/group.h:
compiler/plan/model/maker.h:
compiler/plan/model/names.h:
compiler/plan/model/network_ids.h:
emitters/cloudformation/template/condition.h:
emitters/cloudformation/template/extras.h:
emitters/cloudformation/access/iam.h:
emitters/cloudformation/template/late_node.h:
emitters/cloudformation/nodes/launch_template.h:
emitters/cloudformation/nodes/capacity_chain.h:
emitters/cloudformation/template/template_node.h:
emitters/cloudformation/access/security_group.h:
emitters/cloudformation/template/sub.h:
emitters/cloudformation/template/tags.h:
emitters/deployment/variable.h:
emitters/node/fetched_check.h:
emitters/node/userdata.h:
schema/names.h:
schema/names.def:
