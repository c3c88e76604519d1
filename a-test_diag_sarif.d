test_diag_sarif.o: tests/unit/test_diag_sarif.c \
 compiler/driver/render/render.h compiler/base/session.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/overlay.h tests/support/check.h
compiler/driver/render/render.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
tests/support/check.h:
