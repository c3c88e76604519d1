tree.o: emitters/doc/tree.c emitters/doc/tree.h emitters/doc/constants.h \
 compiler/base/origin.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h emitters/doc/constants.def \
 emitters/doc/doc.h compiler/base/data.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h
emitters/doc/tree.h:
emitters/doc/constants.h:
compiler/base/origin.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
emitters/doc/constants.def:
emitters/doc/doc.h:
compiler/base/data.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
