test_collective_floor.o: tests/unit/test_collective_floor.c \
 stdlib/node/collective/floor.h stdlib/node/collective/benchmark.h \
 stdlib/node/collective/text.h stdlib/node/collective/measured.h \
 stdlib/node/collective/ranks.h tests/support/check.h compiler/base/str.h \
 compiler/base/arena.h compiler/base/base.h
stdlib/node/collective/floor.h:
stdlib/node/collective/benchmark.h:
stdlib/node/collective/text.h:
stdlib/node/collective/measured.h:
stdlib/node/collective/ranks.h:
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
