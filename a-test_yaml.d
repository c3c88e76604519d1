test_yaml.o: tests/unit/test_yaml.c tests/support/yaml_world.h \
 tests/support/check.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h emitters/doc/doc.h compiler/base/data.h \
 compiler/base/origin.h emitters/doc/yaml_text.h
tests/support/yaml_world.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
emitters/doc/doc.h:
compiler/base/data.h:
compiler/base/origin.h:
emitters/doc/yaml_text.h:
