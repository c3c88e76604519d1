test_instances.o: tests/unit/test_instances.c schema/instances.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 schema/instance.h schema/schema.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h tests/support/own_rows.h \
 tests/support/check.h
schema/instances.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
schema/instance.h:
schema/schema.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
tests/support/own_rows.h:
tests/support/check.h:
