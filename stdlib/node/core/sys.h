// All that the core asks of the kernel. It asks nothing of anybody else. On a node, sys_linux.c answers, without a C
// library. In tests, the tests play the kernel and answer. A negative number is an error; it is an errno if a caller
// looks at it. Paths start from the working folder: the one that --root names, or /.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The numbers of Linux, alike on x86_64 and aarch64.
enum {
    OPEN_READ = 02000000, // with O_CLOEXEC, as the others
    OPEN_BOTH = 02004002, // O_RDWR, and without waiting for whatever is behind a device node
    OPEN_LOG = 02004000,  // O_RDONLY, and without waiting for the next message
    OPEN_NEW = 02001101,  // O_WRONLY | O_CREAT | O_TRUNC, for everybody to read
    FAULT_AGAIN = -11,
    FAULT_OVERWRITTEN = -32,
};

int sys_open(const char *path, int flags);
int sys_read(int descriptor, void *buffer, int size);
int sys_write(int descriptor, const void *buffer, int size);
void sys_close(int descriptor);
int sys_read_folder(int descriptor, void *buffer, int size); // as getdents64 has it
bool sys_can_read(const char *path);
int sys_enter(const char *path); // the folder that paths start from
void sys_make_folder(const char *path);
int sys_rename(const char *from, const char *to);
uint64_t sys_free_gib(const char *path);
int sys_clock_state(void); // adjtimex: 5 is a clock that nothing holds, and the last of them
enum { CLOCK_UNSYNCHRONIZED = 5 };
int64_t sys_now_ms(void); // since some moment
int64_t sys_time_s(void); // since 1970
void sys_sleep(int64_t ms);
