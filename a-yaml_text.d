yaml_text.o: emitters/doc/yaml_text.c emitters/doc/yaml_text.h \
 emitters/doc/doc.h compiler/base/data.h compiler/base/source.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/origin.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 compiler/base/format.h
emitters/doc/yaml_text.h:
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
compiler/base/format.h:
