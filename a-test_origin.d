test_origin.o: tests/unit/test_origin.c compiler/base/origin.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h tests/support/check.h
compiler/base/origin.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
