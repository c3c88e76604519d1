releases.o: schema/releases.c schema/releases.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h schema/releases.def
schema/releases.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
schema/releases.def:
