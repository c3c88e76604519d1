test_display.o: tests/unit/test_display.c \
 compiler/driver/render/display.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h tests/support/check.h
compiler/driver/render/display.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/check.h:
