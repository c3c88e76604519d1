test_node_preflight.o: tests/unit/test_node_preflight.c \
 stdlib/node/contract.h stdlib/node/core/main.h \
 tests/support/still_kernel.h stdlib/node/core/sys.h \
 tests/support/check.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h
stdlib/node/contract.h:
stdlib/node/core/main.h:
tests/support/still_kernel.h:
stdlib/node/core/sys.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
