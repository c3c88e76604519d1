// A machine without memory: runs of dtc in which one allocation fails, and such in which all fail from one on, whoever
// asks for it: dtc, libfyaml, jansson, PCRE2, zlib, libc.
//
//   oom PROJECT [all]     a sample of the allocations, or all of them
//
// Each must end with 3 and `out of memory`, or, where nothing hangs on the allocation, as if it had not failed; and the
// output folder holds what it held, or all of the new. Each run is a fork of this process.
#include "compiler/base/file.h"

#include "compiler/base/die.h"
#include "compiler/base/vec.h"
#include "compiler/base/version.h"
#include "compiler/driver/command/command.h"
#include "tests/support/remove_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLE = 150, FAILURES_MAX = 20, SECONDS_MAX = 20, FILE_BYTES_MAX = 16 * 1024 * 1024, OPEN_FOLDERS_MAX = 16 };

// ---- allocations ----------------------------------------------------------------------------------------------------

// What dtc's own malloc() asks (compiler/driver/memory.c): the linker brings these calls here.
void *__real___libc_malloc(size_t size);
void *__real___libc_calloc(size_t count, size_t size);
void *__real___libc_realloc(void *old, size_t size);
void *__wrap___libc_malloc(size_t size);
void *__wrap___libc_calloc(size_t count, size_t size);
void *__wrap___libc_realloc(void *old, size_t size);

// Shared with the parent, which counts; replacements of malloc() get no context.
typedef struct {
    long calls;
    long fails_at; // 0: never
    bool fails_on; // all behind it fail too
    bool is_armed;
} Memory;

static Memory *memory;

static bool must_fail(void) {
    if (memory == NULL || !memory->is_armed) {
        return false;
    }
    memory->calls++;
    const bool fails = memory->fails_at > 0 &&
                       (memory->fails_on ? memory->calls >= memory->fails_at : memory->calls == memory->fails_at);
    errno = fails ? ENOMEM : errno;
    return fails;
}

void *__wrap___libc_malloc(size_t size) {
    return must_fail() ? NULL : __real___libc_malloc(size);
}

void *__wrap___libc_calloc(size_t count, size_t size) {
    return must_fail() ? NULL : __real___libc_calloc(count, size);
}

void *__wrap___libc_realloc(void *old, size_t size) {
    return must_fail() ? NULL : __real___libc_realloc(old, size);
}

// ---- one run --------------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    const char *arguments[16]; // the last is NULL
} Scenario;

#define INPUTS                                                                                               \
    "--params", "params.yaml", "--params", "params.json", "--schema", "types.json", "--schema", "rows.yaml", \
        "--facts", "facts.json"

static const Scenario SCENARIOS[] = {
    { "build", { "build", "--source-map", INPUTS } },
    { "check --fix --diff", { "check", "mistakes.dt", "--fix", "--diff" } },
    { "explain", { "explain", "out/train.cfn.yaml:30" } },
    { "lint", { "lint", "template.yaml", "params.yaml" } },
    { "lint --fix --diff", { "lint", "--fix", "--diff", "template.yaml" } },
    { "fmt --diff", { "fmt", "--diff", "mistakes.dt", "infra.dt" } },
};

typedef struct {
    int status; // as waitpid() has it
    Str out;
    Str err;
    Str tree; // of the output folder
} Result;

typedef struct {
    Arena *arena;
    int out;
    int err;
    Str old_tree; // what an earlier build left
} World;

static Str read_descriptor(Arena *arena, int file) {
    const off_t size = lseek(file, 0, SEEK_END);
    char *data = arena_alloc(arena, (size_t)size + 1);
    const ssize_t got = pread(file, data, (size_t)size, 0);
    return (Str){ .data = data, .len = got < 0 ? 0 : (size_t)got };
}

// nftw() hands its function no context.
static StrBuf *tree_buffer;

// Names and contents; files that were never completed have no name yet.
static int add_to_tree(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)place;
    if (type != FTW_F || strstr(path, ".dtc-") != NULL) {
        return 0;
    }
    Str content = STR_NONE;
    file_read(tree_buffer->arena, str_of(path), FILE_BYTES_MAX, &content);
    // The sum of a few large files would do, but this is shown where it differs.
    strbuf_add_format(tree_buffer, "%s %zu\n%.*s\n", path, content.len, STR_ARG(content));
    return 0;
}

static Str read_tree(Arena *arena) {
    StrBuf buffer = { .arena = arena };
    tree_buffer = &buffer;
    nftw("out", add_to_tree, OPEN_FOLDERS_MAX, FTW_PHYS);
    return strbuf_str(&buffer);
}

static void run_child(const World *world, const Scenario *scenario) {
    int count = 0;
    while (scenario->arguments[count] != NULL) {
        count++;
    }
    alarm(SECONDS_MAX);
    dup2(world->out, STDOUT_FILENO);
    dup2(world->err, STDERR_FILENO);
    memory->calls = 0;
    memory->is_armed = true;
    const ExitStatus status = command_main(DTC_VERSION, count, scenario->arguments);
    memory->is_armed = false;
    exit((int)status);
}

static Result run(const World *world, Arena *arena, const Scenario *scenario, long fails_at, bool fails_on) {
    memory->fails_at = fails_at;
    memory->fails_on = fails_on;
    if (ftruncate(world->out, 0) != 0 || ftruncate(world->err, 0) != 0 || lseek(world->out, 0, SEEK_SET) != 0 ||
        lseek(world->err, 0, SEEK_SET) != 0) {
        die("cannot empty a file");
    }
    const pid_t child = fork();
    if (child == 0) {
        run_child(world, scenario);
    }
    Result result = { 0 };
    if (child < 0 || waitpid(child, &result.status, 0) != child) {
        die("cannot run a child");
    }
    memory->is_armed = false;
    result.out = read_descriptor(arena, world->out);
    result.err = read_descriptor(arena, world->err);
    result.tree = read_tree(arena);
    return result;
}

static bool is_out_of_memory(const World *world, const Result *result, const Result *good) {
    return WIFEXITED(result->status) && WEXITSTATUS(result->status) == STATUS_FILES &&
           str_starts_with(result->err, STR("dtc: out of memory: ")) &&
           (str_equal(result->tree, world->old_tree) || str_equal(result->tree, good->tree));
}

static bool is_same(const Result *a, const Result *b) {
    return a->status == b->status && str_equal(a->out, b->out) && str_equal(a->err, b->err) &&
           str_equal(a->tree, b->tree);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// As an earlier build of other inputs left it.
static void restore(World *world) {
    static const Scenario EARLIER = { "", { "build", "--source-map", "-p", "team=other", INPUTS } };
    Arena *arena = arena_create();
    remove_tree("out");
    const Result result = run(world, arena, &EARLIER, 0, false);
    if (!WIFEXITED(result.status) || WEXITSTATUS(result.status) != 0) {
        die("the project does not build: %.*s", STR_ARG(result.err));
    }
    world->old_tree = world->old_tree.len > 0 ? world->old_tree : str_copy(world->arena, result.tree);
    arena_destroy(arena);
}

static long run_scenario(World *world, const Scenario *scenario, bool all, long *run_count) {
    restore(world);
    const Result good = run(world, world->arena, scenario, 0, false);
    const long calls = memory->calls;
    const long step = all || calls < SAMPLE ? 1 : calls / SAMPLE;
    restore(world);
    long failures = 0;
    for (int on = 0; on < 2; on++) {
        for (long i = 1; i <= calls && failures < FAILURES_MAX; i += step) {
            Arena *arena = arena_create();
            const Result result = run(world, arena, scenario, i, on == 1);
            (*run_count)++;
            if (!is_out_of_memory(world, &result, &good) && !is_same(&result, &good)) {
                failures++;
                const Str line = str_slice(result.err, 0, str_find(result.err, STR("\n"), 0));
                printf("not ok %s: allocation %ld of %ld%s: %s %d: %.*s\n", scenario->name, i, calls,
                       on == 1 ? " and all behind it" : "", WIFEXITED(result.status) ? "status" : "signal",
                       WIFEXITED(result.status) ? WEXITSTATUS(result.status) : WTERMSIG(result.status), STR_ARG(line));
                fflush(stdout);
            }
            const bool is_changed = !str_equal(result.tree, world->old_tree);
            arena_destroy(arena);
            if (is_changed) {
                restore(world);
            }
        }
    }
    if (failures == 0) {
        printf("ok %s: each of %ld allocations fails%s\n", scenario->name, calls,
               step == 1 ? "" : ", a sample of them");
    }
    return failures;
}

static void copy_project(Arena *arena, const char *project, const char *folder) {
    static const char *const FILES[] = { "infra.dt",   "mistakes.dt", "params.yaml", "params.json",
                                         "types.json", "rows.yaml",   "facts.json",  "template.yaml" };
    for (size_t i = 0; i < COUNT_OF(FILES); i++) {
        Str content;
        FILE *file = fopen(str_c(arena, str_format(arena, "%s/%s", folder, FILES[i])), "wb");
        if (file == NULL ||
            file_read(arena, str_format(arena, "%s/%s", project, FILES[i]), FILE_BYTES_MAX, &content) != NULL ||
            fwrite(content.data, 1, content.len, file) != content.len || fclose(file) != 0) {
            die("cannot copy %s", FILES[i]);
        }
    }
}

int main(int count, char **arguments) {
    World world = { .arena = arena_create(), .out = memfd_create("out", 0), .err = memfd_create("err", 0) };
    // Nothing is synced to a disk where there is memory for files.
    char scratch[] = "/dev/shm/oom-XXXXXX";
    char elsewhere[] = "/tmp/oom-XXXXXX";
    const char *folder = mkdtemp(scratch);
    folder = folder != NULL ? folder : mkdtemp(elsewhere);
    Memory *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count < 2 || folder == NULL || shared == MAP_FAILED || world.out < 0 || world.err < 0) {
        die("usage: oom PROJECT [all]");
    }
    copy_project(world.arena, arguments[1], folder);
    if (chdir(folder) != 0) {
        die("cannot enter %s", folder);
    }
    memory = shared;
    const bool all = count > 2 && strcmp(arguments[2], "all") == 0;
    long failures = 0;
    long runs = 0;
    for (size_t i = 0; i < COUNT_OF(SCENARIOS); i++) {
        failures += run_scenario(&world, &SCENARIOS[i], all, &runs);
    }
    remove_tree(folder);
    printf("%ld runs\n%zu passed, %ld failed, 0 skipped\n", runs, COUNT_OF(SCENARIOS), failures);
    return failures == 0 ? 0 : 1;
}
