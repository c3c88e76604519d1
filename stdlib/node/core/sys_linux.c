// The kernel, called without a C library, and the program's first and last steps. Each machine brings its way to call
// and its numbers; structures are laid out alike on the two that there are.
#include "stdlib/node/core/sys.h"
#include "stdlib/node/core/main.h"

#if defined __x86_64__

enum {
    CALL_READ = 0,
    CALL_WRITE = 1,
    CALL_CLOSE = 3,
    CALL_CHDIR = 80,
    CALL_STATFS = 137,
    CALL_ADJTIMEX = 159,
    CALL_GETDENTS64 = 217,
    CALL_CLOCK_GETTIME = 228,
    CALL_EXIT_GROUP = 231,
    CALL_OPENAT = 257,
    CALL_MKDIRAT = 258,
    CALL_RENAMEAT = 264,
    CALL_FACCESSAT = 269,
    CALL_PPOLL = 271,
};

static inline long call5(long number, long a, long b, long c, long d, long e) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

__asm__(".global _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall start\n");

#elif defined __aarch64__

enum {
    CALL_MKDIRAT = 34,
    CALL_RENAMEAT = 38,
    CALL_STATFS = 43,
    CALL_FACCESSAT = 48,
    CALL_CHDIR = 49,
    CALL_OPENAT = 56,
    CALL_CLOSE = 57,
    CALL_GETDENTS64 = 61,
    CALL_READ = 63,
    CALL_WRITE = 64,
    CALL_PPOLL = 73,
    CALL_EXIT_GROUP = 94,
    CALL_CLOCK_GETTIME = 113,
    CALL_ADJTIMEX = 171,
};

static inline long call5(long number, long a, long b, long c, long d, long e) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
}

__asm__(".global _start\n_start: mov x0, sp\nb start\n");

#else
#error "the core runs on x86_64 and aarch64"
#endif

enum { WORKING_FOLDER = -100, CAN_READ = 4 };

// Pointers and flags alike: the kernel's arguments are words.
#define CALL1(number, a) call5(number, (long)(a), 0, 0, 0, 0)
#define CALL2(number, a, b) call5(number, (long)(a), (long)(b), 0, 0, 0)
#define CALL3(number, a, b, c) call5(number, (long)(a), (long)(b), (long)(c), 0, 0)
#define CALL4(number, a, b, c, d) call5(number, (long)(a), (long)(b), (long)(c), (long)(d), 0)
#define CALL5(number, a, b, c, d, e) call5(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))

// The compiler may call these for what C has as assignment.
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

__attribute__((used)) void *memcpy(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
    }
    return to;
}

__attribute__((used)) void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ((char *)to)[i] = (char)value;
    }
    return to;
}

int sys_open(const char *path, int flags) {
    return (int)CALL4(CALL_OPENAT, WORKING_FOLDER, path, flags, 0644);
}

int sys_read(int descriptor, void *buffer, int size) {
    return (int)CALL3(CALL_READ, descriptor, buffer, size);
}

int sys_write(int descriptor, const void *buffer, int size) {
    return (int)CALL3(CALL_WRITE, descriptor, buffer, size);
}

void sys_close(int descriptor) {
    (void)CALL1(CALL_CLOSE, descriptor);
}

int sys_read_folder(int descriptor, void *buffer, int size) {
    return (int)CALL3(CALL_GETDENTS64, descriptor, buffer, size);
}

bool sys_can_read(const char *path) {
    return CALL3(CALL_FACCESSAT, WORKING_FOLDER, path, CAN_READ) == 0;
}

int sys_enter(const char *path) {
    return (int)CALL1(CALL_CHDIR, path);
}

void sys_make_folder(const char *path) {
    (void)CALL3(CALL_MKDIRAT, WORKING_FOLDER, path, 0755);
}

int sys_rename(const char *from, const char *to) {
    return (int)CALL4(CALL_RENAMEAT, WORKING_FOLDER, from, WORKING_FOLDER, to);
}

uint64_t sys_free_gib(const char *path) {
    struct {
        uint64_t type;
        uint64_t block_bytes;
        uint64_t blocks;
        uint64_t blocks_free;
        uint64_t blocks_available;
        uint64_t rest[10];
    } space;
    return CALL2(CALL_STATFS, path, &space) == 0 ? (space.blocks_available >> 10) * space.block_bytes >> 20 : 0;
}

int sys_clock_state(void) {
    long nothing_to_set[26] = { 0 };
    return (int)CALL1(CALL_ADJTIMEX, nothing_to_set);
}

int64_t sys_now_ms(void) {
    enum { MONOTONIC = 1 };
    long now[2] = { 0 };
    (void)CALL2(CALL_CLOCK_GETTIME, MONOTONIC, now);
    return (int64_t)now[0] * 1000 + now[1] / 1000000;
}

int64_t sys_time_s(void) {
    enum { REALTIME = 0 };
    long now[2] = { 0 };
    (void)CALL2(CALL_CLOCK_GETTIME, REALTIME, now);
    return now[0];
}

void sys_sleep(int64_t ms) {
    const long limit[2] = { (long)(ms / 1000), (long)(ms % 1000) * 1000000 };
    (void)CALL5(CALL_PPOLL, 0, 0, limit, 0, 0);
}

// What the kernel leaves on the stack: the number of arguments, then they.
void start(long *stack);
__attribute__((used, noreturn)) void start(long *stack) {
    (void)CALL1(CALL_EXIT_GROUP, core_main((int)stack[0], (char **)(stack + 1)));
    __builtin_unreachable();
}
