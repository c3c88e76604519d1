test_file.o: tests/unit/test_file.c compiler/base/file.h \
 compiler/base/source.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h tests/support/folder.h tests/support/check.h
compiler/base/file.h:
compiler/base/source.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
tests/support/folder.h:
tests/support/check.h:
