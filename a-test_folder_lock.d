test_folder_lock.o: tests/unit/test_folder_lock.c \
 compiler/base/folder_lock.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/interrupt.h tests/support/folder.h compiler/base/file.h \
 compiler/base/source.h compiler/base/str.h tests/support/check.h
compiler/base/folder_lock.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/interrupt.h:
tests/support/folder.h:
compiler/base/file.h:
compiler/base/source.h:
compiler/base/str.h:
tests/support/check.h:
