// Objects of API versions that nobody serves any more: `kubectl apply` finds no match for them.
#include "compiler/plan/rules/manifest/gone_versions.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_word.h"

typedef enum { WORDS, CHANGED } Change;

typedef struct {
    const char *api;
    const char *kind;   // "*": each
    const char *last;   // the release that serves it no more
    const char *newest; // "": none
    Change change;
    bool is_served; // today still, until `last`
} GoneRow;

static const GoneRow GONE_ROWS[] = {
#define GONE(...) { __VA_ARGS__, false },
#define GOES(...) { __VA_ARGS__, true },
#define CHANGES(newest, what)
#include "schema/gone_versions.def"
#undef CHANGES
#undef GOES
#undef GONE
};

// What is different in the type that replaces one.
static const struct {
    const char *newest;
    const char *what;
} CHANGE_ROWS[] = {
#define GONE(...)
#define GOES(...)
#define CHANGES(newest, what) { newest, what },
#include "schema/gone_versions.def"
#undef CHANGES
#undef GOES
#undef GONE
};

static const char *changes_of(Arena *arena, const PlanObjectType *newest) {
    const Str type = str_format(arena, "%.*s/%.*s", STR_ARG(newest->api), STR_ARG(newest->kind));
    for (size_t i = 0; i < COUNT_OF(CHANGE_ROWS); i++) {
        if (str_is(type, CHANGE_ROWS[i].newest)) {
            return str_c(arena, str_format(arena, ": %s", CHANGE_ROWS[i].what));
        }
    }
    return ", which has other fields";
}

static const GoneRow *find_gone(const PlanObjectType *type) {
    for (size_t i = 0; i < COUNT_OF(GONE_ROWS); i++) {
        const GoneRow *row = &GONE_ROWS[i];
        if (str_is(type->api, row->api) && (row->kind[0] == '*' || str_is(type->kind, row->kind))) {
            return row;
        }
    }
    return NULL;
}

// A definition that stands beside the object, with this version, serves it.
static bool is_defined_beside(const PlanObject *object, const PlanObjectType *type) {
    const size_t slash = str_find(type->api, STR("/"), 0);
    for (uint32_t i = 0; object->beside != NULL && i < object->beside->count; i++) {
        const PlanObject *other = object->beside->items[i];
        if (!str_is(other->resource->type, "apiextensions.k8s.io/v1/CustomResourceDefinition")) {
            continue;
        }
        const Value *spec = object_get(other->fields, "spec");
        const Value *versions = object_get(spec, "versions");
        const bool is_same = str_equal(object_text(object_get(spec, "group")), str_slice(type->api, 0, slash)) &&
                             str_equal(object_text(object_get(object_get(spec, "names"), "kind")), type->kind);
        for (uint32_t k = 0; is_same && k < object_count(versions); k++) {
            const Str version = object_text(object_get(versions->list.items[k], "name"));
            if (str_equal(version, str_slice(type->api, slash + 1, type->api.len))) {
                return true;
            }
        }
    }
    return false;
}

// The type that replaces the object's; its kind is empty where nothing does.
static PlanObjectType newest_type(const GoneRow *row, const PlanObjectType *type) {
    PlanObjectType newest = { .api = str_of(row->newest), .kind = type->kind };
    if (row->newest[0] == '\0') {
        newest.kind = STR_NONE;
    } else if (row->kind[0] != '*') {
        plan_object_type(str_of(row->newest), &newest);
    }
    return newest;
}

static void help_manifest(const Rules *rules, Diag *diag, const PlanObject *object, const GoneRow *row,
                          const PlanObjectType *newest) {
    const Value *api = object_get(object->fields, "apiVersion");
    const bool is_same_kind = str_equal(newest->kind, str_after_last(object->resource->type, '/'));
    const char *changes = changes_of(rules->session->arena, newest);
    if (row->change == WORDS && is_same_kind) {
        diag_help(rules->session, diag, "write `apiVersion: %.*s`", STR_ARG(newest->api));
        rule_replace(rules, diag, api == NULL ? SPAN_NONE : api->span, object_text(api), newest->api);
    } else if (is_same_kind) {
        diag_help(rules->session, diag, "write `apiVersion: %.*s`%s", STR_ARG(newest->api), changes);
    } else {
        diag_help(rules->session, diag, "write a `%.*s` of `apiVersion: %.*s`%s", STR_ARG(newest->kind),
                  STR_ARG(newest->api), changes);
    }
}

static void help_resource(const Rules *rules, Diag *diag, const PlanObject *object, const GoneRow *row,
                          const PlanObjectType *newest) {
    const Str word = str_format(rules->session->arena, "\"%.*s/%.*s\"", STR_ARG(newest->api), STR_ARG(newest->kind));
    if (row->change == WORDS) {
        rule_write_at(rules, diag, object->resource->type_span, object->resource->type, word);
    } else {
        diag_help(rules->session, diag, "write `%.*s`%s", STR_ARG(word), changes_of(rules->session->arena, newest));
    }
}

// `extensions-v1beta1.yaml`: the author means this version. Another file has the object for servers without it, or something
// fills in what is called a template.
static bool is_meant(const Rules *rules, const PlanObject *object, const PlanObjectType *type) {
    const Plan *plan = rules->plan;
    Arena *arena = rules->session->arena;
    const Str path = source_get(rules->session, object->resource->type_span.source)->path;
    const char *name = str_c(arena, str_replaced(arena, type->api, STR("/"), STR("-")));
    return plan->is_to_render || plan->is_one_of_versions || str_has(str_after_last(path, '/'), name);
}

bool object_check_gone(const Rules *rules, const PlanObject *object) {
    PlanObjectType type;
    if (!plan_object_type(object->resource->type, &type)) {
        return false;
    }
    const GoneRow *row = find_gone(&type);
    if (row == NULL || is_defined_beside(object, &type) || is_meant(rules, object, &type)) {
        return row != NULL;
    }
    const Value *api = object_get(object->fields, "apiVersion");
    const bool is_api = object->is_manifest && api != NULL;
    const Span span = is_api ? api->span : object->resource->type_span;
    Diag *diag = row->is_served ? plan_report(rules->session, object->subject, span, DIAG(object_goes),
                                              STR_ARG(object->resource->type), row->last)
                                : plan_report(rules->session, object->subject, span, DIAG(object_gone),
                                              STR_ARG(object->resource->type), row->last);
    const PlanObjectType newest = newest_type(row, &type);
    if (newest.kind.len == 0 && str_is(type.kind, "PodSecurityPolicy")) {
        diag_help(rules->session, diag,
                  "label namespaces with `pod-security.kubernetes.io/enforce`, and leave the object out");
    } else if (newest.kind.len == 0) {
        diag_help(rules->session, diag, "leave the object out: nothing replaces its kind");
    } else if (object->is_manifest) {
        help_manifest(rules, diag, object, row, &newest);
    } else {
        help_resource(rules, diag, object, row, &newest);
    }
    return true;
}
