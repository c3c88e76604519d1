system.o: compiler/plan/model/system.c compiler/plan/model/system.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/plan/model/system.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
