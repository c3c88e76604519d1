facts.o: compiler/plan/model/facts.c compiler/plan/model/facts.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h compiler/base/str_map.h compiler/base/load.h \
 compiler/base/yaml_read.h schema/names.h schema/names.def
compiler/plan/model/facts.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/str_map.h:
compiler/base/load.h:
compiler/base/yaml_read.h:
schema/names.h:
schema/names.def:
