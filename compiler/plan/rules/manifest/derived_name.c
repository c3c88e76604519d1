// Fills in the forms of schema/derived_names.def, for objects of the author's and for those of a job.
#include "compiler/plan/rules/manifest/derived_name.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"

typedef struct {
    const char *type;
    const char *who;
    const char *parts;
    const char *form;
} DerivedRow;

static const DerivedRow DERIVED[] = {
#define DERIVED_NAME(type, who, parts, form) { type, who, parts, form },
#include "schema/derived_names.def"
};

// The piece of a form; empty where it is not known.
static Str piece_of(Arena *arena, Str word, Str name, const DerivedOf *of) {
    if (str_is(word, "name")) {
        return name;
    }
    if (str_is(word, "part")) {
        return of->part;
    }
    if (str_is(word, "5") || str_is(word, "10")) {
        return str_is(word, "5") ? STR("abcde") : STR("0123456789");
    }
    const int64_t count = str_is(word, "pod") ? of->pods : str_is(word, "replica") ? of->replicas : of->parts;
    return count < 1 ? STR_NONE : str_format(arena, "%" PRId64, count - 1);
}

// Empty where a piece is not known.
static Str fill_in(Arena *arena, Str form, Str name, const DerivedOf *of) {
    StrBuf text = { .arena = arena };
    for (size_t at = 0; at < form.len;) {
        const size_t open = str_find(form, STR("{"), at);
        strbuf_add(&text, str_slice(form, at, open));
        const size_t close = str_find(form, STR("}"), open);
        if (open < form.len) {
            const Str piece = piece_of(arena, str_slice(form, open + 1, close), name, of);
            if (piece.len == 0) {
                return STR_NONE;
            }
            strbuf_add(&text, piece);
        }
        at = close + 1;
    }
    return strbuf_str(&text);
}

bool derived_name_check(const Rules *rules, const Subject *subject, const char *type, Str name, Span span,
                        const DerivedOf *of) {
    Str longest = STR_NONE;
    const DerivedRow *row = NULL;
    for (size_t i = 0; i < COUNT_OF(DERIVED); i++) {
        const Str made = strcmp(DERIVED[i].type, type) == 0
                             ? fill_in(rules->session->arena, str_of(DERIVED[i].form), name, of)
                             : STR_NONE;
        row = made.len > longest.len ? &DERIVED[i] : row;
        longest = made.len > longest.len ? made : longest;
    }
    if (longest.len <= LIMIT_KUBERNETES_NAME_MAX) {
        return true;
    }
    const bool is_of_part = !str_has(str_of(row->form), "{name}");
    Diag *diag = plan_report(rules->session, subject, is_of_part ? of->part_span : span, DIAG(derived_name), row->who,
                             STR_ARG(longest), longest.len, LIMIT_KUBERNETES_NAME_MAX);
    const size_t more = longest.len - LIMIT_KUBERNETES_NAME_MAX;
    if (is_of_part) {
        diag_help(rules->session, diag, "take a name of %d characters or fewer", LIMIT_KUBERNETES_NAME_MAX);
    } else if (more < name.len) {
        diag_help(rules->session, diag, "take a name of %zu characters or fewer", name.len - more);
    } else {
        diag_help(rules->session, diag, "take shorter names, this one and those behind it");
    }
    return false;
}

// ---- objects -----------------------------------------------------------------------------------------------------

static const Value *value_at(Arena *arena, const Value *value, Str path) {
    for (size_t at = 0; value != NULL && at < path.len;) {
        const size_t dot = str_find(path, STR("."), at);
        value = object_get(value, str_c(arena, str_slice(path, at, dot)));
        at = dot + 1;
    }
    return value;
}

static Str lower(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        strbuf_add_char(&out, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
    return strbuf_str(&out);
}

// How many indexes the pods of a Job have, by its specification. In a JobSet and in a TrainJob they have some by default.
static int64_t indexes_of(const Value *job, bool is_indexed_by_default) {
    const Value *mode = object_get(job, "completionMode");
    const bool is_indexed = mode == NULL ? is_indexed_by_default : str_is(object_text(mode), "Indexed");
    return is_indexed ? object_int32(object_get(job, "completions"), -1) : -1;
}

static int64_t pods_of(Arena *arena, const PlanObject *object) {
    const Str type = object->resource->type;
    const Value *spec = object_get(object->fields, "spec");
    if (str_is(type, "batch/v1/Job")) {
        return indexes_of(spec, false);
    }
    return str_ends_with(type, STR("/TrainJob")) ? object_int32(value_at(arena, spec, STR("trainer.numNodes")), -1)
                                                 : -1;
}

// The parts of an object: a list, or a map by what they are. `*count` is how many.
static const Value *parts_of(Arena *arena, const PlanObject *object, uint32_t *count) {
    const char *path = NULL;
    for (size_t i = 0; i < COUNT_OF(DERIVED); i++) {
        path = str_is(object->resource->type, DERIVED[i].type) && DERIVED[i].parts != NULL ? DERIVED[i].parts : path;
    }
    const Value *parts = path == NULL ? NULL : value_at(arena, object->fields, str_of(path));
    *count = parts == NULL ? 0 : parts->kind == VALUE_MAP ? parts->map.count : object_count(parts);
    return parts;
}

static DerivedOf part_at(Arena *arena, const Value *parts, uint32_t i) {
    const bool is_map = parts->kind == VALUE_MAP;
    const Value *part = is_map ? parts->map.entries[i].value : parts->list.items[i];
    const Value *job = value_at(arena, part, STR("template.spec"));
    const Value *named = object_get(part, "name");
    const Value *name = named != NULL ? named : object_get(part, "groupName");
    return (DerivedOf){ .part = is_map ? lower(arena, parts->map.entries[i].key) : object_text(name),
                        .part_span = is_map || name == NULL ? part->span : name->span,
                        .parts = object_int32(object_get(part, "replicas"), 1),
                        .pods = is_map ? -1 : indexes_of(job, true),
                        .replicas = -1 };
}

// Groups of which each has workers. A group of one is its leader.
static int64_t replicas_of(Arena *arena, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const int64_t size = object_int32(value_at(arena, spec, STR("leaderWorkerTemplate.size")), 1);
    return size > 1 ? object_int32(object_get(spec, "replicas"), 1) : -1;
}

// Of several parts the first that makes a name too long is enough.
void rule_derived_names(const Rules *rules, const PlanObject *object) {
    Arena *arena = rules->session->arena;
    const Value *written = plan_object_name(object->resource);
    const Str name = plan_name_of_object(object);
    if (object->is_changed || name.len == 0 || placeholder_is_filled_in(name)) {
        return;
    }
    const char *type = str_c(arena, object->resource->type);
    const Span span = written == NULL ? object->resource->span : written->span;
    const DerivedOf alone = { .parts = -1, .pods = pods_of(arena, object), .replicas = replicas_of(arena, object) };
    uint32_t count = 0;
    const Value *parts = parts_of(arena, object, &count);
    bool is_right = derived_name_check(rules, object->subject, type, name, span, &alone);
    for (uint32_t i = 0; is_right && i < count; i++) {
        const DerivedOf of = part_at(arena, parts, i);
        is_right = derived_name_check(rules, object->subject, type, name, span, &of);
    }
}
