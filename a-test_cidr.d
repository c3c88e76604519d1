test_cidr.o: tests/unit/test_cidr.c compiler/base/cidr.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/cidr.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
