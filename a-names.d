names.o: schema/names.c schema/names.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/names.def
schema/names.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/names.def:
