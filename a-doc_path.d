doc_path.o: compiler/base/doc_path.c compiler/base/doc_path.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/doc_path.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
