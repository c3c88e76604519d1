// Builds mutants of the fixtures. Each is a changed source, or a changed file of params or facts. They go through the
// commands that a person types: check, check --fix --diff, build. None may crash, hang, or end as anything but clean or
// with messages.
//
//   mutate FIXTURES [seed=N] [from=N] [count=N]     random ones, by number; the same seed gives the same mutants
//   mutate FIXTURES each [from=N] [count=N]         one change at a time, at every place of every fixture
//   mutate FIXTURES ... only=N                      that one alone, in this process, printed before
//
// Mutants run in a child, which is started anew behind one that crashed.
#include "tests/mutate/seeds.h"

#include "compiler/base/die.h"
#include "tests/support/remove_tree.h"

#include "compiler/base/file.h"
#include "compiler/driver/command/command.h"

#include <execinfo.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BATCH = 500,       // for each child: it leaks nothing, but a crash may have spoiled something
    SECONDS_MAX = 20,  // for one mutant
    FAILURES_MAX = 50, // then the rest is not worth waiting for
    CHOICES = 8,
    EXIT_WRONG = 99,
    FRAMES_MAX = 30,
};

// What the child says of its work.
typedef struct {
    uint64_t number; // of the mutant at hand
    uint64_t clean;
    uint64_t refused;
} Progress;

typedef struct {
    Arena *arena;
    Seeds seeds;
    Harvest harvest;
    const char *root;    // absolute
    const char *scratch; // an empty folder
    const char *core;
    uint64_t seed;
    uint64_t from;
    uint64_t count;
    bool is_each;
    bool is_only;
    Progress *progress; // shared
} World;

// A seed and the texts that stand in for its files.
typedef struct {
    const Seed *seed;
    Str text;
    Str data;
    uint32_t mode;
} Mutant;

// ---- one mutant ---------------------------------------------------------------------------------------------------

enum { ARGUMENTS_MAX = SEED_OPTIONS_MAX + 16 };

static int arguments_of(const World *world, Arena *arena, const Mutant *mutant, const char **arguments) {
    static const char *const FORMS[] = { "json", "sarif", "github" };
    const uint32_t mode = mutant->mode % 16;
    const bool is_build = mode >= 8;
    int count = 0;
    arguments[count++] = is_build ? "build" : "check";
    arguments[count++] = str_c(arena, mutant->seed->file);
    for (int i = 0; i < mutant->seed->option_count; i++) {
        arguments[count++] = mutant->seed->options[i];
    }
    arguments[count++] = "--core";
    arguments[count++] = world->core;
    if (mode < 3) {
        arguments[count++] = "--diagnostics";
        arguments[count++] = FORMS[mode];
    } else if (mode < 5) {
        arguments[count++] = "--fix";
        arguments[count++] = "--diff";
    }
    if (is_build) {
        arguments[count++] = "-o";
        arguments[count++] = world->scratch;
    }
    if (mode >= 12 && mode < 14) {
        arguments[count++] = "--source-map";
    }
    return count;
}

static ExitStatus run_mutant(const World *world, const Mutant *mutant) {
    Session *session = session_create();
    Arena *arena = session->arena;
    Run run = { .session = session, .arena = arena, .out = { .arena = arena }, .err = { .arena = arena } };
    Overlay overlay = { 0 };
    const StandIn source = { .path = mutant->seed->file, .text = mutant->text };
    const StandIn data = { .path = mutant->seed->data_file, .text = mutant->data };
    vec_push(arena, &overlay, source);
    if (data.path.len > 0) {
        vec_push(arena, &overlay, data);
    }
    session->overlay = &overlay;
    const char *arguments[ARGUMENTS_MAX];
    const int count = arguments_of(world, arena, mutant, arguments);
    UsageFault fault = { 0 };
    ExitStatus status = STATUS_USAGE;
    if (options_parse(arena, count, arguments, &run.options, &fault)) {
        run.operands = run.options.operands.items + 1;
        run.operand_count = run.options.operands.count - 1;
        status = command_find(run.options.operands.items[0])->run(&run);
    }
    if (world->is_only) {
        printf("status %d\n%.*s%.*s", (int)status, STR_ARG(strbuf_str(&run.err)), STR_ARG(strbuf_str(&run.out)));
    }
    session_destroy(session);
    return status;
}

// Mostly one of those that build: what has an error already hides what a change does behind it.
static const Seed *choose_seed(const World *world, Random *random) {
    const Seed *seed = NULL;
    for (int i = 0; i < CHOICES; i++) {
        seed = &world->seeds.items[random_below(random, world->seeds.count)];
        if (seed->is_right) {
            break;
        }
    }
    return seed;
}

static bool make_mutant(const World *world, Arena *arena, uint64_t number, Mutant *mutant) {
    Random random = random_start(world->seed * UINT64_C(1000003) + number);
    if (!world->is_each) {
        mutant->seed = choose_seed(world, &random);
        mutant->data = mutant->seed->data;
        const bool is_data = mutant->data.len > 0 && random_below(&random, 3) == 0;
        mutant->text =
            is_data ? mutant->seed->text : mutate_program(arena, &random, &world->harvest, mutant->seed->text);
        mutant->data = is_data ? mutate_data(arena, &random, mutant->data) : mutant->data;
        mutant->mode = random_below(&random, 16);
        return true;
    }
    // The same fixture's come one after the other: numbers are (fixture, change).
    const uint32_t seed = (uint32_t)(number >> 32);
    const Sketch sketch = sketch_program(arena, world->seeds.items[seed].text);
    *mutant = (Mutant){ .seed = &world->seeds.items[seed], .data = world->seeds.items[seed].data, .mode = 5 };
    return mutate_each(arena, &sketch, (uint32_t)number, &mutant->text);
}

// False where there is no mutant of the number.
static bool try_number(const World *world, uint64_t number) {
    world->progress->number = number;
    Arena *arena = arena_create();
    Mutant mutant = { 0 };
    const bool is_made = make_mutant(world, arena, number, &mutant);
    if (is_made) {
        if (world->is_only) {
            printf("---- %.*s%.*s, way %" PRIu32 "\n%.*s\n---- %.*s\n%.*s\n----\n", STR_ARG(mutant.seed->folder),
                   STR_ARG(mutant.seed->file), mutant.mode, STR_ARG(mutant.text), STR_ARG(mutant.seed->data_file),
                   STR_ARG(mutant.data));
            fflush(stdout);
        }
        alarm(SECONDS_MAX);
        if (chdir(str_c(arena, str_format(arena, "%s/%.*s", world->root, STR_ARG(mutant.seed->folder)))) != 0) {
            _exit(EXIT_WRONG);
        }
        const ExitStatus status = run_mutant(world, &mutant);
        alarm(0);
        world->progress->clean += status == STATUS_CLEAN ? 1 : 0;
        world->progress->refused += status == STATUS_ERRORS ? 1 : 0;
        if (status != STATUS_CLEAN && status != STATUS_ERRORS) {
            fprintf(stderr, "ended with status %d\n", (int)status);
            _exit(EXIT_WRONG);
        }
    }
    arena_destroy(arena);
    return is_made;
}

// ---- children -----------------------------------------------------------------------------------------------------

// Where it was, as `addr2line -f -e PROGRAM` reads it.
static void on_crash(int signal_number) {
    void *frames[FRAMES_MAX];
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), STDERR_FILENO);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

// Where sanitizers watch, they say more.
static void watch_crashes(void) {
#ifndef __SANITIZE_ADDRESS__
    static const int SIGNALS[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM };
    void *frame[1];
    backtrace(frame, 1); // which loads a library the first time
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        signal(SIGNALS[i], on_crash);
    }
#else
    (void)on_crash;
#endif
}

// Numbers go up to the batch's end; of each fixture as many as there are. The parent goes on behind `progress`.
static void work(const World *world, uint64_t first, uint64_t last) {
    watch_crashes();
    uint64_t number = first;
    for (uint64_t done = 0; done < BATCH && number < last; done++) {
        if (try_number(world, number)) {
            number++;
        } else {
            number = ((number >> 32) + 1) << 32;
        }
    }
    world->progress->number = number;
    fflush(NULL);
    _exit(0);
}

// True where the child ended well.
static bool run_batch(const World *world, uint64_t first, uint64_t last) {
    world->progress->number = first;
    const pid_t child = fork();
    if (child == 0) {
        work(world, first, last);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        die("cannot run a child");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    printf("not ok mutant %" PRIu64 ": %s %d; again with: %sseed=%" PRIu64 " only=%" PRIu64 "\n",
           world->progress->number, WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), world->is_each ? "each " : "", world->seed,
           world->progress->number);
    fflush(stdout);
    return false;
}

static uint64_t run_all(const World *world) {
    uint64_t failures = 0;
    const uint64_t end = world->is_each ? (uint64_t)world->seeds.count << 32 : world->from + world->count;
    uint64_t next = world->from;
    while (next < end && failures < FAILURES_MAX) {
        if (run_batch(world, next, end)) {
            next = world->progress->number;
        } else {
            failures++;
            next = world->progress->number + 1;
        }
    }
    return failures;
}

// ---- command line -------------------------------------------------------------------------------------------------

static bool read_number(const char *argument, const char *name, uint64_t *value) {
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=') {
        return false;
    }
    char *end;
    *value = strtoull(argument + length + 1, &end, 10);
    return *end == '\0';
}

static World world_create(int count, char **arguments) {
    Arena *arena = arena_create();
    World world = { .arena = arena, .seed = 1, .count = 1000 };
    world.harvest = (Harvest){ .arena = arena, .values = { .arena = arena }, .blocks = { .arena = arena } };
    uint64_t only = 0;
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], "each") == 0) {
            world.is_each = true;
        } else if (read_number(arguments[i], "only", &only)) {
            world.is_only = true;
            world.from = only;
        } else if (!read_number(arguments[i], "seed", &world.seed) && !read_number(arguments[i], "from", &world.from) &&
                   !read_number(arguments[i], "count", &world.count)) {
            die("`%s` is no argument", arguments[i]);
        }
    }
    return world;
}

int main(int count, char **arguments) {
    static char root[PATH_MAX];
    char scratch[] = "/tmp/mutate-XXXXXX";
    if (count < 2 || getcwd(root, sizeof root) == NULL) {
        die("usage: mutate FIXTURES [each] [seed=N] [from=N] [count=N] [only=N]");
    }
    World world = world_create(count, arguments);
    world.root = root;
    world.core = str_c(world.arena, str_format(world.arena, "%s/%s/core", root, arguments[1]));
    world.progress = mmap(NULL, sizeof *world.progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    world.scratch = mkdtemp(scratch);
    if (world.progress == MAP_FAILED || world.scratch == NULL) {
        die("cannot begin: no memory or no folder");
    }
    seeds_load(world.arena, arguments[1], &world.seeds, &world.harvest);
    if (world.seeds.count == 0) {
        die("no fixture under %s", arguments[1]);
    }
    uint64_t failures = 0;
    if (world.is_only) {
        try_number(&world, world.from);
    } else {
        failures = run_all(&world);
        printf("%" PRIu64 " mutants of %" PRIu32 " fixtures: %" PRIu64 " built, %" PRIu64 " refused, %" PRIu64
               " failed\n",
               world.progress->clean + world.progress->refused + failures, world.seeds.count, world.progress->clean,
               world.progress->refused, failures);
    }
    remove_tree(scratch);
    arena_destroy(world.arena);
    return failures == 0 ? 0 : 1;
}
