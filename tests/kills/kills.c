// Kills dtc while it writes, lets each of its system calls fail in turn, and looks at what is left:
//
//   kills each SCRATCH DTC      at each system call of the write phase: a kill right before it, SIGTERM right before it,
//   kills short SCRATCH DTC     and a failure of it. ptrace(2) does that, so that the program is the one that is shipped.
//   kills random SCRATCH DTC N  N kills at random moments, on and on in one folder
//
// SCRATCH has the sources `one.dt`, `two.dt` and `three.dt`, whose builds write different files. What must hold:
//
//   - At any time each file is one of a build, whole: never torn.
//   - Where no journal is there, the folder holds the files of one build and no others.
//   - The next command leaves the files of one build and nothing else; a build leaves its own.
//   - A build that fails says so, and ends with status 3.
//   - A command that writes the file that it reads leaves the old text or the new one. The next one that
//     writes leaves no other file.
#include "tests/kills/listing.h"
#include "tests/kills/traced.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_SKIPPED = 77 };

static const char *const SETS[SET_COUNT] = { "one", "two", "three" };

static const char *dtc;
static long passed;
static long failed;

static void fail(const char *where, const char *what) {
    failed++;
    printf("not ok %s: %s\n", where, what);
}

// ---- dtc -------------------------------------------------------------------------------------------------------

// NULL-terminated. What it says goes into the file `said`.
static pid_t start(const char *const *arguments, bool is_traced) {
    const pid_t child = fork();
    if (child == 0) {
        const int file = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        close(file);
        if (is_traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            _exit(STATUS_SKIPPED);
        }
        execv(dtc, (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    return child;
}

static pid_t start_build(int set, const char *folder, bool is_traced) {
    char source[16];
    snprintf(source, sizeof(source), "%s.dt", SETS[set]);
    return start((const char *const[]){ "dtc", "build", source, "--source-map", "-o", folder, NULL }, is_traced);
}

static int end_of(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int build(int set) {
    return end_of(start_build(set, "out", false));
}

static bool said(const char *text) {
    size_t size = 0;
    char *content = read_file(".", "said", &size);
    const bool is_there = content != NULL && memmem(content, size, text, strlen(text)) != NULL;
    free(content);
    return is_there;
}

// ---- what must hold --------------------------------------------------------------------------------------------

// After a kill or a failure, with nothing mended. `before` and `after` are sets, or -2.
static bool is_old_new_or_known(const char *where, int before, int after) {
    Listing listing = list("out");
    const int set = set_of(&listing);
    bool is_well = true;
    if (is_torn(&listing)) {
        fail(where, "a file is torn");
        is_well = false;
    } else if (!listing.has_journal && set != before && set != after) {
        fail(where, "files of two builds, and no journal");
        is_well = false;
    }
    drop(&listing);
    return is_well;
}

static bool holds_set(const char *where, int set, const char *what) {
    Listing listing = list("out");
    const bool is_well = !listing.has_staging && set_of(&listing) == set;
    drop(&listing);
    if (!is_well) {
        fail(where, what);
    }
    return is_well;
}

// What explain leaves is the old set or the new one.
static bool explain_mends(const char *where, int before, int after) {
    const bool had_staging = access("out/.dtc-set", F_OK) == 0;
    end_of(start((const char *const[]){ "dtc", "explain", "out/lab.cfn.yaml:2", NULL }, false));
    if (had_staging && !said("DT0955") && !said("DT0956")) {
        fail(where, "something was mended without a word");
        return false;
    }
    Listing listing = list("out");
    const int set = set_of(&listing);
    const bool is_well = !listing.has_staging && (set == before || set == after);
    drop(&listing);
    if (!is_well) {
        fail(where, "explain leaves files of two builds, or temporary ones");
    }
    return is_well;
}

// What may come next: a build of the new source, one of the old source, a line that is to be explained.
static bool goes_on(const char *where, int turn, int before, int after) {
    switch (turn % 3) {
    case 0:
        return explain_mends(where, before, after) && build(after) == 0 &&
               holds_set(where, after, "the next build leaves something else than its files");
    case 1:
        return build(after) == 0 && holds_set(where, after, "the next build leaves something else than its files");
    default:
        return build(before < 0 ? 1 : before) == 0 &&
               holds_set(where, before < 0 ? 1 : before,
                         "a build of the old source leaves something else than its files");
    }
}

// What is disturbed, and over what.
typedef struct {
    const char *name;
    int before;    // a set, or -2 for no folder
    int after;     // a set: what it leaves where nobody disturbs it
    bool is_half;  // a build of `before` was killed when one file had its name
    bool explains; // a line in place of a build
} Case;

static const Case CASES[] = {
    { "a build over another one", 0, 1, false, false },     { "a build that removes nothing", 1, 2, false, false },
    { "a build into no folder", -2, 0, false, false },      { "a build over a part of one", 1, 2, true, false },
    { "explain over a part of a build", 1, 1, true, true },
};
enum { CASE_COUNT = sizeof(CASES) / sizeof(CASES[0]) };

static pid_t start_case(const Case *test) {
    return test->explains ? start((const char *const[]){ "dtc", "explain", "out/lab.cfn.yaml:2", NULL }, true)
                          : start_build(test->after, "out", true);
}

static void prepare(const Case *test) {
    if (!test->is_half) {
        put_set(test->before);
        return;
    }
    put_set(0);
    const int at = run_traced(start_build(test->before, "out", true), &(Plan){ 0 }).second_rename;
    put_set(0);
    run_traced(start_build(test->before, "out", true), &(Plan){ .deed = DO_KILL, .at = at });
}

static Outcome disturb(const Case *test, const Plan *plan, char *where, size_t room) {
    static const char *const DEEDS[] = { "nothing", "a kill", "SIGTERM", "a failure" };
    prepare(test);
    const Outcome outcome = run_traced(start_case(test), plan);
    snprintf(where, room, "%s: %s (%s) at call %d, number %d", test->name, DEEDS[plan->deed],
             plan->error == 0 ? "-" : strerror(plan->error), plan->at, (int)outcome.number);
    return outcome;
}

static void kill_at(const Case *test, int at, int turn) {
    char where[200];
    disturb(test, &(Plan){ .deed = DO_KILL, .at = at }, where, sizeof(where));
    if (is_old_new_or_known(where, test->before, test->after) && goes_on(where, turn, test->before, test->after)) {
        passed++;
    }
}

// A part of a build may stay a part where dtc is stopped before it could mend it.
static void terminate_at(const Case *test, int at) {
    char where[200];
    const Outcome outcome = disturb(test, &(Plan){ .deed = DO_TERMINATE, .at = at }, where, sizeof(where));
    Listing listing = list("out");
    const int set = set_of(&listing);
    if (outcome.status != 0 && outcome.status != 3 && outcome.status != 128 + SIGTERM) {
        fail(where, "ends with another status than 0, 3 or that of the signal");
    } else if (!test->is_half && listing.has_staging) {
        fail(where, "leaves temporary files");
    } else if (!listing.has_journal && set != test->before && set != test->after) {
        fail(where, "leaves neither the old files nor the new ones");
    } else {
        passed++;
    }
    drop(&listing);
}

static void fail_at(const Case *test, int at, int error, int turn) {
    char where[200];
    const Outcome outcome = disturb(test, &(Plan){ .deed = DO_FAIL, .at = at, .error = error }, where, sizeof(where));
    if (!outcome.is_done) {
        return;
    }
    Listing listing = list("out");
    const int set = set_of(&listing);
    const bool has_journal = listing.has_journal;
    drop(&listing);
    if (outcome.status == 0 && set != test->after) {
        fail(where, "ends with status 0 and without all files");
    } else if (outcome.status != 0 && outcome.status != 3) {
        fail(where, "ends with another status than 0 or 3");
    } else if (outcome.status == 3 && set != test->before && set != test->after && !said("DT0957")) {
        fail(where, "files of two builds, and nobody says so");
    } else if (outcome.status == 3 && has_journal && set == test->before && !said("DT0957")) {
        fail(where, "says that nothing was written and leaves a journal");
    } else if (is_old_new_or_known(where, test->before, test->after) &&
               goes_on(where, turn, test->before, test->after)) {
        passed++;
    }
}

// ---- a file in its place ---------------------------------------------------------------------------------------

// Commands that write the file which they read.
typedef struct {
    const char *name;
    const char *path;
    const char *before;
    const char *arguments[6]; // the last is NULL
} Rewrite;

static const char TOLERATION[] = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n"
                                 "  tolerations: [{ key: a, operator: Exists, effect: NoShedule }]\n"
                                 "  containers: [{ name: a, image: \"a:1\" }]\n";

static const Rewrite REWRITES[] = {
    { "fmt", "src/a.dt", "dt 1\nlet   a=1\n", { "dtc", "fmt", "src/a.dt" } },
    { "check --fix", "src/a.dt", "dt 1\nlet a = 1_000_\n", { "dtc", "check", "--fix", "src/a.dt" } },
    { "lint --fix", "src/a.yaml", TOLERATION, { "dtc", "lint", "--fix", "src/a.yaml" } },
};
enum { REWRITE_COUNT = sizeof(REWRITES) / sizeof(REWRITES[0]) };

static void put_again(const Rewrite *rewrite) {
    FILE *file = fopen(rewrite->path, "w");
    if (file == NULL || fputs(rewrite->before, file) == EOF || fclose(file) != 0) {
        fail(rewrite->name, "cannot be written");
    }
}

static void put_before(const Rewrite *rewrite) {
    remove_folder("src");
    mkdir("src", 0755);
    put_again(rewrite);
}

// Whether the file has this text, whatever else dtc has left beside it.
static bool has_text(const char *text) {
    Listing listing = list("src");
    const bool is_well = listing.count == 1 && strlen(text) == listing.files[0].size &&
                         memcmp(text, listing.files[0].content, listing.files[0].size) == 0;
    drop(&listing);
    return is_well;
}

// Whether the folder holds the file alone, with this text.
static bool holds_file(const char *text) {
    Listing listing = list("src");
    const bool is_alone = !listing.has_staging;
    drop(&listing);
    return is_alone && has_text(text);
}

static void rewrite_at(const Rewrite *rewrite, const Plan *plan, const char *after) {
    char where[200];
    put_before(rewrite);
    const Outcome outcome = run_traced(start(rewrite->arguments, true), plan);
    snprintf(where, sizeof(where), "%s: deed %d at call %d, number %d", rewrite->name, (int)plan->deed, plan->at,
             (int)outcome.number);
    if (!has_text(rewrite->before) && !has_text(after)) {
        fail(where, "the file is neither as it was nor as it is to be");
        return;
    }
    if (outcome.status == 0 && !has_text(after)) {
        fail(where, "ends with status 0 and has not written the file");
        return;
    } else if (end_of(start(rewrite->arguments, false)), !has_text(after)) {
        fail(where, "the next run does not write the file");
        return;
    }
    // A run that has nothing to write leaves an empty staging folder as it is.
    put_again(rewrite);
    end_of(start(rewrite->arguments, false));
    if (holds_file(after)) {
        passed++;
    } else {
        fail(where, "the next run that writes leaves another file");
    }
}

// Returns how many system calls there were.
static long rewrite_each(const Rewrite *rewrite) {
    put_before(rewrite);
    const Outcome whole = run_traced(start(rewrite->arguments, true), &(Plan){ 0 });
    size_t size = 0;
    char *content = read_file(".", rewrite->path, &size);
    char *after = content == NULL ? NULL : strndup(content, size);
    free(content);
    if (after == NULL || whole.calls == 0 || strcmp(after, rewrite->before) == 0) {
        fail(rewrite->name, "does not write the file");
    }
    for (int at = 0; after != NULL && at < whole.calls; at++) {
        rewrite_at(rewrite, &(Plan){ .deed = DO_KILL, .at = at }, after);
        rewrite_at(rewrite, &(Plan){ .deed = DO_TERMINATE, .at = at }, after);
        rewrite_at(rewrite, &(Plan){ .deed = DO_FAIL, .at = at, .error = ENOSPC }, after);
    }
    free(after);
    return whole.calls;
}

// ---- the two ways ----------------------------------------------------------------------------------------------

// All three deeds at each call, with three ways to go on and three errors; in the short run, one of all these in turn.
static int each(bool is_short) {
    static const int ERRORS[] = { ENOSPC, EIO, EACCES };
    long calls = 0;
    for (int number = 0; number < CASE_COUNT; number++) {
        const Case *test = &CASES[number];
        char where[200];
        const Outcome whole = disturb(test, &(Plan){ 0 }, where, sizeof(where));
        if (whole.calls == 0) {
            puts("skipped: kills at each system call: ptrace is not allowed here");
            puts("0 passed, 0 failed, 1 skipped");
            return 0;
        }
        if (!holds_set(where, test->after, "leaves something else than its files")) {
            continue;
        }
        calls += whole.calls;
        for (int at = 0; at < whole.calls; at++) {
            const int deed = is_short ? (at + number) % 3 : -1;
            for (int turn = is_short ? at / 3 % 3 : 0; turn < 3; turn += is_short ? 3 : 1) {
                if (deed == 0 || !is_short) {
                    kill_at(test, at, turn);
                }
                if (deed == 1 || !is_short) {
                    fail_at(test, at, ERRORS[turn], turn + 1);
                }
            }
            if (deed == 2 || !is_short) {
                terminate_at(test, at);
            }
        }
    }
    for (int number = 0; number < REWRITE_COUNT; number++) {
        calls += rewrite_each(&REWRITES[number]);
    }
    printf("ok %ld system calls of %d runs: %s\n", calls, (int)CASE_COUNT + (int)REWRITE_COUNT,
           is_short ? "a kill or SIGTERM before each, or a failure of it"
                    : "kills and SIGTERM before each, and failures of each");
    printf("%ld passed, %ld failed, 0 skipped\n", passed, failed);
    return failed != 0;
}

// Builds that run at the same time; whichever is last has the folder.
static void take_turns(long count) {
    enum { TOGETHER = 3 };
    for (long i = 0; i < count; i++) {
        pid_t children[TOGETHER];
        int status = 0;
        char where[60];
        snprintf(where, sizeof(where), "builds together, %ld", i);
        if (i % 5 == 0) {
            remove_folder("out");
        }
        for (int child = 0; child < TOGETHER; child++) {
            children[child] = start_build((child + (int)i) % SET_COUNT, "out", false);
        }
        for (int child = 0; child < TOGETHER; child++) {
            status |= end_of(children[child]);
        }
        Listing listing = list("out");
        if (status != 0) {
            fail(where, "one of them fails");
        } else if (listing.has_staging || set_of(&listing) < 0) {
            fail(where, "leave files of two of them");
        } else {
            passed++;
        }
        drop(&listing);
    }
    printf("ok %ld times %d builds together\n", count, (int)TOGETHER);
}

static int at_random(long count) {
    long killed = 0;
    long interrupted = 0;
    long journals = 0;
    long leftovers = 0;
    long finished = 0;
    srand(1);
    put_set(0);
    for (long i = 0; i < count; i++) {
        char where[60];
        snprintf(where, sizeof(where), "kill %ld", i);
        Listing listing = list("out");
        const bool had_staging = listing.has_staging;
        drop(&listing);
        const int set = rand() % SET_COUNT;
        const int signal_number = rand() % 4 == 0 ? SIGTERM : SIGKILL;
        const pid_t child = start_build(set, "out", false);
        // Most of the time of a build passes before it writes, so half of the kills wait for its folder.
        if (rand() % 2 == 0) {
            siginfo_t end = { 0 };
            while (access("out/.dtc-set", F_OK) != 0 && end.si_pid == 0) {
                waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT);
            }
            usleep((useconds_t)(rand() % 4000));
        } else {
            usleep((useconds_t)(rand() % 20000));
        }
        kill(child, signal_number);
        const int status = end_of(child);
        killed += status == 128 + SIGKILL;
        interrupted += status == 3 || status == 128 + SIGTERM;
        finished += status == 0;
        listing = list("out");
        journals += listing.has_journal;
        leftovers += listing.has_staging;
        const int left = set_of(&listing);
        if (is_torn(&listing)) {
            fail(where, "a file is torn");
        } else if (!listing.has_journal && left < 0) {
            fail(where, "files of two builds, and no journal");
        } else if (signal_number == SIGTERM && listing.has_staging && !had_staging) {
            fail(where, "SIGTERM leaves temporary files");
        } else if (rand() % 2 == 0) {
            passed++; // on with the next kill
        } else {
            const int next = rand() % SET_COUNT;
            passed += build(next) == 0 && holds_set(where, next, "the next build leaves something else than its files");
        }
        drop(&listing);
    }
    printf("ok %ld builds killed, %ld stopped by SIGTERM, %ld done before; %ld left temporary files, %ld a journal\n",
           killed, interrupted, finished, leftovers, journals);
    take_turns(count / 10);
    build(2);
    passed += holds_set("after all kills", 2, "the next build leaves something else than its files");
    printf("%ld passed, %ld failed, 0 skipped\n", passed, failed);
    return failed != 0;
}

int main(int count, char **arguments) {
    if (count < 4) {
        fputs("usage: kills each|short|random SCRATCH DTC [N]\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); // it takes minutes
    dtc = realpath(arguments[3], NULL);
    if (dtc == NULL || chdir(arguments[2]) != 0) {
        perror("kills");
        return 3;
    }
    for (int set = 0; set < SET_COUNT; set++) {
        if (end_of(start_build(set, SETS[set], false)) != 0) {
            fputs("kills: a source does not build\n", stderr);
            return 3;
        }
        sets[set] = list(SETS[set]);
    }
    const bool is_random = strcmp(arguments[1], "random") == 0;
    return is_random ? at_random(count > 4 ? atol(arguments[4]) : 1000) : each(strcmp(arguments[1], "short") == 0);
}
