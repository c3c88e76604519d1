str_map.o: compiler/base/str_map.c compiler/base/str_map.h \
 compiler/base/str.h compiler/base/arena.h compiler/base/base.h
compiler/base/str_map.h:
compiler/base/str.h:
compiler/base/arena.h:
compiler/base/base.h:
