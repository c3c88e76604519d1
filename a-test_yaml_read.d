test_yaml_read.o: tests/unit/test_yaml_read.c compiler/base/yaml_read.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/json.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h tests/support/check.h
compiler/base/yaml_read.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/json.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
tests/support/check.h:
