// Writes a Dockerfile. Each instruction is one line, whatever the author's texts hold. How Docker reads a line depends on
// the instruction (https://docs.docker.com/reference/dockerfile/; moby/buildkit frontend/dockerfile/parser, 2026-11):
//
// - Where JSON is allowed, nothing in a string of it means anything to Docker, but for COPY, which looks for variables and
//   patterns. Paths with their signs are a rule's (DT1562).
// - ENV has no JSON. Between single quotes nothing means anything but the single quote. A value with one of those stands
//   between double quotes.
// - RUN gives the rest of its line to a shell. A text that Docker would read differently is JSON.
#include "emitters/image/image.h"

#include "compiler/base/json.h"

#define COLLECTIVE_IN_IMAGE "/usr/local/bin/dtc-collective"

// Between double quotes `\`, `"` and `$` mean something, unless a backslash stands before them.
static void add_value(StrBuf *out, Str value) {
    const bool is_double = str_find(value, STR("'"), 0) < value.len;
    const char quote = is_double ? '"' : '\'';
    strbuf_add_char(out, quote);
    for (size_t i = 0; i < value.len; i++) {
        const char c = value.data[i];
        strbuf_add(out, is_double && strchr("\\\"$", c) != NULL ? STR("\\") : STR_NONE);
        strbuf_add_char(out, c);
    }
    strbuf_add_char(out, quote);
}

static void add_env(StrBuf *out, const PlanRecipe *recipe) {
    for (uint32_t i = 0; i < recipe->env->map.count; i++) {
        const ValueEntry *entry = &recipe->env->map.entries[i];
        strbuf_add_format(out, "ENV %.*s=", STR_ARG(entry->key));
        add_value(out, entry->value->string);
        strbuf_add_char(out, '\n');
    }
}

static void add_json(StrBuf *out, const Str *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add(out, i == 0 ? STR("[") : STR(", "));
        json_add_string(out, words[i]);
    }
    strbuf_add(out, count == 0 ? STR("[]\n") : STR("]\n"));
}

// A folder's content goes into the folder of the same name.
static void add_files(Arena *arena, StrBuf *out, const PlanRecipe *recipe) {
    for (uint32_t i = 0; i < recipe->copied.count; i++) {
        const PlanCopied *copied = &recipe->copied.items[i];
        const char *end = copied->is_folder ? "/" : "";
        const Str words[] = { str_format(arena, "%.*s%s", STR_ARG(copied->path), end),
                              str_format(arena, "/%.*s%s", STR_ARG(copied->path), end) };
        strbuf_add(out, STR("COPY "));
        add_json(out, words, COUNT_OF(words));
    }
}

// Docker takes blanks of all scripts away at both ends.
static bool is_ascii(char c) {
    return (unsigned char)c < 0x80;
}

// Whether a shell gets the text as it is from behind RUN: Docker trims it, looks for options and JSON at its beginning,
// for here-documents in it, and for a backslash at its end.
static bool is_plain(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return false;
        }
    }
    const char first = str_at(text, 0);
    const char last = text.len == 0 ? '\0' : text.data[text.len - 1];
    return strchr(" \t[-#", first) == NULL && strchr(" \t\\", last) == NULL && is_ascii(first) && is_ascii(last) &&
           str_find(text, STR("<<"), 0) == text.len;
}

static void add_run(Arena *arena, StrBuf *out, const PlanRecipe *recipe) {
    StrBuf mounts = { .arena = arena };
    StrBuf exports = { .arena = arena };
    for (uint32_t i = 0; i < recipe->build_env->list.count; i++) {
        const Str name = recipe->build_env->list.items[i]->string;
        strbuf_add_format(&mounts, "--mount=type=secret,id=%.*s,required=true ", STR_ARG(name));
        strbuf_add_format(&exports, "export %.*s=\"$(cat /run/secrets/%.*s)\"; ", STR_ARG(name), STR_ARG(name));
    }
    for (uint32_t i = 0; i < recipe->run->list.count; i++) {
        const Str text =
            str_format(arena, "%.*s%.*s", STR_ARG(strbuf_str(&exports)), STR_ARG(recipe->run->list.items[i]->string));
        strbuf_add_format(out, "RUN %.*s", STR_ARG(strbuf_str(&mounts)));
        if (is_plain(text)) {
            strbuf_add_format(out, "%.*s\n", STR_ARG(text));
        } else {
            const Str words[] = { STR("/bin/sh"), STR("-c"), text };
            add_json(out, words, COUNT_OF(words));
        }
    }
}

// The entry point of a Deep Learning Container is `eval "$@"`: a shell would read the words of a command once more, and
// a script among them would fall apart (aws/deep-learning-containers, start_with_right_hostname.sh, 2026-08).
static void add_entry(StrBuf *out, const PlanRecipe *recipe) {
    strbuf_add(out, recipe->has_no_entry ? STR("ENTRYPOINT []\n") : STR_NONE);
}

static void add_command(Arena *arena, StrBuf *out, const PlanRecipe *recipe) {
    if (recipe->command == NULL) {
        return;
    }
    const uint32_t count = recipe->command->list.count;
    Str *words = arena_new_array(arena, Str, count);
    for (uint32_t i = 0; i < count; i++) {
        words[i] = recipe->command->list.items[i]->string;
    }
    strbuf_add(out, STR("CMD "));
    add_json(out, words, count);
}

static void add_collective(StrBuf *out, const PlanRecipe *recipe) {
    static const Str WORDS[] = { { .data = COLLECTIVE_IN_CONTEXT, .len = sizeof(COLLECTIVE_IN_CONTEXT) - 1 },
                                 { .data = COLLECTIVE_IN_IMAGE, .len = sizeof(COLLECTIVE_IN_IMAGE) - 1 } };
    if (recipe->has_collective) {
        strbuf_add(out, STR("COPY "));
        add_json(out, WORDS, COUNT_OF(WORDS));
    }
}

// It stands behind the author's text, in the last stage, which is the image.
static Str with_collective(Arena *arena, const PlanRecipe *recipe) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, recipe->dockerfile->string);
    strbuf_add(&out, str_ends_with(recipe->dockerfile->string, STR("\n")) ? STR_NONE : STR("\n"));
    add_collective(&out, recipe);
    return strbuf_str(&out);
}

Str image_dockerfile(Session *session, const Plan *plan, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    Arena *arena = session->arena;
    if (recipe->dockerfile != NULL) {
        return recipe->has_collective ? with_collective(arena, recipe) : recipe->dockerfile->string;
    }
    StrBuf out = { .arena = arena };
    strbuf_add_format(&out, "# %.*s\n", STR_ARG(emitter_header(arena, session, plan)));
    strbuf_add_format(&out, "FROM %.*s\n", STR_ARG(recipe->from));
    add_env(&out, recipe);
    add_files(arena, &out, recipe);
    add_run(arena, &out, recipe);
    add_collective(&out, recipe);
    add_entry(&out, recipe);
    add_command(arena, &out, recipe);
    return strbuf_str(&out);
}
