// From the text of a Dockerfile to its steps. The lines are made plain first: each one that goes on ends in `\`, and comments
// and empty lines in between are blanks. So a shell can read what stands behind RUN, and a place in the text is one in the file.
// source: https://docs.docker.com/reference/dockerfile/, 2026-11, read 2026-11
#include "compiler/readers/dockerfile/dockerfile_read.h"

#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_program.h"

typedef struct {
    Session *session;
    PlanDockerfile *file;
    char *text; // that of the file, which is made plain on the way
    size_t len;
    size_t at;
    char escape;
    bool has_other_shell;
    uint32_t settings; // of all steps so far
} Reader;

bool dockerfile_is_called(Str path) {
    const Str name = str_after_last(path, '/');
    static const char *const ENDINGS[] = {
        ".dockerignore", ".md", ".py", ".go", ".sh", ".txt", ".yaml", ".yml", ".json"
    };
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        if (str_ends_with(name, str_of(ENDINGS[i]))) {
            return false;
        }
    }
    return str_is(name, "Dockerfile") || str_is(name, "Containerfile") || str_starts_with(name, STR("Dockerfile.")) ||
           str_starts_with(name, STR("Containerfile.")) || str_ends_with(name, STR(".dockerfile")) ||
           str_ends_with(name, STR(".Dockerfile")) || str_ends_with(name, STR(".containerfile"));
}

bool dockerfile_is_of_training(Str text) {
    static const char *const WORDS[] = { "nccl",
                                         "NCCL",
                                         "efa_installer",
                                         "efa-installer",
                                         "libfabric",
                                         "nvidia/cuda",
                                         "nvcr.io/",
                                         "763104351884",
                                         "pytorch/pytorch",
                                         "gdrcopy",
                                         "aws-neuron",
                                         "neuronx",
                                         "FI_PROVIDER",
                                         "deep-learning-containers",
                                         "/opt/amazon/" };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_has(text, WORDS[i])) {
            return true;
        }
    }
    return false;
}

// ---- lines -------------------------------------------------------------------------------------------------------

