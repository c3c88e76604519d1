test_edit.o: tests/unit/test_edit.c compiler/base/edit.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h tests/support/check.h
compiler/base/edit.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
tests/support/check.h:
