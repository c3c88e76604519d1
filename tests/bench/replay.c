// The least that YAML files cost with libyaml, for comparison. `replay FOLDER [TIMES]` takes the templates that dtc
// wrote there. It reads the events of each once with libyaml's parser, with tags and styles as they stand. Then it
// times only the emission of all of them, TIMES times, into memory. What comes out is held against the files, byte for
// byte; so the events are those that a writer through libyaml would have been given. Prints the median of the CPU
// times.
#include "compiler/base/file.h"

#include "compiler/base/die.h"
#include "tests/support/events.h"

#include <dirent.h>
#include <time.h>

enum { REPLAYS_MAX = 16, FILE_BYTES_MAX = 64 * 1024 * 1024 };

void replay_events(const Events *events, StrBuf *out);

// Not static: callgrind is told to count between its beginning and its end.
__attribute__((noinline)) void replay_events(const Events *events, StrBuf *out) {
    events_write(events, out);
}

// ---- the folder ----------------------------------------------------------------------------------------------------

// libyaml writes no comments: the one on top is left out of the comparison.
static Str without_header(Str text) {
    while (text.len > 0 && text.data[0] == '#') {
        text = str_slice(text, str_find(text, STR("\n"), 0) + 1, text.len);
    }
    return text;
}

// libyaml quotes a text with a colon in flow style, `[!Ref 'AWS::Partition', aws]`, which no reader needs: quotes are
// left out of the comparison, too.
static Str without_quotes(Arena *arena, Str text) {
    char *copy = arena_alloc(arena, text.len);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        copy[len] = text.data[i];
        len += text.data[i] != '\'';
    }
    return (Str){ .data = copy, .len = len };
}

// Appends all templates to `expected`, their events to `events`; returns how many there are.
static int read_folder(Arena *arena, const char *folder, StrBuf *expected, Events *events) {
    DIR *files = opendir(folder);
    if (files == NULL) {
        die("cannot read `%s`", folder);
    }
    int count = 0;
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        if (!str_ends_with(str_of(file->d_name), STR(".yaml"))) {
            continue;
        }
        Str text;
        const char *fault = file_read(arena, str_format(arena, "%s/%s", folder, file->d_name), FILE_BYTES_MAX, &text);
        if (fault != NULL) {
            die("cannot read `%s`: %s", file->d_name, fault);
        }
        events_read(arena, text, events);
        strbuf_add(expected, without_header(text));
        count++;
    }
    closedir(files);
    return count;
}

static int64_t cpu_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) {
        die("there is no clock for CPU time");
    }
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare_times(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    const int replays = argc == 3 ? atoi(argv[2]) : 1;
    if (argc < 2 || argc > 3 || replays < 1 || replays > REPLAYS_MAX) {
        die("usage: replay FOLDER [TIMES]");
    }
    Arena *arena = arena_create();
    StrBuf expected = { .arena = arena };
    Events events = { 0 };
    if (read_folder(arena, argv[1], &expected, &events) == 0) {
        die("`%s` holds no templates", argv[1]);
    }
    int64_t times[REPLAYS_MAX];
    for (int i = 0; i < replays; i++) {
        Arena *scratch = arena_create();
        StrBuf out = { .arena = scratch };
        const int64_t before = cpu_ns();
        replay_events(&events, &out);
        times[i] = cpu_ns() - before;
        if (!str_equal(without_quotes(scratch, strbuf_str(&out)), without_quotes(scratch, strbuf_str(&expected)))) {
            die("`%s`: libyaml writes other bytes than dtc", argv[1]);
        }
        arena_destroy(scratch);
    }
    qsort(times, (size_t)replays, sizeof(times[0]), compare_times);
    printf("%lld ns, %u events, %zu bytes\n", (long long)times[replays / 2], events.count, expected.len);
    arena_destroy(arena);
    return 0;
}
