bootstrap.o: compiler/plan/model/bootstrap.c \
 compiler/plan/model/bootstrap.h compiler/base/base.h compiler/base/str.h \
 compiler/base/arena.h schema/bootstrap.def
compiler/plan/model/bootstrap.h:
compiler/base/base.h:
compiler/base/str.h:
compiler/base/arena.h:
schema/bootstrap.def:
