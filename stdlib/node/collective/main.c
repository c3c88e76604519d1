// dtc-collective: proves, with all nodes of a job, that the fabric between them carries what it should; and reads what
// benchmarks of accelerators say about theirs. See dtc-collective(1).
#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/leader.h"
#include "stdlib/node/collective/member.h"
#include "stdlib/node/collective/outcome.h"
#include "stdlib/node/collective/parse.h"
#include "stdlib/node/collective/signals.h"
#include "stdlib/node/collective/wire.h"
#include "stdlib/node/device/device_command.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LISTEN_MS = 5000, // a job before this one may still hold the port
    FAREWELL_MS = 4000,
    RETRY_NS = 100 * NS_PER_MS,
};

static const char *environment(const char *name) {
    return getenv(name);
}

static int open_listener(uint16_t port) {
    const uint64_t deadline = clock_ns() + (uint64_t)LISTEN_MS * NS_PER_MS;
    int listener = wire_listen(port);
    while (listener < 0 && errno == EADDRINUSE && clock_ns() < deadline) {
        nanosleep(&(struct timespec){ .tv_nsec = RETRY_NS }, NULL);
        listener = wire_listen(port);
    }
    return listener;
}

enum { NO_LEADER = -1, NO_PORT = -2 };

// The leader's process. With a reason: NO_PORT where it cannot listen, which is no fault of the node; or NO_LEADER. It
// is forked before libfabric is loaded: what libfabric maps and registers does not survive a fork.
static pid_t start_leader(const Job *job, char *reason, size_t reason_size) {
    const int listener = open_listener(job->port);
    if (listener < 0) {
        text_into(reason, reason_size, "cannot listen on port %u: %s%s", job->port, strerror(errno),
                  errno == EADDRINUSE ? "; another job leads from this node, or another program has the port" : "");
        return NO_PORT;
    }
    const pid_t child = fork();
    if (child == 0) {
        signals_release();
        // Whoever reads our output waits for its end, which is not the leader's to delay.
        if (freopen("/dev/null", "w", stdout) == NULL) {
            _exit(NODE_EXIT_INTERNAL);
        }
        _exit(leader_run(job, listener));
    }
    if (child < 0) {
        text_into(reason, reason_size, "cannot start the leader: %s", strerror(errno));
    }
    close(listener);
    return child;
}

static void end_leader(pid_t leader) {
    const uint64_t deadline = clock_ns() + (uint64_t)FAREWELL_MS * NS_PER_MS;
    while (waitpid(leader, NULL, WNOHANG) == 0) {
        if (clock_ns() > deadline) {
            (void)kill(leader, SIGKILL);
        }
        nanosleep(&(struct timespec){ .tv_nsec = RETRY_NS / 10 }, NULL);
    }
}

static bool write_file(const char *path, const char *text) {
    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG; // cut short it would be the name of another file
        return false;
    }
    FILE *file = fopen(temporary, "we");
    if (file == NULL) {
        return false;
    }
    const bool is_written = fprintf(file, "%s\n", text) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && is_written && rename(temporary, path) == 0;
}

static bool publish(const Job *job, const Text *verdict) {
    if (job->verdict_path != NULL && !write_file(job->verdict_path, verdict->data)) {
        fprintf(stderr, "dtc-collective: cannot write %s: %s\n", job->verdict_path, strerror(errno));
        return false;
    }
    return printf("%s\n", verdict->data) > 0 && fflush(stdout) == 0;
}

// What this rank found goes into `shared`; returns what to exit with.
static int take_part(const Job *job, Text *shared) {
    char reason[NODE_TEXT_BYTES_MAX];
    pid_t leader = 0;
    if (job->rank == job->leader_rank && (leader = start_leader(job, reason, sizeof reason)) < 0) {
        outcome_write_lost(shared, job, reason);
        return leader == NO_PORT ? NODE_EXIT_USAGE : NODE_EXIT_LOST;
    }
    const int exit_code = member_run(job, shared);
    if (leader > 0) {
        end_leader(leader);
    }
    return exit_code;
}

static int run(JobSource source, int argc, char **argv) {
    Job job;
    char reason[NODE_TEXT_BYTES_MAX];
    const int status = job_read(&job, source, argc, argv, environment, reason, sizeof reason);
    if (status != NODE_EXIT_PASS) {
        fprintf(stderr, "dtc-collective: %s\n", reason);
        return status;
    }
    if (job.verdict_path != NULL) {
        // One of before would be taken for this run's, were this one killed.
        (void)unlink(job.verdict_path);
    }
    char *whole = calloc(1, NODE_VERDICT_BYTES_MAX);
    char *shared = calloc(1, NODE_VERDICT_BYTES_MAX);
    if (whole == NULL || shared == NULL) {
        return NODE_EXIT_INTERNAL;
    }
    signals_hold();
    Text tail = { .data = shared, .size = NODE_VERDICT_BYTES_MAX };
    const int exit_code = take_part(&job, &tail);
    Text verdict = { .data = whole, .size = NODE_VERDICT_BYTES_MAX };
    outcome_write_head(&verdict, &job);
    text_put(&verdict, "%s", shared);
    return !publish(&job, &verdict) || verdict.is_cut || tail.is_cut ? NODE_EXIT_INTERNAL : exit_code;
}

static int usage(void) {
    fprintf(stderr,
            "usage: dtc-collective run|ping [--rank R --n N --leader HOST[:PORT] | --hosts A,B,...] [OPTION...]\n"
            "       dtc-collective parse [--expect FILE] [--type TYPE] [--nodes N] [--floor GBS] [--size BYTES] "
            "[--status N] [--net efa|pinned|any] [FILE]\n"
            "       dtc-collective device [--expect FILE] [--root DIR] [--verdict FILE] [--seconds N] [--nvml PATH] "
            "[--cuda PATH] [--quick]\n"
            "see dtc-collective(1)\n");
    return NODE_EXIT_USAGE;
}

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "run") == 0) {
        return run(JOB_RUN, argc - 2, argv + 2);
    }
    if (argc >= 2 && strcmp(argv[1], "ping") == 0) {
        return run(JOB_PING, argc - 2, argv + 2);
    }
    if (argc >= 2 && strcmp(argv[1], "parse") == 0) {
        return parse_command(argc - 2, argv + 2);
    }
    if (argc >= 2 && strcmp(argv[1], "device") == 0) {
        return device_command(argc - 2, argv + 2);
    }
    return usage();
}
