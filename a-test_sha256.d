test_sha256.o: tests/unit/test_sha256.c tests/support/check.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/sha256.h
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/sha256.h:
