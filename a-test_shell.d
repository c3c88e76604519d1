test_shell.o: tests/unit/test_shell.c compiler/base/shell.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 tests/support/check.h
compiler/base/shell.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
