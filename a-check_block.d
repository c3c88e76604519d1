check_block.o: compiler/semantics/check_block.c \
 compiler/semantics/evaluator.h compiler/base/data.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/str_map.h compiler/base/suggest.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/semantics/program.h compiler/semantics/subject.h \
 compiler/semantics/value.h compiler/base/origin.h \
 compiler/base/session.h compiler/base/overlay.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/syntax/token.def
compiler/semantics/evaluator.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/str_map.h:
compiler/base/suggest.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/semantics/program.h:
compiler/semantics/subject.h:
compiler/semantics/value.h:
compiler/base/origin.h:
compiler/base/session.h:
compiler/base/overlay.h:
schema/schema.h:
schema/instance.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/syntax/token.def:
