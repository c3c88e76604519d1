print.o: compiler/driver/output/print.c compiler/driver/output/print.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h \
 compiler/base/vec.h
compiler/driver/output/print.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/vec.h:
