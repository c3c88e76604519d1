folder_lock.o: compiler/base/folder_lock.c compiler/base/folder_lock.h \
 compiler/base/arena.h compiler/base/base.h compiler/base/interrupt.h
compiler/base/folder_lock.h:
compiler/base/arena.h:
compiler/base/base.h:
compiler/base/interrupt.h:
