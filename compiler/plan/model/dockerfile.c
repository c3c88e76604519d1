// Instructions begin a line. A backslash at the end of a line lets it go on, and `<<END` behind RUN, COPY or ADD begins a
// here-document (https://docs.docker.com/reference/dockerfile/, 2026-11).
#include "compiler/plan/model/dockerfile.h"

static bool next_raw_line(Str text, size_t *at, Str *line) {
    if (*at >= text.len) {
        return false;
    }
    const size_t end = str_find(text, STR("\n"), *at);
    *line = str_slice(text, *at, end);
    *at = end + 1;
    return true;
}

static bool goes_on(Str line) {
    return str_ends_with(str_trim(line), STR("\\"));
}

static bool is_comment(Str line) {
    const Str trimmed = str_trim(line);
    return trimmed.len == 0 || trimmed.data[0] == '#';
}

// The first word of a text, and what stands behind it.
static Str next_word(Str *rest) {
    const Str text = str_trim(*rest);
    size_t end = 0;
    while (end < text.len && text.data[end] != ' ' && text.data[end] != '\t') {
        end++;
    }
    *rest = str_trim(str_slice(text, end, text.len));
    return str_slice(text, 0, end);
}

// The word that ends a here-document, of `<<-"END"`; empty where there is none.
static Str end_word(Str line) {
    const size_t at = str_find(line, STR("<<"), 0);
    if (at == line.len) {
        return STR_NONE;
    }
    size_t start = at + 2;
    while (start < line.len && strchr("-\"'", line.data[start]) != NULL) {
        start++;
    }
    size_t end = start;
    while (end < line.len && strchr(" \t\"';&|)", line.data[end]) == NULL) {
        end++;
    }
    return str_slice(line, start, end);
}

bool docker_is(const DockerLine *line, const char *name) {
    const Str other = str_of(name);
    if (line->name.len != other.len) {
        return false;
    }
    for (size_t i = 0; i < other.len; i++) {
        if (char_small(line->name.data[i]) != char_small(other.data[i])) {
            return false;
        }
    }
    return true;
}

static void skip_here_document(Str text, size_t *at, Str word) {
    size_t next = *at;
    Str line;
    while (next_raw_line(text, &next, &line)) {
        if (str_equal(str_trim(line), word)) {
            *at = next;
            return;
        }
    }
}

bool docker_next(Str text, size_t *at, DockerLine *line) {
    Str raw;
    while (next_raw_line(text, at, &raw)) {
        if (is_comment(raw)) {
            continue;
        }
        line->rest = raw;
        line->name = next_word(&line->rest);
        while (goes_on(raw) || is_comment(raw)) { // comments may stand between
            if (!next_raw_line(text, at, &raw)) {
                break;
            }
        }
        const bool may_have = docker_is(line, "run") || docker_is(line, "copy") || docker_is(line, "add");
        const Str word = may_have ? end_word(line->rest) : STR_NONE;
        if (word.len > 0) {
            skip_here_document(text, at, word);
        }
        return true;
    }
    return false;
}

static Str image_word(Str rest, Str *behind) {
    Str word = next_word(&rest);
    while (str_starts_with(word, STR("--"))) {
        word = next_word(&rest);
    }
    *behind = rest;
    return word;
}

// Whether a stage before has the name.
static bool is_stage(Str text, const DockerLine *before, Str name) {
    DockerLine line;
    size_t at = 0;
    while (docker_next(text, &at, &line) && line.rest.data != before->rest.data) {
        Str behind;
        if (docker_is(&line, "from") && image_word(line.rest, &behind).len > 0) {
            (void)next_word(&behind); // AS
            if (str_equal(behind, name)) {
                return true;
            }
        }
    }
    return false;
}

Str docker_from(Str text, const DockerLine *line) {
    Str behind;
    const Str image = image_word(line->rest, &behind);
    const bool is_known = str_find(image, STR("$"), 0) == image.len && !str_is(image, "\\");
    return is_known && !str_is(image, "scratch") && !is_stage(text, line, image) ? image : STR_NONE;
}

// An ARG may have a default, and one line may have several.
bool docker_takes(Str text, Str name) {
    DockerLine line;
    for (size_t at = 0; docker_next(text, &at, &line);) {
        Str rest = docker_is(&line, "arg") ? line.rest : STR_NONE;
        while (rest.len > 0) {
            const Str word = next_word(&rest);
            if (str_equal(str_slice(word, 0, str_find(word, STR("="), 0)), name)) {
                return true;
            }
        }
    }
    return false;
}
