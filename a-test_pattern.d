test_pattern.o: tests/unit/test_pattern.c compiler/base/pattern.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/vec.h compiler/base/diag.def compiler/base/overlay.h \
 tests/support/check.h
compiler/base/pattern.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
tests/support/check.h:
