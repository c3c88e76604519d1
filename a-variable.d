variable.o: emitters/deployment/variable.c emitters/deployment/variable.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 schema/names.h schema/names.def
emitters/deployment/variable.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/names.h:
schema/names.def:
