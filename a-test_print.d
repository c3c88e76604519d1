test_print.o: tests/unit/test_print.c compiler/driver/output/print.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h tests/support/check.h
compiler/driver/output/print.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
tests/support/check.h:
