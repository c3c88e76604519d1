diag_json.o: compiler/driver/render/diag_json.c compiler/base/json.h \
 compiler/base/data.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h \
 compiler/driver/render/render.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h
compiler/base/json.h:
compiler/base/data.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/driver/render/render.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
