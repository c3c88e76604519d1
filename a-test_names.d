test_names.o: tests/unit/test_names.c schema/names.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/names.def \
 tests/support/check.h
schema/names.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/names.def:
tests/support/check.h:
