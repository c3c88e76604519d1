test_fix_judge.o: tests/unit/test_fix_judge.c \
 compiler/driver/fix/fix_judge.h compiler/base/edit.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/overlay.h tests/support/check.h
compiler/driver/fix/fix_judge.h:
compiler/base/edit.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/overlay.h:
tests/support/check.h:
