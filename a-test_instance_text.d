test_instance_text.o: tests/unit/test_instance_text.c \
 compiler/driver/command/instance_text.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/schema.h \
 schema/instance.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h schema/instances.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 tests/support/own_rows.h tests/support/check.h
compiler/driver/command/instance_text.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/schema.h:
schema/instance.h:
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
