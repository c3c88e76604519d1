// Asks the table of options how they are spelled. Inside of a name `-` may be `_`.
#include "compiler/plan/model/launcher_option.h"

static const LauncherOption OPTIONS[] = {
#define OPTION(field, program, name, with) { LAUNCHER_OPTION(field), program, name, with },
#include "compiler/plan/model/launcher.def"
};

static const LauncherWord WORDS[] = {
#define WORD(program, name, words, job) { program, name, words, job },
#include "compiler/plan/model/launcher.def"
};

const LauncherOption *launcher_option_row(size_t i) {
    return i < COUNT_OF(OPTIONS) ? &OPTIONS[i] : NULL;
}

const char *launcher_option_name(size_t field) {
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        if (OPTIONS[i].field == field) {
            return OPTIONS[i].name;
        }
    }
    return "";
}

// Whether the name stands at a place of a text, in either spelling.
static bool is_at(Str text, size_t at, const char *name) {
    size_t i = 0;
    for (; name[i] != '\0'; i++) {
        const char c = str_at(text, at + i);
        if (c != name[i] && (strchr("-_", name[i]) == NULL || (c != '-' && c != '_'))) {
            return false;
        }
    }
    return true;
}

static const char *bare(const char *name) {
    return name + strspn(name, "-");
}

size_t launcher_option_starts(Str text, size_t field) {
    for (size_t i = 0; str_at(text, 0) == '-' && i < COUNT_OF(OPTIONS); i++) {
        const size_t len = strlen(OPTIONS[i].name);
        const size_t dashes = len - strlen(bare(OPTIONS[i].name));
        const bool is_it = OPTIONS[i].field == field && str_starts_with(text, str_slice(STR("--"), 0, dashes)) &&
                           is_at(text, dashes, bare(OPTIONS[i].name));
        if (is_it && (text.len == len || text.data[len] == '=')) {
            return len;
        }
    }
    return 0;
}

bool launcher_option_ends(Str text, size_t field) {
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        const size_t len = strlen(bare(OPTIONS[i].name));
        if (OPTIONS[i].field == field && text.len >= len && is_at(text, text.len - len, bare(OPTIONS[i].name))) {
            return true;
        }
    }
    return false;
}

// Whether a text ends with an option whose value comes next: `--rdzv_conf`, and not `--standalone` or `--nnodes=2`.
static bool ends_with_option(Str text) {
    size_t end = text.len;
    while (end > 0 && strchr(" \t\n\\\"'", text.data[end - 1]) != NULL) {
        end--;
    }
    size_t start = end;
    while (start > 0 && (char_is_of_name(text.data[start - 1]) || text.data[start - 1] == '-')) {
        start--;
    }
    const Str word = str_slice(text, start, end);
    const LauncherWord *known = launcher_word(PROGRAM_TORCHRUN, word);
    return str_at(word, 0) == '-' && (known == NULL || known->words > 0);
}

// Whether what has the name of an option, without its `-`, is a part of the value of another one:
// `--rdzv_conf "rdzv_backend=c10d,rdzv_endpoint=…"`.
static bool is_in_value(const PlanLauncher *launcher, uint32_t word, size_t at) {
    const Str text = launcher->words.items[word].text;
    const Str before = str_slice(text, 0, at);
    const char last = str_at(before, at - (at > 0 ? 1 : 0));
    if (at == 0) {
        return word > 0 && ends_with_option(launcher->words.items[word - 1].text);
    }
    if (strchr("\"'", last) != NULL && at > 1 && before.data[at - 2] == '=') {
        return true;
    }
    return strchr("=,/", last) != NULL || (strchr(" \t\n\"'", last) != NULL && ends_with_option(before));
}

static bool is_in(const PlanLauncher *launcher, uint32_t word, const char *name) {
    const Str text = launcher->words.items[word].text;
    bool is = false;
    for (size_t at = 0; !is && at < text.len; at++) {
        is = is_at(text, at, name) && !is_in_value(launcher, word, at);
    }
    return is;
}

bool launcher_option_is_said(const PlanLauncher *launcher, size_t field) {
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        for (uint32_t k = 0; OPTIONS[i].field == field && k < launcher->words.count; k++) {
            if (is_in(launcher, k, bare(OPTIONS[i].name))) {
                return true;
            }
        }
    }
    return false;
}

Str launcher_option_spelling(const Session *session, const PlanField *field) {
    const Str written = source_text(session, field->key);
    const bool is_plain = written.len == strlen(field->name) && is_at(written, 0, field->name);
    return is_plain ? written : str_of(field->name);
}

const char *launcher_option_program(const PlanField *field) {
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        if (strcmp(OPTIONS[i].name, field->name) == 0 && OPTIONS[i].program != PROGRAM_ANY) {
            return launcher_program_name(OPTIONS[i].program);
        }
    }
    return launcher_program_name(PROGRAM_TORCHRUN);
}

const LauncherWord *launcher_word_row(size_t i) {
    return i < COUNT_OF(WORDS) ? &WORDS[i] : NULL;
}

const LauncherWord *launcher_word(PlanProgram program, Str word) {
    const size_t dashes = str_starts_with(word, STR("--")) ? 2 : 1;
    const Str given = str_slice(word, dashes, str_find(word, STR("="), 0));
    for (size_t i = 0; str_starts_with(word, STR("-")) && i < COUNT_OF(WORDS); i++) {
        if (WORDS[i].program == program && given.len == strlen(WORDS[i].name) && is_at(given, 0, WORDS[i].name)) {
            return &WORDS[i];
        }
    }
    return NULL;
}
