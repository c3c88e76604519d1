test_node_record.o: tests/unit/test_node_record.c \
 stdlib/node/core/record.h stdlib/node/contract.h stdlib/node/core/text.h \
 tests/support/check.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h
stdlib/node/core/record.h:
stdlib/node/contract.h:
stdlib/node/core/text.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
