slurm.o: emitters/parallelcluster/slurm.c emitters/node/first_job.h \
 emitters/node/preflight_script.h emitters/emitter.h \
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
 emitters/node/userdata.h stdlib/node/contract.h compiler/base/shell.h \
 emitters/parallelcluster/configuration.h emitters/tool/tool_file.h \
 emitters/doc/tree.h emitters/doc/constants.h emitters/doc/constants.def \
 emitters/node/upload.h emitters/tool/tool_values.h \
 schema/operating_systems.h
emitters/node/first_job.h:
emitters/node/preflight_script.h:
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
emitters/node/userdata.h:
stdlib/node/contract.h:
compiler/base/shell.h:
emitters/parallelcluster/configuration.h:
emitters/tool/tool_file.h:
emitters/doc/tree.h:
emitters/doc/constants.h:
emitters/doc/constants.def:
emitters/node/upload.h:
emitters/tool/tool_values.h:
schema/operating_systems.h:
