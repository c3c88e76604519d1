placeholder.o: compiler/plan/rules/placeholder.c \
 compiler/plan/rules/placeholder.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
compiler/plan/rules/placeholder.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
