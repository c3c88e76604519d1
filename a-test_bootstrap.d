test_bootstrap.o: tests/unit/test_bootstrap.c \
 compiler/plan/model/bootstrap.h compiler/base/base.h compiler/base/str.h \
 compiler/base/arena.h tests/support/check.h compiler/base/file.h \
 compiler/base/source.h
compiler/plan/model/bootstrap.h:
compiler/base/base.h:
compiler/base/str.h:
compiler/base/arena.h:
tests/support/check.h:
compiler/base/file.h:
compiler/base/source.h:
