test_placeholder.o: tests/unit/test_placeholder.c \
 compiler/plan/rules/placeholder.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h tests/support/check.h
compiler/plan/rules/placeholder.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
