test_node_text.o: tests/unit/test_node_text.c stdlib/node/core/text.h \
 tests/support/check.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h
stdlib/node/core/text.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
