display.o: compiler/driver/render/display.c \
 compiler/driver/render/display.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/terminal.h
compiler/driver/render/display.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/terminal.h:
