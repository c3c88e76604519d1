test_overlay.o: tests/unit/test_overlay.c compiler/base/overlay.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h tests/support/check.h
compiler/base/overlay.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
tests/support/check.h:
