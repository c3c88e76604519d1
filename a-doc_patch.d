doc_patch.o: emitters/doc/doc_patch.c emitters/doc/doc.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/origin.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h compiler/base/suggest.h \
 compiler/base/doc_path.h
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
compiler/base/suggest.h:
compiler/base/doc_path.h:
