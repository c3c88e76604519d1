row_source.o: schema/row_source.c schema/row_source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
schema/row_source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
