schemagen_text.o: schema/generator/schemagen_text.c \
 schema/generator/schemagen.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h compiler/base/str_map.h \
 schema/row_cells.h compiler/base/data.h compiler/base/die.h \
 compiler/base/load.h compiler/base/yaml_read.h
schema/generator/schemagen.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/base/str_map.h:
schema/row_cells.h:
compiler/base/data.h:
compiler/base/die.h:
compiler/base/load.h:
compiler/base/yaml_read.h:
