fix_judge.o: compiler/driver/fix/fix_judge.c \
 compiler/driver/fix/fix_judge.h compiler/base/edit.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/vec.h \
 compiler/base/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/overlay.h compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/syntax/token.def
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
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/syntax/token.def:
