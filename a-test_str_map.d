test_str_map.o: tests/unit/test_str_map.c tests/support/check.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/str_map.h
tests/support/check.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/str_map.h:
