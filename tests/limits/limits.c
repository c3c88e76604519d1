// Holds inputs that ask for much against what they may take: each is written, given to dtc, and measured. Prints CPU
// time and peak memory for each input and command, and fails where a limit is exceeded. A short run has small inputs,
// each with a small part of the memory. It looks only at memory, which is the same on every machine, and not at time.
#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/str.h"
#include "compiler/driver/command/command.h"
#include "tests/support/measure.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILL = -1, // as often as there is room for
    INPUT_BYTES = 1024 * 1024,
    SHORT_BYTES = 64 * 1024,
    MEMORY_MIB_MAX = 256,
    MEMORY_MIB_SHORT = 64, // of a small input that does not multiply what it says
    TIME_MS_MAX = 2000,
    CPU_SECONDS_MAX = 20, // then the kernel ends it
    WORDS_MAX = 8,
    NAME_BYTES = 200,
    FILES_MAX = 6000,
    SHORT_PART = 16,
};

typedef struct {
    int times;
    const char *before;
    const char *repeated;
    const char *closing;
    const char *after;
} Shape;

typedef struct {
    const char *label;
    const char *options;
    Shape program;
    const char *foreign_name; // of a file that dtc only reads, with `program` in it; NULL: that is infra.dt
    int file_count;           // a folder has so many, each with `program.repeated`; 0: one file
    const char *data_name;    // NULL: no other file
    Shape data;
} Input;

#define TEXT(before_, repeated_, closing_, after_) \
    { .times = FILL, .before = before_, .repeated = repeated_, .closing = closing_, .after = after_ }
#define TEXT_TIMES(times_, before_, repeated_, closing_, after_) \
    { .times = times_, .before = before_, .repeated = repeated_, .closing = closing_, .after = after_ }
#define FILE_TEXT(name_, ...) .data_name = name_, .data = __VA_ARGS__
#define NONE .data_name = NULL
#define INPUT(label_, options_, program_, ...) \
    { .label = label_, .options = options_, .program = program_, __VA_ARGS__ },

#define FOLDER(label_, count_, text_) \
    { .label = label_,                \
      .options = "",                  \
      .foreign_name = "many",         \
      .file_count = count_,           \
      .program = { .before = "", .repeated = text_, .closing = "", .after = "" } },
#define FOREIGN(label_, name_, program_) { .label = label_, .options = "", .program = program_, .foreign_name = name_ },

static const Input INPUTS[] = {
#include "tests/limits/inputs.def"
#include "tests/limits/foreign.def"
};

static void add_numbered(StrBuf *out, const char *text, int number) {
    for (; *text != '\0'; text++) {
        if (*text == '@' || *text == '~') {
            strbuf_add_format(out, "%d", *text == '@' ? number : number - 1);
        } else {
            strbuf_add_char(out, *text);
        }
    }
}

static Str shape_text(Arena *arena, const Shape *shape, size_t bytes_max) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, str_of(shape->before));
    StrBuf closings = { .arena = arena };
    const size_t fixed = strlen(shape->before) + strlen(shape->after);
    for (int i = 1; shape->times == FILL || i <= shape->times; i++) {
        StrBuf piece = { .arena = arena };
        add_numbered(&piece, shape->repeated, i);
        if (strbuf_str(&out).len + strbuf_str(&closings).len + strbuf_str(&piece).len + strlen(shape->closing) + fixed >
            bytes_max) {
            break;
        }
        strbuf_add(&out, strbuf_str(&piece));
        strbuf_add(&closings, str_of(shape->closing));
    }
    strbuf_add(&out, strbuf_str(&closings));
    strbuf_add(&out, str_of(shape->after));
    return strbuf_str(&out);
}

static void write_shape(const char *path, const Shape *shape, size_t bytes_max) {
    Arena *arena = arena_create();
    const Str text = shape_text(arena, shape, bytes_max);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(text.data, 1, text.len, file) != text.len || fclose(file) != 0) {
        die("cannot write `%s`", path);
    }
    arena_destroy(arena);
}

// The files of another folder that is as large lie there no longer: the numbers of both begin at 1.
static void write_folder(const char *path, const Input *input, bool is_short) {
    Arena *arena = arena_create();
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        die("cannot make `%s`", path);
    }
    for (int i = 1; i <= FILES_MAX; i++) {
        const char *name = str_c(arena, str_format(arena, "%s/f%d.yaml", path, i));
        StrBuf text = { .arena = arena };
        add_numbered(&text, input->program.repeated, i);
        if (i > (is_short ? input->file_count / SHORT_PART : input->file_count)) {
            unlink(name);
            continue;
        }
        FILE *file = fopen(name, "w");
        if (file == NULL || fwrite(strbuf_str(&text).data, 1, text.len, file) != text.len || fclose(file) != 0) {
            die("cannot write `%s`", name);
        }
    }
    arena_destroy(arena);
}

typedef struct {
    const char *dtc;
    const char *only; // part of a label; NULL: all
    bool is_short;
    int run_count;
    int over_count;
} Limits;

// What is done with an input, and whether a short run does it.
typedef struct {
    const char *line;
    bool is_short;
} Deed;

enum { COMMANDS_MAX = 4 };

static const Deed COMMANDS[COMMANDS_MAX] = {
    { "check", true }, { "check --fix", false }, { "build -o out", false }, { "fmt --check", true }
};
static const Deed FOREIGN_COMMANDS[COMMANDS_MAX] = { { "lint", true }, { "lint --fix --diff", false } };

static bool multiplies(const Shape *shape) {
    const char *const parts[] = { shape->before, shape->repeated, shape->after };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strstr(parts[i], "for ") != NULL || strstr(parts[i], " like ") != NULL ||
            strstr(parts[i], "ForEach") != NULL || strstr(parts[i], "!Split") != NULL ||
            strstr(parts[i], "!Ref P }") != NULL || strstr(parts[i], "!If [C1") != NULL) {
            return true;
        }
    }
    return false;
}

// What an input may take. Loops and `like` make much of a small one, too, so that it may take all.
static int64_t memory_mib_max(const Limits *limits, const Input *input) {
    return limits->is_short && !multiplies(&input->program) ? MEMORY_MIB_SHORT : MEMORY_MIB_MAX;
}

static const char *file_of(const Input *input) {
    return input->foreign_name == NULL ? "infra.dt" : input->foreign_name;
}

static void run(Limits *limits, const Input *input, const char *command) {
    char line[NAME_BYTES];
    // The formatter reads no other file.
    const bool is_alone = str_starts_with(str_of(command), STR("fmt"));
    snprintf(line, sizeof(line), "%s %s %s", command, is_alone ? "" : input->options, file_of(input));
    const char *argv[WORDS_MAX + 2] = { limits->dtc };
    int count = 1;
    for (char *rest = line, *word = strsep(&rest, " "); word != NULL; word = strsep(&rest, " ")) {
        if (*word != '\0' && count <= WORDS_MAX) {
            argv[count++] = word;
        }
    }
    Cost cost;
    measure_run(argv, "output", &cost);
    const int64_t ms = (cost.user_us + cost.kernel_us) / 1000;
    const int64_t mib = cost.peak_kib / 1024;
    // It builds or is refused. One that crashes, or that the kernel ends for its time, took little only so far.
    const bool is_ended = cost.status == STATUS_CLEAN || cost.status == STATUS_ERRORS;
    const bool is_over = !is_ended || mib > memory_mib_max(limits, input) || (!limits->is_short && ms > TIME_MS_MAX);
    printf("%s %s: %s: ", is_over ? "not ok" : "ok", input->label, command);
    if (!is_ended) {
        printf("status %d, ", cost.status);
    }
    if (!limits->is_short) {
        printf("%.2f s, ", (double)ms / 1000);
    }
    printf("%" PRId64 " of %" PRId64 " MiB\n", mib, memory_mib_max(limits, input));
    limits->run_count++;
    limits->over_count += is_over;
}

static void run_all(Limits *limits) {
    const size_t bytes = limits->is_short ? SHORT_BYTES : INPUT_BYTES;
    for (size_t i = 0; i < COUNT_OF(INPUTS); i++) {
        const Input *input = &INPUTS[i];
        if (limits->only != NULL && strstr(input->label, limits->only) == NULL) {
            continue;
        }
        const Deed *commands = input->foreign_name == NULL ? COMMANDS : FOREIGN_COMMANDS;
        for (size_t c = 0; c < COMMANDS_MAX && commands[c].line != NULL; c++) {
            if (limits->is_short && !commands[c].is_short) {
                continue;
            }
            if (input->file_count > 0) {
                write_folder(file_of(input), input, limits->is_short);
            } else {
                write_shape(file_of(input), &input->program, bytes); // `--fix` may have changed it
            }
            if (input->data_name != NULL) {
                write_shape(input->data_name, &input->data, bytes);
            }
            run(limits, input, commands[c].line);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        die("usage: limits DTC FOLDER short|long [LABEL]");
    }
    Limits limits = { .dtc = realpath(argv[1], NULL), .is_short = strcmp(argv[3], "short") == 0, .only = argv[4] };
    if (limits.dtc == NULL || chdir(argv[2]) != 0) {
        die("`%s` or `%s` cannot be used", argv[1], argv[2]);
    }
    const struct rlimit seconds = { .rlim_cur = CPU_SECONDS_MAX, .rlim_max = CPU_SECONDS_MAX };
    if (setrlimit(RLIMIT_CPU, &seconds) != 0) {
        die("the time of children cannot be limited");
    }
    setvbuf(stdout, NULL, _IOLBF, 0); // a long run takes minutes
    run_all(&limits);
    printf("%d passed, %d failed, 0 skipped\n", limits.run_count - limits.over_count, limits.over_count);
    return limits.over_count > 0;
}
