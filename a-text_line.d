text_line.o: compiler/driver/render/text_line.c \
 compiler/driver/render/text_line.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h \
 compiler/driver/render/display.h
compiler/driver/render/text_line.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/driver/render/display.h:
