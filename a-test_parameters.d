test_parameters.o: tests/unit/test_parameters.c schema/schema.h \
 schema/instance.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h schema/limits.h schema/limits.def \
 build/generated/schema_kinds.h tests/support/check.h
schema/schema.h:
schema/instance.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/limits.h:
schema/limits.def:
build/generated/schema_kinds.h:
tests/support/check.h:
