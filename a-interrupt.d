interrupt.o: compiler/base/interrupt.c compiler/base/interrupt.h \
 compiler/base/base.h
compiler/base/interrupt.h:
compiler/base/base.h:
