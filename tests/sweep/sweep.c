// Gives each key of each file that dtc lints the values that people and generators leave there: null, what is empty, a
// wrong type, an intrinsic function, nothing. Each variant is read, judged and printed. None may crash or hang.
//
//   sweep FOLDER [same=N] [each=N] [pairs=N] [seed=N]     every Nth variant, and N of each file with two changes
//   sweep FOLDER only=FILE:N                              that one alone, in this process, printed before
//
// Many files have the same key at the same place of the same kind of thing: `same` says in how many of them it is changed
// (0: in all).
//
// Variants run in a child, many in each, which is started anew behind one that crashed.
#include "compiler/base/diag/prose.h"
#include "compiler/base/die.h"
#include "compiler/base/file.h"
#include "compiler/base/str_map.h"
#include "compiler/base/yaml_read.h"
#include "compiler/driver/lint/lint_file.h"
#include "compiler/driver/render/render.h"
#include "tests/mutate/random.h"

#include <fts.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FILE_BYTES_MAX = 32 * 1024, // of a fixture: a larger one holds one thing again and again
    SECONDS_MAX = 20,           // for one variant
    FAILURES_MAX = 100,         // then the rest is not worth waiting for
    FORM_COUNT = DIAGNOSTICS_JUNIT + 1,
};

// As flow style, which stands in block style, in flow style and in JSON alike.
static const char *const VALUES[] = {
    "null",
    "[]",
    "{}",
    "\"\"",
    "-1",
    "0",
    "\"x\"",
    "true",
    "1.5",
    "9223372036854775807",
    "[\"x\"]",
    "{\"x\": \"y\"}",
    "[null]",
    "[[]]",
    "[{}]",
    "{\"Ref\": \"X\"}",
    "{\"Fn::If\": [\"C\", \"a\", {\"Ref\": \"AWS::NoValue\"}]}",
};

enum { CHANGE_COUNT = COUNT_OF(VALUES) + 1 }; // the last one: the entry or the item is not there

// An entry of a map, or an item of a list.
typedef struct {
    uint32_t start;
    uint32_t key_end; // of an entry, behind its key; `start` of an item
    uint32_t end;
    Str path;      // the keys that lead there, with the types of resources and objects in the place of their names
    bool is_known; // enough other files have the same key there
} Spot;

typedef VEC(Spot) Spots;

typedef struct {
    Str path;
    Str text;
    Spots places;
} Seed;

typedef struct {
    Arena *arena;
    VEC(Seed) seeds;
    uint64_t same;
    uint64_t each;
    uint32_t pairs;
    uint64_t seed;
} World;

// What the child says of its work; shared.
typedef struct {
    uint32_t file;
    uint32_t number; // of the variant at hand
    uint64_t index;  // over all files
    uint64_t run_count;
    uint64_t silent_count; // nothing was said of so many
} Progress;

// ---- places --------------------------------------------------------------------------------------------------------

// A resource is called by its type, and an object of Kubernetes by its kind.
static Str name_of(const Data *data, Str key) {
    const Str type = data_text(data, "Type");
    const Str kind = data_text(data, "kind");
    return str_find(type, STR("::"), 0) < type.len ? type : kind.len > 0 ? kind : key;
}

// Where keys are names that an author chose.
static bool has_names(Str path) {
    static const char *const SECTIONS[] = { "/Parameters", "/Conditions", "/Outputs", "/Mappings", "/Rules" };
    for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
        if (str_is(path, SECTIONS[i])) {
            return true;
        }
    }
    return false;
}

static void walk(Arena *arena, Spots *places, const Data *data, Str path) {
    for (uint32_t i = 0; i < data->count; i++) {
        const Data *value = data->kind == DATA_MAP ? data->entries[i].value : data->items[i];
        const Span key = data->kind == DATA_MAP ? data->entries[i].key_span : value->span;
        if (span_is_none(key) || span_is_none(value->span) || value->span.start < key.start) {
            continue; // of an alias
        }
        const Str name = name_of(value, data->kind == DATA_LIST ? STR("[]")
                                        : has_names(path)       ? STR("*")
                                                                : data->entries[i].key);
        const Str inner = str_format(arena, "%.*s/%.*s", STR_ARG(path), STR_ARG(name));
        vec_push(arena, places,
                 ((Spot){ .start = key.start,
                          .key_end = data->kind == DATA_MAP ? key.end : key.start,
                          .end = value->span.end > key.end ? value->span.end : key.end,
                          .path = inner }));
        walk(arena, places, value, inner);
    }
}

static Spots places_of(Arena *arena, Str text) {
    Spots places = { 0 };
    Session *session = session_create();
    YamlDocuments documents = { 0 };
    yaml_read_documents(session, source_add(session, STR("seed.yaml"), text), &documents);
    for (uint32_t i = 0; i < documents.count; i++) {
        walk(arena, &places, documents.items[i], name_of(documents.items[i], STR_NONE));
    }
    session_destroy(session);
    return places;
}

// ---- changes -------------------------------------------------------------------------------------------------------

static uint32_t skip_blanks(Str text, uint32_t at) {
    while (at < text.len && (text.data[at] == ' ' || text.data[at] == '\n')) {
        at++;
    }
    return at;
}

// A quote around a key is not part of its span in every form.
static uint32_t behind_colon(Str text, uint32_t at) {
    while (at < text.len && text.data[at] != ':' && text.data[at] != '\n') {
        at++;
    }
    return at < text.len && text.data[at] == ':' ? at + 1 : at;
}

static Str without(Arena *arena, Str text, Spot place) {
    uint32_t start = place.start;
    uint32_t end = place.end;
    const bool is_quoted =
        start > 0 && end < text.len && place.key_end == start && text.data[start - 1] == '"' && text.data[end] == '"';
    start -= is_quoted ? 1 : 0;
    end += is_quoted ? 1 : 0;
    const uint32_t next = skip_blanks(text, end);
    uint32_t before = start;
    while (before > 0 && (text.data[before - 1] == ' ' || text.data[before - 1] == '\n')) {
        before--;
    }
    if (next < text.len && text.data[next] == ',') {
        end = next + 1;
    } else if (before > 0 && text.data[before - 1] == ',') {
        start = before - 1;
    }
    return str_format(arena, "%.*s%.*s", STR_ARG(str_slice(text, 0, start)), STR_ARG(str_slice(text, end, text.len)));
}

static Str changed(Arena *arena, Str text, Spot place, uint32_t change) {
    if (change == COUNT_OF(VALUES)) {
        return without(arena, text, place);
    }
    const bool is_entry = place.key_end > place.start;
    const uint32_t from = is_entry ? behind_colon(text, place.key_end) : place.start;
    return str_format(arena, "%.*s %s%.*s", STR_ARG(str_slice(text, 0, from)), VALUES[change],
                      STR_ARG(str_slice(text, place.end > from ? place.end : from, text.len)));
}

// The later place first, so that the other one stays where it is.
static Str changed_twice(const World *world, Arena *arena, const Seed *seed, const Spots *places, uint32_t number) {
    Random random = random_start(world->seed * UINT64_C(1000003) + number + seed->text.len);
    const uint32_t one = random_below(&random, places->count);
    const uint32_t other = random_below(&random, places->count);
    const uint32_t late = one > other ? one : other;
    const uint32_t early = one > other ? other : one;
    const Str text = changed(arena, seed->text, places->items[late], random_below(&random, CHANGE_COUNT));
    const bool is_apart = places->items[early].end < places->items[late].start;
    return is_apart ? changed(arena, text, places->items[early], random_below(&random, CHANGE_COUNT)) : text;
}

// ---- one variant ---------------------------------------------------------------------------------------------------

static void judge(Progress *progress, const Seed *seed, Str text, bool is_shown) {
    Session *session = session_create();
    const uint32_t source = source_add(session, seed->path, text);
    Beside beside = { .arena = session->arena };
    const ForeignFile other = lint_offer(session, source, FOREIGN_NONE);
    beside_add(&beside, session, STR("other.yaml"), &other);
    lint_file(session, source, FOREIGN_NONE, &beside);
    progress->silent_count += session->diags.items.count == 0 ? 1 : 0;
    diags_complete(session);
    const Str shown = render_diagnostics(session, (DiagnosticsFormat)(progress->run_count % FORM_COUNT), 0);
    if (is_shown) {
        printf("%.*s", STR_ARG(shown));
    }
    session_destroy(session);
}

static void run_one(const World *world, Progress *progress, bool is_shown) {
    const Seed *seed = &world->seeds.items[progress->file];
    const Spots *places = &seed->places;
    const uint32_t number = progress->number;
    Arena *arena = arena_create();
    const uint32_t singles = places->count * CHANGE_COUNT;
    const Str text = number < singles
                         ? changed(arena, seed->text, places->items[number / CHANGE_COUNT], number % CHANGE_COUNT)
                         : changed_twice(world, arena, seed, places, number);
    if (is_shown) {
        printf("---- %.*s, variant %" PRIu32 "\n%.*s\n----\n", STR_ARG(seed->path), number, STR_ARG(text));
        fflush(stdout);
    }
    progress->run_count++;
    alarm(SECONDS_MAX);
    judge(progress, seed, text, is_shown);
    alarm(0);
    arena_destroy(arena);
}

// Every Nth, in an order that has nothing to do with that of the changes.
static bool is_taken(const World *world, uint64_t index) {
    Random random = random_start(index + world->seed);
    return world->each <= 1 || random_below(&random, (uint32_t)world->each) == 0;
}

// From the variant at hand to the last one of all files.
static void work(const World *world, Progress *progress) {
    for (; progress->file < world->seeds.count; progress->file++, progress->number = 0) {
        const Spots *places = &world->seeds.items[progress->file].places;
        const uint32_t singles = places->count * CHANGE_COUNT;
        const uint32_t count = singles == 0 ? 0 : singles + world->pairs;
        for (; progress->number < count; progress->number++) {
            if (progress->number < singles && places->items[progress->number / CHANGE_COUNT].is_known) {
                continue;
            }
            progress->index++;
            if (is_taken(world, progress->index)) {
                run_one(world, progress, false);
            }
        }
    }
}

// ---- children ------------------------------------------------------------------------------------------------------

static uint32_t run_all(const World *world, Progress *progress) {
    uint32_t failures = 0;
    while (failures < FAILURES_MAX && progress->file < world->seeds.count) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            work(world, progress);
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            die("cannot run a child");
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            const Str path = world->seeds.items[progress->file].path;
            printf("not ok %.*s, variant %" PRIu32 ": %s %d; again with: only=%.*s:%" PRIu32 "\n", STR_ARG(path),
                   progress->number, WIFSIGNALED(status) ? "signal" : "exit status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), STR_ARG(path), progress->number);
            failures++;
            progress->number++;
        }
    }
    return failures;
}

// ---- command line --------------------------------------------------------------------------------------------------

static int compare_entries(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_seed(World *world, const char *path) {
    Str text;
    size_t bad;
    if (file_read(world->arena, str_of(path), FILE_BYTES_MAX, &text) == NULL && str_is_utf8(text, &bad) &&
        memchr(text.data, 0, text.len) == NULL && !str_starts_with(text, STR("\xEF\xBB\xBF"))) {
        vec_push(world->arena, &world->seeds, ((Seed){ .path = str_copy(world->arena, str_of(path)), .text = text }));
    }
}

// How many files have a key at a place.
typedef struct {
    uint64_t files;
    const Seed *last;
} Known;

static void find_places(World *world) {
    StrMap known = { .arena = world->arena };
    for (uint32_t i = 0; i < world->seeds.count; i++) {
        Seed *seed = &world->seeds.items[i];
        seed->places = places_of(world->arena, seed->text);
        for (uint32_t k = 0; k < seed->places.count && world->same > 0; k++) {
            Spot *place = &seed->places.items[k];
            Known *met = str_map_get_mutable(&known, place->path);
            if (met == NULL) {
                met = arena_new(world->arena, Known);
                str_map_add(&known, place->path, met);
            }
            met->files += met->last == seed ? 0 : 1;
            place->is_known = met->last == seed || met->files > world->same;
            met->last = seed;
        }
    }
}

static void load(World *world, const char *folder) {
    char *const roots[] = { (char *)(uintptr_t)folder, NULL };
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
    if (tree == NULL) {
        die("cannot read %s", folder);
    }
    for (FTSENT *entry = fts_read(tree); entry != NULL; entry = fts_read(tree)) {
        const Str name = str_of(entry->fts_name);
        if (entry->fts_info == FTS_F && (str_ends_with(name, STR(".yaml")) || str_ends_with(name, STR(".json")))) {
            add_seed(world, entry->fts_path);
        }
    }
    fts_close(tree);
    find_places(world);
}

static bool read_number(const char *argument, const char *name, uint64_t *value) {
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=') {
        return false;
    }
    char *end;
    *value = strtoull(argument + length + 1, &end, 10);
    return *end == '\0';
}

static void run_only(const World *world, Progress *progress, const char *wanted) {
    const char *colon = strrchr(wanted, ':');
    if (colon == NULL) {
        die("`only` takes FILE:NUMBER");
    }
    const Str path = { .data = wanted, .len = (size_t)(colon - wanted) };
    for (uint32_t i = 0; i < world->seeds.count; i++) {
        if (str_equal(world->seeds.items[i].path, path)) {
            progress->file = i;
            progress->number = (uint32_t)strtoul(colon + 1, NULL, 10);
            run_one(world, progress, true);
            return;
        }
    }
    die("there is no file `%.*s`", STR_ARG(path));
}

int main(int count, char **arguments) {
    World world = { .arena = arena_create(), .each = 1, .seed = 1 };
    uint64_t pairs = 0;
    const char *only = NULL;
    for (int i = 2; i < count; i++) {
        if (strncmp(arguments[i], "only=", strlen("only=")) == 0) {
            only = arguments[i] + strlen("only=");
        } else if (!read_number(arguments[i], "same", &world.same) && !read_number(arguments[i], "each", &world.each) &&
                   !read_number(arguments[i], "pairs", &pairs) && !read_number(arguments[i], "seed", &world.seed)) {
            die("`%s` is no argument", arguments[i]);
        }
    }
    world.pairs = (uint32_t)pairs;
    Progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count < 2 || progress == MAP_FAILED) {
        die("usage: sweep FOLDER [same=N] [each=N] [pairs=N] [seed=N] [only=FILE:N]");
    }
    load(&world, arguments[1]);
    if (world.seeds.count == 0) {
        die("no file under %s", arguments[1]);
    }
    uint32_t failures = 0;
    if (only != NULL) {
        run_only(&world, progress, only);
    } else {
        failures = run_all(&world, progress);
        printf("%" PRIu64 " variants of %" PRIu32 " files (%" PRIu64 " in all): %" PRIu64 " with messages, %" PRIu64
               " without, %" PRIu32 " crashed\n",
               progress->run_count, world.seeds.count, progress->index,
               progress->run_count - progress->silent_count - failures, progress->silent_count, failures);
    }
    arena_destroy(world.arena);
    return failures == 0 && progress->run_count > 0 ? 0 : 1;
}
