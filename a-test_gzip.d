test_gzip.o: tests/unit/test_gzip.c compiler/base/gzip.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/gzip.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
