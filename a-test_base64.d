test_base64.o: tests/unit/test_base64.c compiler/base/base64.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/base64.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
