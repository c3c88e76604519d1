diag_text.o: compiler/driver/render/diag_text.c \
 compiler/driver/render/display.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h \
 compiler/driver/render/render.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h \
 compiler/driver/render/text_line.h
compiler/driver/render/display.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/driver/render/render.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/driver/render/text_line.h:
