// Stops a child at each system call of its write phase. At one of them, kills it, sends it SIGTERM, or lets the call fail.
#include "tests/kills/traced.h"

#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

// From the first flock() on: before it dtc reads sources and writes nothing. What frees memory is no part of it.
static bool is_counted(uint64_t number) {
    return number != SYS_brk && number != SYS_mmap && number != SYS_munmap && number != SYS_exit_group &&
           number != SYS_mremap && number != SYS_rt_sigaction && number != SYS_ioctl;
}

// Some calls cannot fail, or what comes of it is not what this is about.
static bool can_fail(uint64_t number) {
    return number != SYS_lseek && number != SYS_nanosleep && number != SYS_clock_nanosleep;
}

// A close() that fails has closed: a lock that stayed would hold up the same dtc, until it gives up.
static bool fails_after_work(uint64_t number) {
    return number == SYS_close;
}

static void set_number(pid_t child, uint64_t number) {
#if defined(__x86_64__)
    ptrace(PTRACE_POKEUSER, child, offsetof(struct user, regs.orig_rax), number);
#elif defined(__aarch64__)
    int value = (int)number;
    struct iovec part = { .iov_base = &value, .iov_len = sizeof(value) };
    ptrace(PTRACE_SETREGSET, child, NT_ARM_SYSTEM_CALL, &part);
#endif
}

static void set_result(pid_t child, int64_t result) {
#if defined(__x86_64__)
    ptrace(PTRACE_POKEUSER, child, offsetof(struct user, regs.rax), result);
#elif defined(__aarch64__)
    struct user_regs_struct registers;
    struct iovec part = { .iov_base = &registers, .iov_len = sizeof(registers) };
    ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &part);
    registers.regs[0] = (uint64_t)result;
    ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &part);
#endif
}

static bool is_rename(uint64_t number) {
#ifdef SYS_rename
    if (number == SYS_rename) {
        return true;
    }
#endif
    return number == SYS_renameat || number == SYS_renameat2;
}

// Stops at each system call on its way in; on the way out of one that is to fail, its result is replaced.
Outcome run_traced(pid_t child, const Plan *plan) {
    Outcome outcome = { 0 };
    int status;
    int renames = 0;
    bool is_writing = false;
    bool is_failing = false;
    int signal_number = 0;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        return outcome;
    }
    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (;;) {
        ptrace(PTRACE_SYSCALL, child, NULL, signal_number);
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
            break;
        }
        signal_number = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        struct __ptrace_syscall_info call; // glibc keeps the name to itself
        if (signal_number != 0 || ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(call), &call) <= 0) {
            continue;
        }
        if (call.op == PTRACE_SYSCALL_INFO_EXIT && is_failing) {
            set_result(child, -plan->error);
            is_failing = false;
        }
        if (call.op != PTRACE_SYSCALL_INFO_ENTRY) {
            continue;
        }
        is_writing = is_writing || call.entry.nr == SYS_flock;
        if (!is_writing || !is_counted(call.entry.nr)) {
            continue;
        }
        renames += is_rename(call.entry.nr);
        if (renames == 2 && outcome.second_rename == 0) {
            outcome.second_rename = outcome.calls;
        }
        if (outcome.calls++ == plan->at && plan->deed != DO_NOTHING) {
            outcome.number = call.entry.nr;
            outcome.is_done = plan->deed != DO_FAIL || can_fail(call.entry.nr);
            if (plan->deed != DO_FAIL) {
                kill(child, plan->deed == DO_KILL ? SIGKILL : SIGTERM);
            } else if (outcome.is_done) {
                if (!fails_after_work(call.entry.nr)) {
                    set_number(child, (uint64_t)-1);
                }
                is_failing = true;
            }
        }
    }
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}
