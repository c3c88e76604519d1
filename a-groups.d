groups.o: emitters/eksctl/groups.c emitters/eksctl/cluster_config.h \
 emitters/tool/tool_file.h emitters/emitter.h compiler/plan/model/plan.h \
 compiler/plan/model/facts.h compiler/base/data.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h compiler/base/str_map.h \
 compiler/plan/model/nics.h schema/schema.h schema/instance.h \
 schema/limits.h schema/limits.def build/generated/schema_kinds.h \
 compiler/semantics/program.h compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/base/origin.h compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/syntax/token.def schema/objects.h \
 compiler/plan/model/maker.def emitters/doc/doc.h emitters/doc/tree.h \
 emitters/doc/constants.h emitters/doc/constants.def \
 compiler/plan/model/names.h emitters/node/fetched_check.h \
 emitters/node/userdata.h emitters/node/first_job.h \
 emitters/node/preflight_script.h stdlib/node/contract.h \
 emitters/tool/tool_facts.h emitters/tool/tool_group.h \
 emitters/tool/tool_nodes.h emitters/tool/tool_values.h schema/names.h \
 schema/names.def schema/operating_systems.h
emitters/eksctl/cluster_config.h:
emitters/tool/tool_file.h:
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
emitters/doc/tree.h:
emitters/doc/constants.h:
emitters/doc/constants.def:
compiler/plan/model/names.h:
emitters/node/fetched_check.h:
emitters/node/userdata.h:
emitters/node/first_job.h:
emitters/node/preflight_script.h:
stdlib/node/contract.h:
emitters/tool/tool_facts.h:
emitters/tool/tool_group.h:
emitters/tool/tool_nodes.h:
emitters/tool/tool_values.h:
schema/names.h:
schema/names.def:
schema/operating_systems.h:
