test_suggest.o: tests/unit/test_suggest.c compiler/base/suggest.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/diag.def compiler/base/session.h compiler/base/overlay.h \
 tests/support/check.h
compiler/base/suggest.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/session.h:
compiler/base/overlay.h:
tests/support/check.h:
