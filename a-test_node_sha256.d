test_node_sha256.o: tests/unit/test_node_sha256.c \
 stdlib/node/core/sha256.h stdlib/node/core/text.h tests/support/check.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
stdlib/node/core/sha256.h:
stdlib/node/core/text.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
