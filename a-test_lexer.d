test_lexer.o: tests/unit/test_lexer.c compiler/syntax/ast.h \
 compiler/syntax/token.h compiler/base/session.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/vec.h compiler/base/diag.def \
 compiler/base/overlay.h compiler/syntax/token.def
compiler/syntax/ast.h:
compiler/syntax/token.h:
compiler/base/session.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/diag.def:
compiler/base/overlay.h:
compiler/syntax/token.def:
