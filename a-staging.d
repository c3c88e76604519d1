staging.o: compiler/base/staging.c compiler/base/staging.h \
 compiler/base/file_put.h compiler/base/str.h compiler/base/arena.h \
 compiler/base/base.h compiler/base/journal.h compiler/base/vec.h \
 compiler/base/file.h compiler/base/source.h compiler/base/sha256.h
compiler/base/staging.h:
compiler/base/file_put.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/journal.h:
compiler/base/vec.h:
compiler/base/file.h:
compiler/base/source.h:
compiler/base/sha256.h:
