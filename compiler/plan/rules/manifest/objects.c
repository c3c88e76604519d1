// Rules about objects of Kubernetes: the fields that their kinds have, those that they need, and what stands in them.
// The API server refuses an object that breaks one, when `kubectl apply` is in the middle of the file.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/manifest/field_places.h"
#include "compiler/plan/rules/manifest/gone_versions.h"
#include "compiler/plan/rules/manifest/object_limits.h"
#include "compiler/plan/rules/rule_word.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    bool is_closed; // the rows have all fields that the cluster knows
    int *looked;    // how often it was looked where a field stands
} ObjectCheck;

// Of Kubernetes itself: one group without a dot, or one of its own. Others are of whoever defines them, as Spark's.
static bool is_of_kubernetes(Str type) {
    const Str group = str_slice(type, 0, str_find(type, STR("/"), 0));
    return str_find(group, STR("."), 0) == group.len ||
           (str_ends_with(group, STR(".k8s.io")) && !str_is(group, "sparkoperator.k8s.io"));
}

// ---- fields ----------------------------------------------------------------------------------------------------

static Suggestion nearest_field(const ObjectCheck *check, const ObjectTypeRow *type, Str key) {
    Suggestion suggestion = suggest_for(check->rules->session, key);
    for (int i = 0; i < type->field_count; i++) {
        suggest_offer(&suggestion, str_of(schema_object_text(schema_object_fields(type)[i].name)));
    }
    return suggestion;
}

// Where the field belongs, if its name is right and its place is not.
static Str place_of(const ObjectCheck *check, const Value *value, Str key) {
    enum { LOOKED_MAX = 20 };
    if ((*check->looked)++ >= LOOKED_MAX) {
        return STR_NONE;
    }
    return object_field_place(check->rules->session->arena, check->object, value, key);
}

static void report_unknown(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value,
                           const ValueEntry *entry) {
    Session *session = check->rules->session;
    const Suggestion suggestion = nearest_field(check, type, entry->key);
    Diag *diag;
    if (is_of_kubernetes(check->object->resource->type)) {
        diag = plan_report(session, check->object->subject, entry->key_span, DIAG(object_field),
                           schema_object_text(type->name), STR_ARG(entry->key));
    } else {
        diag = plan_report(session, check->object->subject, entry->key_span, DIAG(object_field_elsewhere),
                           schema_object_text(type->name), STR_ARG(entry->key));
    }
    diag_label(session, diag, check->object->resource->type_span, "of this kind");
    const Str place = suggest_is_sure(&suggestion) ? STR_NONE : place_of(check, value, entry->key);
    if (place.len > 0) {
        diag_help(session, diag, "move it: it stands at `%.*s`", STR_ARG(place));
    } else if (!suggest_say(session, diag, &suggestion, entry->key_span) && check->object->is_manifest) {
        diag_help(session, diag, "correct the name, or write `# dtc-allow: %s …` with the release that has it",
                  diag_row(diag->id)->code);
    }
}

static bool is_name_of_variable(Str text) {
    bool has_letter = false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_upper = c >= 'A' && c <= 'Z';
        if (!is_upper && c != '_' && (i == 0 || !char_is_digit(c))) {
            return false;
        }
        has_letter = has_letter || is_upper;
    }
    return has_letter && text.len > 1;
}

// What another program is to put a value in the place of: `<how many>`, `$(N)`, `NUM_NODES`, `[[ n ]]`, `{n}`.
static bool is_to_be_filled_in(const Value *value) {
    if (value->kind == VALUE_LIST) {
        return value->list.count == 1 && value->list.items[0]->kind == VALUE_LIST;
    }
    if (value->kind == VALUE_MAP) {
        return value->map.count == 1 && value->map.entries[0].value->kind == VALUE_NULL;
    }
    const Str text = value->kind == VALUE_STRING ? value->string : STR_NONE;
    return text.len > 0 && (memchr("<$({[%@", text.data[0], 7) != NULL || is_name_of_variable(text));
}

static void write_as_text(const Rules *rules, Diag *diag, const Value *value, Str written) {
    rule_write_at(rules, diag, value->span, written, str_format(rules->session->arena, "\"%.*s\"", STR_ARG(written)));
}

// A list whose items are maps, without the dash of its item, and the other way round. A single word becomes a list.
static void say_shape(const Rules *rules, Diag *diag, const Value *value, const char *wanted) {
    Session *session = rules->session;
    const bool wants_list = strcmp(wanted, "a list") == 0;
    const Str text = object_text(value);
    bool is_word = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is_word = is_word && (char_is_of_name(text.data[i]) || memchr("./:-", text.data[i], 4) != NULL);
    }
    if (wants_list && value->kind == VALUE_MAP && value->map.count > 0) {
        diag_help(session, diag, "begin its first key with a dash and a blank, and put the others below that one");
    } else if (wants_list && is_word) {
        rule_write_at(rules, diag, value->span, text, str_format(session->arena, "[%.*s]", STR_ARG(text)));
    } else if (strcmp(wanted, "a map") == 0 && value->kind == VALUE_LIST) {
        diag_help(session, diag, "the keys stand there themselves, without dashes");
    }
}

// `name` is the field, or the key in a map of such.
static void report_type(const ObjectCheck *check, const ObjectFieldRow *field, Str name, const Value *value,
                        const char *wanted) {
    Session *session = check->rules->session;
    if (check->object->is_manifest && is_to_be_filled_in(value)) {
        return;
    }
    const bool is_no_amount = field->form == OBJECT_QUANTITY && value->kind == VALUE_STRING;
    const char *found =
        is_no_amount ? str_c(session->arena, value_print(session->arena, value)) : value_describe(value);
    Diag *diag =
        plan_report(session, check->object->subject, value->span, DIAG(object_type), STR_ARG(name), wanted, found);
    const bool is_scalar = value->kind == VALUE_INT || value->kind == VALUE_BOOL || value->is_real;
    const bool wants_map = strcmp(wanted, "a map") == 0;
    if (is_scalar && field->form == OBJECT_STRING && check->object->is_manifest) {
        // As it stands there: the zero of 012345678901 belongs to the text.
        write_as_text(check->rules, diag, value, source_text(session, value->span));
    } else if (value->kind == VALUE_INT && field->form == OBJECT_STRING) {
        write_as_text(check->rules, diag, value, str_format(session->arena, "%" PRId64, value->integer));
    } else if (value->kind == VALUE_BOOL && field->form == OBJECT_STRING) {
        write_as_text(check->rules, diag, value, value->boolean ? STR("true") : STR("false"));
    } else if (field->form == OBJECT_QUANTITY && !wants_map) {
        diag_help(session, diag, "write a number, or one with Ki, Mi, Gi, Ti, m, k, M, G or T behind it: `\"16Gi\"`");
    } else if (check->object->is_manifest) {
        say_shape(check->rules, diag, value, wanted);
    }
}

static const char *wanted_word(const ObjectFieldRow *field) {
    static const char *const WORDS[] = {
        [OBJECT_ANY] = "anything",
        [OBJECT_STRING] = "a string",
        [OBJECT_INT] = "an integer",
        [OBJECT_BOOL] = "true or false",
        [OBJECT_NUMBER] = "a number",
        [OBJECT_QUANTITY] = "a quantity",
        [OBJECT_TEXT] = "a number or a string",
        [OBJECT_FIELDS] = "a map",
    };
    return WORDS[field->form];
}

// What is late, or failed and said so, is not judged.
static bool is_open(const Value *value) {
    switch (value->kind) {
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_STRING:
    case VALUE_LIST:
    case VALUE_MAP:
        return false;
    case VALUE_ERROR:
    case VALUE_NULL:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_WORD:
    case VALUE_TAG:
    case VALUE_BLOCK:
    case VALUE_RESOURCE:
    case VALUE_MODULE:
    case VALUE_LATE:
    case VALUE_KIND_COUNT:
        break;
    }
    return true;
}

static bool is_of_form(ObjectForm form, const Value *value) {
    double amount;
    switch (form) {
    case OBJECT_ANY:
        return true;
    case OBJECT_STRING:
        return value->kind == VALUE_STRING && !value->is_real;
    case OBJECT_INT:
        return value->kind == VALUE_INT;
    case OBJECT_NUMBER:
        return value->kind == VALUE_INT || value->is_real;
    case OBJECT_BOOL:
        return value->kind == VALUE_BOOL;
    case OBJECT_QUANTITY:
        return quantity_read(value, &amount);
    case OBJECT_TEXT:
        return value->kind == VALUE_INT || value->kind == VALUE_STRING;
    case OBJECT_FIELDS:
        return value->kind == VALUE_MAP;
    }
    return true;
}

static void check_fields(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value, Span span);

static void check_one(const ObjectCheck *check, const ObjectFieldRow *field, Str name, const Value *value, Span span) {
    if (is_open(value)) {
        return;
    }
    if (!is_of_form((ObjectForm)field->form, value)) {
        report_type(check, field, name, value, wanted_word(field));
    } else if (field->form == OBJECT_FIELDS) {
        check_fields(check, &OBJECT_TYPE_ROWS[field->type], value, span);
    } else {
        object_check_limit(check->rules, check->object, &OBJECT_LIMIT_ROWS[field->limit], name, value);
    }
}

static void check_field(const ObjectCheck *check, const ObjectFieldRow *field, const ValueEntry *entry) {
    const Value *value = entry->value;
    if (field->shape == OBJECT_ONE || is_open(value)) {
        check_one(check, field, entry->key, value, entry->key_span);
    } else if (field->shape == OBJECT_LIST && value->kind != VALUE_LIST) {
        report_type(check, field, entry->key, value, "a list");
    } else if (field->shape == OBJECT_MAP && value->kind != VALUE_MAP) {
        report_type(check, field, entry->key, value, "a map");
    } else if (field->shape == OBJECT_LIST) {
        object_check_limit(check->rules, check->object, &OBJECT_LIMIT_ROWS[field->count], entry->key, value);
        for (uint32_t i = 0; i < value->list.count; i++) {
            check_one(check, field, entry->key, value->list.items[i], value->list.items[i]->span);
        }
    } else {
        for (uint32_t i = 0; i < value->map.count; i++) {
            check_one(check, field, value->map.entries[i].key, value->map.entries[i].value,
                      value->map.entries[i].key_span);
        }
    }
}

static bool is_unknown(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value,
                       const ValueEntry *entry) {
    const bool is_top = value == check->object->fields;
    const bool is_head = is_top && (str_is(entry->key, "apiVersion") || str_is(entry->key, "kind")); // DT0588
    return check->is_closed && !type->is_open && !is_head && entry->value->kind != VALUE_NULL &&
           schema_object_field(type, entry->key) == NULL;
}

// Whether the value has the field by a name that is reported as unknown and is near to it.
static bool is_misspelt(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value, const char *field) {
    const DiagId id = is_of_kubernetes(check->object->resource->type) ? DIAG_object_field : DIAG_object_field_elsewhere;
    bool is_near = false;
    for (uint32_t i = 0; i < value->map.count && !is_near; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        is_near = is_unknown(check, type, value, entry) && str_is(nearest_field(check, type, entry->key).best, field);
    }
    return is_near && !plan_allows(check->object->subject, id);
}

// Until v1 Karpenter chose the image by `amiFamily` alone.
static void say_needed(const ObjectCheck *check, const Value *value, Span span, const char *type, const char *field) {
    Session *session = check->rules->session;
    const ValueEntry *family = value_entry(value->map.entries, value->map.count, "amiFamily");
    const bool is_image = str_is(str_of(field), "amiSelectorTerms") && family != NULL &&
                          family->value->kind == VALUE_STRING && !str_is(family->value->string, "Custom");
    Diag *diag =
        plan_report(session, check->object->subject, is_image ? span_join(family->key_span, family->value->span) : span,
                    DIAG(object_needs), type, field);
    if (is_image) {
        const Str alias = str_small(session->arena, family->value->string);
        diag_help(session, diag, "write `amiSelectorTerms: [{alias: %.*s@v…}]` instead", STR_ARG(alias));
    } else {
        diag_help(session, diag, "write `%s`", field);
    }
}

static void check_needed(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value, Span span) {
    if (check->rules->plan->are_bases) {
        return;
    }
    for (int i = 0; i < type->field_count; i++) {
        const ObjectFieldRow *row = &schema_object_fields(type)[i];
        const char *field = schema_object_text(row->name);
        const Value *given = value_get(value, field);
        const bool is_missing = row->is_required && (given == NULL || given->kind == VALUE_NULL);
        if (is_missing && !is_misspelt(check, type, value, field)) {
            say_needed(check, value, span, schema_object_text(type->name), field);
        }
    }
}

static void check_fields(const ObjectCheck *check, const ObjectTypeRow *type, const Value *value, Span span) {
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        const ObjectFieldRow *field = schema_object_field(type, entry->key);
        if (field != NULL) {
            check_field(check, field, entry);
        } else if (is_unknown(check, type, value, entry)) {
            report_unknown(check, type, value, entry);
        }
    }
    check_needed(check, type, value, span);
}

// ---- kinds -----------------------------------------------------------------------------------------------------

// Groups of which the rows have every kind and version that a cluster serves.
static bool is_whole_group(Str type) {
    static const char *const GROUPS[] = { "v1", "apps", "batch", "extensions" };
    const Str group = str_slice(type, 0, str_find(type, STR("/"), 0));
    for (size_t i = 0; i < COUNT_OF(GROUPS); i++) {
        if (str_is(group, GROUPS[i])) {
            return true;
        }
    }
    return false;
}

// Kinds of the core that nobody keeps in a file are left out of the rows.
static bool is_left_out(Str kind) {
    static const char *const KINDS[] = { "Binding", "ComponentStatus", "Endpoints", "Event", "Node" };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (str_is(kind, KINDS[i])) {
            return true;
        }
    }
    return str_ends_with(kind, STR("List"));
}

static void check_kind(const Rules *rules, const PlanObject *object) {
    const Resource *resource = object->resource;
    const Str kind = str_after_last(resource->type, '/');
    PlanObjectType type;
    if (!plan_object_type(resource->type, &type) || !is_whole_group(resource->type) || is_left_out(kind)) {
        return;
    }
    Suggestion suggestion = suggest_for(rules->session, resource->type);
    const char *same = NULL; // a kind of that name elsewhere
    for (int i = 0; i < OBJECT_KIND_COUNT; i++) {
        const char *name = schema_object_text(OBJECT_KIND_ROWS[i].name);
        suggest_offer(&suggestion, str_of(name));
        const bool is_same = str_equal(str_after_last(str_of(name), '/'), kind);
        same = same == NULL && is_same && is_of_kubernetes(str_of(name)) ? name : same;
    }
    if (object->is_manifest && same == NULL && suggestion.best.len == 0) {
        return; // a file of another program that has the head of an object
    }
    Diag *diag =
        plan_report(rules->session, object->subject, resource->type_span, DIAG(object_kind), STR_ARG(resource->type));
    if (same != NULL && object->is_manifest) {
        plan_object_type(str_of(same), &type);
        const Value *api = object_get(object->fields, "apiVersion");
        diag_help(rules->session, diag, "write `apiVersion: %.*s`", STR_ARG(type.api));
        rule_replace(rules, diag, api == NULL ? SPAN_NONE : api->span, object_text(api), type.api);
    } else if (same != NULL) {
        rule_write_at(rules, diag, resource->type_span, resource->type,
                      str_format(rules->session->arena, "\"%s\"", same));
    } else {
        rule_suggest(rules, diag, &suggestion, resource->type_span);
    }
}

// Kubernetes refuses the pod. One without the key may be a patch, or a template that a program fills in.
static void check_image(const ObjectCheck *check, const Value *container) {
    const Value *image = object_get(container, "image");
    if (image != NULL && image->kind == VALUE_STRING && str_trim(image->string).len == 0) {
        say_needed(check, container, image->span, "Container", "image");
    }
}

// A runtime of Kubeflow Trainer may leave the image to the jobs that take it.
static void check_images(const ObjectCheck *check) {
    static const char *const LISTS[] = { "containers", "initContainers" };
    const PlanObject *object = check->object;
    const bool is_left = str_starts_with(object->resource->type, STR("trainer.kubeflow.org/"));
    for (uint32_t i = 0; !is_left && i < object->pods.count * COUNT_OF(LISTS); i++) {
        const Value *list = object_get(object->pods.items[i / COUNT_OF(LISTS)].spec, LISTS[i % COUNT_OF(LISTS)]);
        for (uint32_t k = 0; k < object_count(list); k++) {
            check_image(check, list->list.items[k]);
        }
    }
}

void rule_object(const Rules *rules, const PlanObject *object) {
    int looked = 0;
    ObjectCheck check = { .rules = rules, .object = object, .is_closed = !object->is_of_newer };
    check.looked = &looked;
    if (object->row != NULL && !object->is_changed) {
        check_fields(&check, schema_object_type(object->row), object->fields, object->resource->span);
        check_images(&check);
    } else if (object->row == NULL && !object_check_gone(rules, object) && !object->is_of_newer) {
        check_kind(rules, object);
    }
}

// ---- types -----------------------------------------------------------------------------------------------------

static void check_head(const Rules *rules, const Subject *subject, const Resource *resource) {
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *property = &resource->properties[i];
        if (str_is(property->key, "apiVersion") || str_is(property->key, "kind")) {
            Diag *diag = plan_report(rules->session, subject, property->key_span, DIAG(kubernetes_property),
                                     STR_ARG(property->key));
            diag_label(rules->session, diag, resource->type_span, "said here");
        }
    }
}

void rule_object_types(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        PlanObjectType type;
        if (!plan_is_object(part, resource)) {
            continue;
        }
        if (plan_object_type(resource->type, &type)) {
            check_head(rules, part->subject, resource);
            continue;
        }
        Diag *diag = plan_report(rules->session, part->subject, resource->type_span, DIAG(kubernetes_type),
                                 STR_ARG(resource->type));
        diag_help(rules->session, diag, "write it as \"apps/v1/Deployment\": API version and kind");
    }
}