static Str text_of(const Reader *reader) {
    return (Str){ .data = reader->text, .len = reader->len };
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t skip_blanks(const Reader *reader, size_t at) {
    while (at < reader->len && is_blank(reader->text[at])) {
        at++;
    }
    return at;
}

static size_t line_end(const Reader *reader, size_t at) {
    return str_find(text_of(reader), STR("\n"), at);
}

static bool is_comment_or_empty(const Reader *reader, size_t at) {
    const size_t first = skip_blanks(reader, at);
    return first >= reader->len || reader->text[first] == '\n' || reader->text[first] == '#';
}

static void blank(Reader *reader, size_t start, size_t end) {
    for (size_t i = start; i < end && i < reader->len; i++) {
        reader->text[i] = ' ';
    }
}

// Lines that nobody reads, which are as many ends of lines that go on; one blank where their length is odd.
static void drop(Reader *reader, size_t start, size_t end) {
    size_t at = start;
    if ((end - start) % 2 != 0) {
        reader->text[at++] = ' ';
    }
    for (; at + 1 < end; at += 2) {
        reader->text[at] = '\\';
        reader->text[at + 1] = '\n';
    }
}

// Whether the line goes on: then its last sign becomes `\`, right before the end.
static bool join(Reader *reader, size_t start, size_t end) {
    size_t last = end;
    while (last > start && is_blank(reader->text[last - 1])) {
        last--;
    }
    if (last == start || reader->text[last - 1] != reader->escape) {
        return false;
    }
    blank(reader, last - 1, end);
    if (end < reader->len) {
        reader->text[end - 1] = '\\';
    }
    return true;
}

// All lines of an instruction from `start` on; the end of the last one.
static size_t read_lines(Reader *reader, size_t start) {
    size_t at = start;
    for (;;) {
        const size_t end = line_end(reader, at);
        if (!join(reader, at, end) || end >= reader->len) {
            return end;
        }
        at = end + 1;
        while (at < reader->len && is_comment_or_empty(reader, at)) {
            const size_t next = line_end(reader, at);
            drop(reader, at, next < reader->len ? next + 1 : next);
            at = next < reader->len ? next + 1 : next;
        }
        if (at >= reader->len) {
            return reader->len;
        }
    }
}

// `# escape=` and `# syntax=` stand above all else.
static void read_directives(Reader *reader) {
    reader->escape = '\\';
    while (reader->at < reader->len && reader->text[reader->at] == '#') {
        const size_t end = line_end(reader, reader->at);
        const Str line = str_trim(str_slice(text_of(reader), reader->at + 1, end));
        const size_t sign = str_find(line, STR("="), 0);
        if (sign == line.len) {
            return;
        }
        if (str_is_in_any_case(str_trim(str_slice(line, 0, sign)), "escape")) {
            reader->escape = str_ends_with(line, STR("`")) ? '`' : '\\';
        }
        reader->at = end < reader->len ? end + 1 : end;
    }
}

// ---- here-documents ----------------------------------------------------------------------------------------------

// The next `<<WORD` of a text at or behind `*at`; empty where there is none. `<<<` begins another thing.
static Str next_end_word(Str text, size_t *at) {
    for (size_t sign = str_find(text, STR("<<"), *at); sign < text.len; sign = str_find(text, STR("<<"), sign + 1)) {
        if (str_at(text, sign + 2) == '<') {
            sign += 2;
            continue;
        }
        size_t start = sign + 2;
        while (str_at(text, start) == '-' || str_at(text, start) == '"' || str_at(text, start) == '\'') {
            start++;
        }
        size_t end = start;
        while (char_is_of_name(str_at(text, end)) && end < text.len) {
            end++;
        }
        *at = end;
        if (end > start && !char_is_digit(text.data[start])) {
            return str_slice(text, start, end);
        }
    }
    *at = text.len;
    return STR_NONE;
}

// Behind the line that is the word, from `at` on; the end of the text and false where there is none.
static bool skip_body(const Reader *reader, Str word, size_t *at) {
    const Str text = text_of(reader);
    while (*at < text.len) {
        const Str line = shell_line(text, *at);
        *at = shell_next_line(text, *at);
        if (str_equal(str_trim(line), word)) {
            return true;
        }
    }
    return false;
}

// The bodies behind the lines of a RUN or a COPY, which end at `end`; where they end.
static size_t read_bodies(Reader *reader, DockerStep *step, size_t end) {
    size_t behind = end < reader->len ? end + 1 : end;
    const Str lines = step->rest;
    size_t body_end = end;
    for (size_t at = 0; at < lines.len;) {
        const Str word = next_end_word(lines, &at);
        if (word.len == 0) {
            break;
        }
        size_t next = behind;
        if (!skip_body(reader, word, &next)) {
            step->open = docker_span(reader->file, word);
            return end;
        }
        behind = next;
        body_end = next;
    }
    return body_end;
}

// ---- words -------------------------------------------------------------------------------------------------------

static bool is_joint(Str text, size_t at) {
    return str_at(text, at) == '\\' && str_at(text, at + 1) == '\n';
}

// Whether a blank is what `drop` left.
static bool is_dropped(Str text, size_t at) {
    return at > 1 && is_joint(text, at - 2) && is_joint(text, at + 1);
}

// Lines are joined before words are told apart: `\` at the end of a line is no sign of a word, and ends none.
static size_t word_end(Str text, size_t at) {
    char quote = '\0';
    for (; at < text.len; at++) {
        const char c = text.data[at];
        if (quote == '\0' && (is_blank(c) || c == '\n') && !is_dropped(text, at)) {
            break;
        }
        if (c == '\\' && (quote != '\'' || is_joint(text, at))) {
            at++;
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        }
    }
    return at < text.len ? at : text.len;
}

// The next word of lines that go on; empty behind the last.
static Str next_word(Str text, size_t *at) {
    while (*at < text.len && (is_blank(text.data[*at]) || text.data[*at] == '\n' || is_joint(text, *at))) {
        (*at)++;
    }
    const size_t start = *at;
    *at = word_end(text, start);
    return str_slice(text, start, *at);
}

// A text from its next word on; its end where there is none.
static Str from_next_word(Str text) {
    size_t at = 0;
    const Str word = next_word(text, &at);
    return str_slice(text, word.len > 0 ? (size_t)(word.data - text.data) : text.len, text.len);
}

// A word of several lines as it is read.
static Str joined(Arena *arena, Str word) {
    const Str plain = str_replaced(arena, word, STR("\\\n \\\n"), STR(""));
    return str_has(plain, "\\\n") ? str_replaced(arena, plain, STR("\\\n"), STR("")) : plain;
}

static Str without_quotes(Arena *arena, Str of_lines) {
    const Str word = joined(arena, of_lines);
    const char first = str_at(word, 0);
    if (word.len > 1 && (first == '"' || first == '\'') && word.data[word.len - 1] == first &&
        str_find_sign(str_slice(word, 1, word.len - 1), first, 0) == word.len - 2) {
        return str_slice(word, 1, word.len - 1);
    }
    if (!str_has(word, "\"") && !str_has(word, "'")) {
        return word;
    }
    return str_replaced(arena, str_replaced(arena, word, STR("\""), STR("")), STR("'"), STR(""));
}

// ---- instructions ------------------------------------------------------------------------------------------------

static DockerKind kind_of(Str name) {
    const DockerInstruction *instruction;
    for (size_t i = 0; (instruction = docker_instruction(i)) != NULL; i++) {
        if (str_is_in_any_case(name, instruction->name)) {
            return instruction->kind;
        }
    }
    return DOCKER_NONE;
}

static void add_setting(const Reader *reader, DockerStep *step, Str word) {
    const size_t sign = str_find(word, STR("="), 0);
    const Str written = str_slice(word, sign + 1, word.len);
    const Str name = str_slice(word, 0, sign);
    Span span = docker_span(reader->file, written.len > 0 ? written : name);
    const Str value = without_quotes(reader->session->arena, written);
    if (value.len + 2 == joined(reader->session->arena, written).len) {
        span.start++;
        span.end--;
    }
    vec_push(reader->session->arena, &step->settings,
             (DockerSetting){ .name = name,
                              .value = value,
                              .has_value = sign < word.len,
                              .name_span = docker_span(reader->file, name),
                              .span = span });
}

// `ENV NAME all of the rest`
static void add_apart(const Reader *reader, DockerStep *step, Str name, Str rest) {
    const Str value = str_trim(rest);
    vec_push(reader->session->arena, &step->settings,
             (DockerSetting){ .name = name,
                              .value = value,
                              .has_value = true,
                              .is_apart = true,
                              .name_span = docker_span(reader->file, name),
                              .span = docker_span(reader->file, value.len > 0 ? value : name) });
}

static void read_settings(const Reader *reader, DockerStep *step) {
    size_t at = 0;
    for (Str word = next_word(step->rest, &at); word.len > 0; word = next_word(step->rest, &at)) {
        if (step->kind == DOCKER_ENV && step->settings.count == 0 && !str_has(word, "=")) {
            add_apart(reader, step, word, str_slice(step->rest, at, step->rest.len));
            return;
        }
        add_setting(reader, step, word);
    }
}

// Takes `--mount=… --from=…` from what stands behind the name.
static void take_options(DockerStep *step) {
    size_t at = 0;
    size_t done = 0;
    for (Str word = next_word(step->rest, &at); str_starts_with(word, STR("--")); word = next_word(step->rest, &at)) {
        done = at;
    }
    step->options = str_slice(step->rest, 0, done);
    step->rest = from_next_word(str_slice(step->rest, done, step->rest.len));
}

// `["a", "b"]`: the words with blanks in place of all that stands between them.
static void read_list(const Reader *reader, DockerStep *step) {
    const size_t start = (size_t)(step->rest.data - reader->text);
    bool is_quoted = false;
    for (size_t i = start; i < start + step->rest.len; i++) {
        const char c = reader->text[i];
        is_quoted = c == '"' ? !is_quoted : is_quoted;
        if (!is_quoted && (c == '[' || c == ']' || c == ',')) {
            reader->text[i] = ' ';
        }
    }
}

static void read_run(const Reader *reader, DockerStep *step, size_t lines_end, size_t end) {
    step->is_exec = str_at(step->rest, 0) == '[' && str_ends_with(str_trim(step->rest), STR("]"));
    if (step->is_exec) {
        read_list(reader, step);
    }
    const size_t start = step->rest.len > 0 ? (size_t)(step->rest.data - reader->text) : lines_end;
    step->script = str_slice(text_of(reader), start, end);
    if (str_starts_with(step->rest, STR("<<"))) { // the body alone is what is run
        const Str body = str_slice(text_of(reader), lines_end + 1, end);
        size_t last = body.len;
        while (last > 0 && (body.data[last - 1] == '\n' || is_blank(body.data[last - 1]))) {
            last--;
        }
        while (last > 0 && span_is_none(step->open) && body.data[last - 1] != '\n') {
            last--;
        }
        step->script = str_slice(body, 0, last);
    }
    step->is_read = !reader->has_other_shell && span_is_none(step->open) && step->script.len > 0 &&
                    shell_commands(reader->session->arena, step->script, &step->commands);
}

static void read_copy(const Reader *reader, DockerStep *step) {
    if (str_at(step->rest, 0) == '[') {
        read_list(reader, step);
    }
    size_t at = 0;
    for (Str word = next_word(step->rest, &at); word.len > 0; word = next_word(step->rest, &at)) {
        vec_push(reader->session->arena, &step->words, without_quotes(reader->session->arena, word));
    }
}

// ---- stages ------------------------------------------------------------------------------------------------------

static int find_stage(const PlanDockerfile *file, Str name) {
    for (uint32_t i = 0; i < file->stages.count; i++) {
        if (file->stages.items[i].name.len > 0 && str_equal_in_any_case(file->stages.items[i].name, name)) {
            return (int)i;
        }
    }
    return -1;
}

static void begin_stage(Reader *reader, const DockerStep *step) {
    PlanDockerfile *file = reader->file;
    Arena *arena = reader->session->arena;
    size_t at = 0;
    Str word = next_word(step->rest, &at);
    while (str_starts_with(word, STR("--"))) {
        word = next_word(step->rest, &at);
    }
    const bool has_name = str_is_in_any_case(next_word(step->rest, &at), "AS");
    Str image;
    const bool is_known = docker_fill(arena, file, file->steps.count, word, &image);
    const int parent = is_known ? find_stage(file, image) : -1;
    const DockerStage stage = { .name = has_name ? next_word(step->rest, &at) : STR_NONE,
                                .image = is_known && parent < 0 ? image : STR_NONE,
                                .written = word,
                                .span = docker_span(file, word.len > 0 ? word : step->rest),
                                .parent = parent,
                                .step = file->steps.count,
                                .end = file->steps.count + 1 };
    vec_push(arena, &file->stages, stage);
}

// ---- the file ----------------------------------------------------------------------------------------------------

static void read_step(Reader *reader, size_t start) {
    size_t lines_end = read_lines(reader, start);
    const Str text = str_slice(text_of(reader), start, lines_end);
    size_t at = 0;
    const Str name = next_word(text, &at);
    DockerStep step = { .kind = kind_of(name), .name = docker_span(reader->file, name) };
    step.rest = from_next_word(str_slice(text, at, text.len));
    size_t end = lines_end;
    if (step.kind == DOCKER_RUN || step.kind == DOCKER_COPY) {
        take_options(&step);
        end = read_bodies(reader, &step, lines_end);
    }
    if (step.kind == DOCKER_FROM) {
        begin_stage(reader, &step);
    }
    step.stage = (int)reader->file->stages.count - 1;
    step.whole = (Span){ .source = reader->file->source, .start = (uint32_t)start, .end = (uint32_t)end };
    switch (step.kind) {
    case DOCKER_ARG:
    case DOCKER_ENV:
        read_settings(reader, &step);
        break;
    case DOCKER_RUN:
        read_run(reader, &step, lines_end, end);
        break;
    case DOCKER_COPY:
        read_copy(reader, &step);
        break;
    case DOCKER_OTHER:
        reader->has_other_shell =
            reader->has_other_shell || (str_is_in_any_case(name, "SHELL") && !str_has(step.rest, "sh\""));
        break;
    case DOCKER_FROM:
    case DOCKER_NONE:
        break;
    }
    vec_push(reader->session->arena, &reader->file->steps, step);
    if (reader->file->stages.count > 0) {
        reader->file->stages.items[reader->file->stages.count - 1].end = reader->file->steps.count;
    }
    reader->at = end > lines_end ? end : lines_end < reader->len ? lines_end + 1 : lines_end;
}

// What is no Dockerfile begins with something else.
static bool begins_right(const Reader *reader) {
    size_t at = reader->at;
    while (at < reader->len && is_comment_or_empty(reader, at)) {
        at = shell_next_line(text_of(reader), at);
    }
    const Str line = str_slice(text_of(reader), at, line_end(reader, at));
    size_t behind = 0;
    const DockerKind kind = kind_of(next_word(line, &behind));
    return kind == DOCKER_FROM || kind == DOCKER_ARG;
}

const PlanDockerfile *dockerfile_read(Session *session, uint32_t source, const Subject *subject) {
    const Str written = source_get(session, source)->text;
    if (written.len > DOCKERFILE_BYTES_MAX) {
        return NULL;
    }
    Reader reader = { .session = session,
                      .text = arena_new_array(session->arena, char, written.len + 1),
                      .len = written.len };
    if (written.len > 0) {
        memcpy(reader.text, written.data, written.len);
    }
    PlanDockerfile *file = arena_new(session->arena, PlanDockerfile);
    *file = (PlanDockerfile){ .subject = subject, .source = source, .text = text_of(&reader) };
    reader.file = file;
    read_directives(&reader);
    if (!begins_right(&reader)) {
        return NULL;
    }
    while (reader.at < reader.len) {
        if (is_comment_or_empty(&reader, reader.at)) {
            reader.at = shell_next_line(text_of(&reader), reader.at);
            continue;
        }
        if (file->steps.count == DOCKERFILE_STEPS_MAX || file->stages.count > DOCKERFILE_STAGES_MAX ||
            reader.settings > DOCKERFILE_SETTINGS_MAX) {
            return NULL;
        }
        read_step(&reader, reader.at);
        reader.settings += file->steps.items[file->steps.count - 1].settings.count;
    }
    dockerfile_find_releases(session, file);
    return file;
}
