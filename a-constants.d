constants.o: emitters/doc/constants.c emitters/doc/constants.h \
 compiler/base/origin.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h emitters/doc/constants.def
emitters/doc/constants.h:
compiler/base/origin.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
emitters/doc/constants.def:
