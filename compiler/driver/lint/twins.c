// A finding is hidden only while its twin is shown. So nothing is lost where two files of one name are not the same: who
// mends the first is told of the second.
#include "compiler/driver/lint/twins.h"

#include "compiler/base/str_map.h"

// Two files of one name. 0: there is none, or nothing is wrong with it.
typedef struct {
    uint32_t yaml;
    uint32_t json;
    StrMap said; // of the file in YAML: how often, by code and message
} Twins;

typedef struct {
    uint32_t count;
} Said;

static bool is_json(Str text) {
    size_t at = 0;
    while (at < text.len && strchr(" \t\r\n", text.data[at]) != NULL) {
        at++;
    }
    return str_at(text, at) == '{' || str_at(text, at) == '[';
}

// The path without the last ending, and with one word for folders that are called after a form.
static Str key_of(Arena *arena, Str path) {
    static const char *const forms[] = { "json", "yaml", "yml" };
    const Str name = str_after_last(path, '/');
    const Str ending = str_after_last(name, '.');
    const Str stem = str_slice(path, 0, ending.len < name.len ? path.len - ending.len - 1 : path.len);
    StrBuf key = { .arena = arena };
    for (size_t start = 0; start < stem.len;) {
        const size_t end = str_find(stem, STR("/"), start);
        const Str part = str_slice(stem, start, end);
        bool is_form = false;
        for (size_t i = 0; i < COUNT_OF(forms) && end < stem.len; i++) {
            is_form = is_form || str_is_in_any_case(part, forms[i]);
        }
        strbuf_add(&key, is_form ? STR("*") : part);
        strbuf_add_char(&key, '/');
        start = end + 1;
    }
    return strbuf_str(&key);
}

// The twins of each source that something is said of; NULL of the others.
static Twins **find_twins(Session *session) {
    Arena *arena = session->arena;
    StrMap by_key = { .arena = arena };
    Twins **twins = arena_new_array(arena, Twins *, session->sources.count);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        const uint32_t number = diag->span.source;
        if (diag->is_allowed || span_is_none(diag->span) || twins[number] != NULL) {
            continue;
        }
        const Source *source = source_get(session, number);
        const Str key = key_of(arena, source->path);
        Twins *found = str_map_get_mutable(&by_key, key);
        if (found == NULL) {
            found = arena_new(arena, Twins);
            *found = (Twins){ .said = { .arena = arena } };
            str_map_add(&by_key, key, found);
        }
        uint32_t *place = is_json(source->text) ? &found->json : &found->yaml;
        *place = *place == 0 ? number : *place;
        twins[number] = found;
    }
    return twins;
}

static Str words_of(Arena *arena, const Diag *diag) {
    return str_format(arena, "%s %.*s", diag_row(diag->id)->code, STR_ARG(diag->message));
}

static void note_said(Arena *arena, Twins *twins, const Diag *diag) {
    const Str words = words_of(arena, diag);
    Said *said = str_map_get_mutable(&twins->said, words);
    if (said == NULL) {
        said = arena_new(arena, Said);
        *said = (Said){ 0 };
        str_map_add(&twins->said, words, said);
    }
    said->count++;
}

static bool take_said(Arena *arena, const Twins *twins, const Diag *diag) {
    Said *said = str_map_get_mutable(&twins->said, words_of(arena, diag));
    const bool is_said = said != NULL && said->count > 0;
    if (is_said) {
        said->count--;
    }
    return is_said;
}

// Shown findings of a pair's file in YAML or, if `of_json`, of the other one. NULL where the diagnostic is none of them.
static Twins *twins_of(Twins *const *twins, const Diag *diag, bool of_json) {
    Twins *found = diag->is_allowed || span_is_none(diag->span) ? NULL : twins[diag->span.source];
    const bool is_pair = found != NULL && found->yaml != 0 && found->json != 0;
    return is_pair && diag->span.source == (of_json ? found->json : found->yaml) ? found : NULL;
}

static Str words(Session *session, const Twins *first, uint32_t files, uint32_t count) {
    if (count == 0) {
        return STR_NONE;
    }
    const char *plural = count == 1 ? "" : "s";
    if (files > 1) {
        return str_format(session->arena,
                          "; %" PRIu32 " findings of %" PRIu32 " files in JSON are said of those in YAML", count,
                          files);
    }
    return str_format(session->arena, "; %" PRIu32 " finding%s of %.*s %s said of %.*s", count, plural,
                      STR_ARG(source_get(session, first->json)->path), count == 1 ? "is" : "are",
                      STR_ARG(source_get(session, first->yaml)->path));
}

Str twins_hide(Session *session) {
    Twins **twins = find_twins(session);
    const uint32_t item_count = session->diags.items.count;
    for (uint32_t i = 0; i < item_count; i++) {
        Twins *found = twins_of(twins, session->diags.items.items[i], false);
        if (found != NULL) {
            note_said(session->arena, found, session->diags.items.items[i]);
        }
    }
    const Twins *first = NULL;
    const Twins *last = NULL;
    uint32_t files = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < item_count; i++) {
        Diag *diag = session->diags.items.items[i];
        const Twins *found = twins_of(twins, diag, true);
        if (found != NULL && take_said(session->arena, found, diag)) {
            diag_hide(session, diag);
            first = first == NULL ? found : first;
            files += found != last; // findings of a file follow each other
            last = found;
            count++;
        }
    }
    return words(session, first, files, count);
}
