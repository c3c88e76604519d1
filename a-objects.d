objects.o: schema/objects.c schema/objects.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
schema/objects.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
