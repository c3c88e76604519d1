test_file_set.o: tests/unit/test_file_set.c compiler/base/file_set.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/interrupt.h compiler/base/journal.h compiler/base/vec.h \
 compiler/base/sha256.h tests/support/folder.h compiler/base/file.h \
 compiler/base/source.h tests/support/check.h
compiler/base/file_set.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/interrupt.h:
compiler/base/journal.h:
compiler/base/vec.h:
compiler/base/sha256.h:
tests/support/folder.h:
compiler/base/file.h:
compiler/base/source.h:
tests/support/check.h:
