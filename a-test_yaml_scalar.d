test_yaml_scalar.o: tests/unit/test_yaml_scalar.c \
 compiler/base/yaml_scalar.h compiler/base/data.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/yaml_scalar.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
