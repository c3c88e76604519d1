test_schema.o: tests/unit/test_schema.c schema/schema.h schema/instance.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 schema/limits.h schema/limits.def build/generated/schema_kinds.h \
 schema/instances.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h tests/support/own_rows.h tests/support/check.h
schema/schema.h:
schema/instance.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
schema/instances.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
tests/support/own_rows.h:
tests/support/check.h:
