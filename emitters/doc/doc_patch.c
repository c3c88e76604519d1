// Changes a finished document at a path that the author wrote. A path is read twice: once to see that it can be read at
// all, then step by step down the tree. The tree changes only when the last step is known to be good.
#include "emitters/doc/doc.h"

#include "compiler/base/doc_path.h"
#include "compiler/base/suggest.h"
#include "emitters/doc/doc_find.h"

enum {
    LISTED_KEYS_MAX = 8,    // fewer than this many keys are all named in a message
    NEAREST_KEYS = 3,       // of more, so many
    COMPARED_BYTES_MAX = 64 // of a key: no id of a resource that is written by hand is longer
};

typedef struct {
    Session *session;
    Str path;
    Span span;
} Patch;

// How a message calls a node that a step cannot enter.
static const char *const KIND_WORDS[] = {
    [DOC_BOOL] = "a boolean", [DOC_INT] = "a number", [DOC_STRING] = "a string",   [DOC_BLOCK] = "a text",
    [DOC_LIST] = "a list",    [DOC_MAP] = "a map",    [DOC_CALL] = "an intrinsic",
};

// ---- what is wrong -----------------------------------------------------------------------------------------------

// The part of the path in its source, if the quotes hold exactly the path. With escapes or interpolation the bytes do
// not correspond, nor do they in a text of several lines. Then the whole quoted text is the place.
static Span part_of(const Patch *patch, size_t start, size_t end) {
    static const char *const OPENINGS[] = { "\"", "r\"" };
    const Str source = source_text(patch->session, patch->span);
    for (size_t i = 0; i < COUNT_OF(OPENINGS); i++) {
        const Str opening = str_of(OPENINGS[i]);
        const size_t quotes = str_starts_with(opening, STR("r")) ? opening.len - 1 : opening.len;
        if (source.len == opening.len + patch->path.len + quotes && str_starts_with(source, opening) &&
            str_equal(str_slice(source, opening.len, opening.len + patch->path.len), patch->path)) {
            const size_t first = patch->span.start + opening.len;
            return (Span){
                .source = patch->span.source,
                .start = (uint32_t)(first + start),
                .end = (uint32_t)(first + end),
            };
        }
    }
    return patch->span;
}

static Span step_span(const Patch *patch, const DocStep *step) {
    return part_of(patch, step->start, step->end);
}

static Str step_text(const Patch *patch, const DocStep *step) {
    return str_slice(patch->path, step->start, step->end);
}

// What a step starts from, for a message: "`Resources.Vpc`" or "the file".
static Str place_of(const Patch *patch, const DocStep *step) {
    Str before = str_slice(patch->path, 0, step->start);
    if (before.len == 0) {
        return STR("the file");
    }
    if (str_ends_with(before, STR("."))) {
        before.len--;
    }
    return str_format(patch->session->arena, "`%.*s`", STR_ARG(before));
}

static void report_bad_path(const Patch *patch, const DocPath *at_fault) {
    const size_t end = at_fault->offset < patch->path.len ? at_fault->offset + 1 : at_fault->offset;
    report(patch->session, part_of(patch, at_fault->offset, end), DIAG(patch_bad_path), STR_ARG(patch->path),
           at_fault->fault);
}

// The length of the longest text that two names have in common, in any case: "GpuLaunchTemplate" is all in
// "TrainGpuLaunchTemplate", which no number of edits says.
static size_t common_length(Str a, Str b) {
    size_t lengths[COMPARED_BYTES_MAX + 1] = { 0 }; // of what ends at each byte of `b`
    size_t longest = 0;
    for (size_t i = 0; i < a.len && i < COMPARED_BYTES_MAX; i++) {
        for (size_t j = b.len < COMPARED_BYTES_MAX ? b.len : COMPARED_BYTES_MAX; j > 0; j--) {
            lengths[j] = char_small(a.data[i]) == char_small(b.data[j - 1]) ? lengths[j - 1] + 1 : 0;
            longest = lengths[j] > longest ? lengths[j] : longest;
        }
    }
    return longest;
}

// The names that have most in common with the one that is wanted, the nearest first.
typedef struct {
    Str wanted;
    const DocNode *nodes[NEAREST_KEYS];
    Str names[NEAREST_KEYS];
    size_t lengths[NEAREST_KEYS];
} Nearest;

static void nearest_offer(Nearest *nearest, const DocNode *node, Str name) {
    const size_t length = common_length(nearest->wanted, name);
    int place = NEAREST_KEYS;
    while (place > 0 && (nearest->nodes[place - 1] == NULL || nearest->lengths[place - 1] < length)) {
        place--;
    }
    for (int i = NEAREST_KEYS - 1; i >= place && place < NEAREST_KEYS; i--) {
        nearest->nodes[i] = i == place ? node : nearest->nodes[i - 1];
        nearest->names[i] = i == place ? name : nearest->names[i - 1];
        nearest->lengths[i] = i == place ? length : nearest->lengths[i - 1];
    }
}

// "`LabVPC` (AWS::EC2::VPC), `LabPublicSubnet` (AWS::EC2::Subnet)": the type says what an id of a template is.
static Str nearest_text(Arena *arena, const Nearest *nearest) {
    StrBuf text = { .arena = arena };
    for (int i = 0; i < NEAREST_KEYS && nearest->nodes[i] != NULL; i++) {
        strbuf_add_format(&text, "%s`%.*s`", i == 0 ? "" : ", ", STR_ARG(nearest->names[i]));
        const DocNode *type = doc_child(nearest->nodes[i], STR("Type"));
        if (type != NULL && type->kind == DOC_STRING) {
            strbuf_add_format(&text, " (%.*s)", STR_ARG(type->string));
        }
    }
    return strbuf_str(&text);
}

// How many of the keys at the beginning of a path a node has, each in the one before.
static int depth_of(const DocNode *node, Str path) {
    int depth = 0;
    while (node != NULL && node->kind == DOC_MAP && path.len > 0) {
        const size_t dot = str_find(path, STR("."), 0);
        const size_t bracket = str_find(path, STR("["), 0);
        const size_t end = dot < bracket ? dot : bracket;
        node = doc_get(node, str_slice(path, 0, end));
        depth += node != NULL;
        path = bracket <= dot ? STR_NONE : str_slice(path, end + 1, path.len);
    }
    return depth;
}

// Those that have the key one step further down: `Resources.LabVPC`, where the path begins with `LabVPC`. Of the objects of
// a job each has a `spec`: what has most of the path is meant, and of equals nobody knows.
static Str holders_of(const Patch *patch, const DocNode *map, const DocStep *step) {
    const Str path = str_slice(patch->path, step->start, patch->path.len);
    StrBuf text = { .arena = patch->session->arena };
    int most = 0;
    for (const DocNode *child = map->first; child != NULL; child = child->next) {
        const int depth = child->kind == DOC_MAP && doc_get(child, step->key) != NULL ? depth_of(child, path) : 0;
        if (depth == 0 || depth < most) {
            continue;
        }
        text.len = depth > most ? 0 : text.len;
        most = depth;
        strbuf_add_format(&text, "%s`%.*s.%.*s`", text.len == 0 ? "" : " or ", STR_ARG(child->key), STR_ARG(step->key));
    }
    return strbuf_str(&text);
}

static void add_key_help(const Patch *patch, Diag *diag, const DocNode *map, const DocStep *step) {
    const Str wanted = step->key;
    Suggestion suggestion = suggest_for(patch->session, wanted);
    StrBuf keys = { .arena = patch->session->arena };
    Nearest nearest = { .wanted = wanted };
    for (const DocNode *child = map->first; child != NULL; child = child->next) {
        suggest_offer(&suggestion, child->key);
        nearest_offer(&nearest, child, child->key);
        if (map->count < LISTED_KEYS_MAX) {
            strbuf_add_format(&keys, "%s`%.*s`", keys.len == 0 ? "" : ", ", STR_ARG(child->key));
        }
    }
    const Str holders = holders_of(patch, map, step);
    if (holders.len > 0) {
        diag_help(patch->session, diag, "did you mean %.*s?", STR_ARG(holders));
    } else if (suggestion.best.len > 0) {
        diag_help(patch->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
    if (map->count == 0) {
        diag_note(patch->session, diag, "it is empty");
    } else if (keys.len > 0) {
        diag_note(patch->session, diag, "it has %.*s", STR_ARG(strbuf_str(&keys)));
    } else {
        diag_note(patch->session, diag, "nearest of its %" PRIu32 " keys: %.*s; a build without the patch shows all",
                  map->count, STR_ARG(nearest_text(patch->session->arena, &nearest)));
    }
}

static void report_no_such_step(const Patch *patch, const DocNode *node, const DocStep *step) {
    const Str place = place_of(patch, step);
    Diag *diag =
        report(patch->session, step_span(patch, step), DIAG(patch_no_such_step), STR_ARG(place), STR_ARG(step->key));
    if (node->kind == DOC_CALL) {
        diag_note(patch->session, diag, "it has `%s`", doc_call_row(node->call)->key);
    } else {
        add_key_help(patch, diag, node, step);
    }
}

static void report_not_a_map(const Patch *patch, const DocNode *node, const DocStep *step) {
    const Str place = place_of(patch, step);
    Diag *diag = report(patch->session, step_span(patch, step), DIAG(patch_not_a_map), STR_ARG(place),
                        KIND_WORDS[node->kind], STR_ARG(step->key));
    if (node->kind == DOC_LIST) {
        diag_help(patch->session, diag, "choose an item first: `[0]`, or `[Name=…]` for the one that has it");
    }
}

static void report_not_a_list(const Patch *patch, const DocNode *node, const DocStep *step) {
    const Str place = place_of(patch, step);
    const Str text = step_text(patch, step);
    Diag *diag = report(patch->session, step_span(patch, step), DIAG(patch_not_a_list), STR_ARG(place),
                        KIND_WORDS[node->kind], STR_ARG(text));
    if (node->kind == DOC_CALL) {
        diag_help(patch->session, diag, "its arguments are at `%s`", doc_call_row(node->call)->key);
    }
}

static void report_no_match(const Patch *patch, const DocNode *list, const DocStep *step) {
    const Str place = place_of(patch, step);
    Diag *diag = report(patch->session, step_span(patch, step), DIAG(patch_no_match), STR_ARG(place),
                        STR_ARG(step->key), STR_ARG(step->value));
    Suggestion suggestion = suggest_for(patch->session, step->value);
    StrBuf values = { .arena = patch->session->arena };
    Nearest nearest = { .wanted = step->value };
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        const DocNode *value = item->kind == DOC_MAP ? doc_get(item, step->key) : NULL;
        if (value == NULL || value->kind != DOC_STRING) {
            continue;
        }
        suggest_offer(&suggestion, value->string);
        nearest_offer(&nearest, item, value->string);
        if (list->count < LISTED_KEYS_MAX) {
            strbuf_add_format(&values, "%s`%.*s`", values.len == 0 ? "" : ", ", STR_ARG(value->string));
        }
    }
    if (suggestion.best.len > 0) {
        diag_help(patch->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
    if (values.len > 0) {
        diag_note(patch->session, diag, "there `%.*s` is %.*s", STR_ARG(step->key), STR_ARG(strbuf_str(&values)));
    } else if (nearest.nodes[0] != NULL) {
        diag_note(patch->session, diag,
                  "of its %" PRIu32
                  " items those with the nearest `%.*s` have %.*s; a build without the patch shows all",
                  list->count, STR_ARG(step->key), STR_ARG(nearest_text(patch->session->arena, &nearest)));
    } else {
        diag_note(patch->session, diag, "no item has a `%.*s` that is a string", STR_ARG(step->key));
    }
}

// ---- the way down ------------------------------------------------------------------------------------------------

static bool has_keys(const Patch *patch, const DocNode *node, const DocStep *step) {
    if (node->kind == DOC_MAP || node->kind == DOC_CALL) {
        return true;
    }
    report_not_a_map(patch, node, step);
    return false;
}

static bool has_items(const Patch *patch, const DocNode *node, const DocStep *step) {
    if (node->kind == DOC_LIST) {
        return true;
    }
    report_not_a_list(patch, node, step);
    return false;
}

static DocNode *find_match(const Patch *patch, const DocNode *list, const DocStep *step) {
    DocNode *found = NULL;
    uint32_t count = 0;
    for (DocNode *item = list->first; item != NULL; item = item->next) {
        if (doc_item_matches(item, step->key, step->value)) {
            found = count == 0 ? item : found;
            count++;
        }
    }
    if (count == 0) {
        report_no_match(patch, list, step);
    } else if (count > 1) {
        const Str place = place_of(patch, step);
        report(patch->session, step_span(patch, step), DIAG(patch_many_match), count, STR_ARG(place),
               STR_ARG(step->key), STR_ARG(step->value));
    }
    return count == 1 ? found : NULL;
}

static DocNode *find_item(const Patch *patch, const DocNode *list, const DocStep *step) {
    if (step->index >= list->count) {
        const Str place = place_of(patch, step);
        const Str text = step_text(patch, step);
        Diag *diag = report(patch->session, step_span(patch, step), DIAG(patch_beyond_end), STR_ARG(place), list->count,
                            list->count == 1 ? "" : "s", STR_ARG(text));
        diag_note(patch->session, diag, "the first item is `[0]`; `[+]` adds one");
        return NULL;
    }
    DocNode *item = list->first;
    for (uint32_t i = 0; i < step->index; i++) {
        item = item->next;
    }
    return item;
}

// The node that a step leads to; where there is none that is reported.
static DocNode *enter(const Patch *patch, const DocNode *node, const DocStep *step) {
    switch (step->kind) {
    case STEP_KEY:
        if (!has_keys(patch, node, step)) {
            return NULL;
        }
        DocNode *child = doc_child(node, step->key);
        if (child == NULL) {
            report_no_such_step(patch, node, step);
        }
        return child;
    case STEP_INDEX:
        return has_items(patch, node, step) ? find_item(patch, node, step) : NULL;
    case STEP_MATCH:
        return has_items(patch, node, step) ? find_match(patch, node, step) : NULL;
    case STEP_APPEND:
        report(patch->session, step_span(patch, step), DIAG(patch_bad_path), STR_ARG(patch->path),
               "`[+]` can only be its last step");
        return NULL;
    }
    return NULL;
}

// ---- the change --------------------------------------------------------------------------------------------------

// Puts `value` in the place of `old`, or takes `old` out where it is NULL.
static void replace(DocNode *parent, const DocNode *old, DocNode *value) {
    DocNode *before = NULL;
    DocNode **link = &parent->first;
    while (*link != old) {
        before = *link;
        link = &before->next;
    }
    if (value != NULL) {
        assert(value->next == NULL);
        value->key = old->key;
        value->next = old->next;
        *link = value;
    } else {
        *link = old->next;
        parent->count--;
    }
    if (parent->last == old) {
        parent->last = value != NULL ? value : before;
    }
}

static bool apply(const Patch *patch, Doc *doc, DocNode *parent, const DocStep *step, DocNode *value) {
    if (step->kind == STEP_APPEND) {
        if (!has_items(patch, parent, step)) {
            return false;
        }
        if (value == NULL) {
            report(patch->session, step_span(patch, step), DIAG(patch_append_remove));
            return false;
        }
        doc_add(doc, parent, value);
        return true;
    }
    if (step->kind == STEP_KEY && parent->kind == DOC_MAP && value != NULL && doc_get(parent, step->key) == NULL) {
        doc_put(doc, parent, step->key, value);
        return true;
    }
    const DocNode *old = enter(patch, parent, step);
    if (old == NULL) {
        return false;
    }
    if (parent->kind == DOC_CALL && value == NULL) {
        const Str place = place_of(patch, step);
        report(patch->session, step_span(patch, step), DIAG(patch_call_remove), STR_ARG(place), STR_ARG(step->key));
        return false;
    }
    replace(parent, old, value);
    return true;
}

bool doc_patch(Doc *doc, Str path, Span path_span, DocNode *value) {
    const Patch patch = { .session = doc_session(doc), .path = path, .span = path_span };
    DocPath whole = { .arena = doc_arena(doc), .text = path };
    DocStep step;
    while (doc_path_next(&whole, &step)) {}
    if (whole.fault != NULL) {
        report_bad_path(&patch, &whole);
        return false;
    }

    DocPath steps = { .arena = doc_arena(doc), .text = path };
    DocNode *node = doc_root(doc);
    bool is_step = doc_path_next(&steps, &step);
    while (is_step && steps.offset < path.len) {
        node = enter(&patch, node, &step);
        if (node == NULL) {
            return false;
        }
        is_step = doc_path_next(&steps, &step);
    }
    return apply(&patch, doc, node, &step, value);
}
