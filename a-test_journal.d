test_journal.o: tests/unit/test_journal.c compiler/base/journal.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h compiler/base/sha256.h tests/support/check.h
compiler/base/journal.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
compiler/base/sha256.h:
tests/support/check.h:
