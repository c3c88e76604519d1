test_yaml_round_trip.o: tests/property/test_yaml_round_trip.c \
 emitters/doc/doc.h compiler/base/data.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/origin.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/base/pattern.h compiler/base/yaml_read.h tests/support/events.h \
 compiler/base/die.h
emitters/doc/doc.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/origin.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/pattern.h:
compiler/base/yaml_read.h:
tests/support/events.h:
compiler/base/die.h:
