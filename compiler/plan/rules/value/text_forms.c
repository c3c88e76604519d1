// Rules about texts that have a form, in resources of CloudFormation, in files of ParallelCluster and in pods: a schedule, a
// path, a name.
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/value/resource_path.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "compiler/plan/rules/template_use.h"
#include "compiler/plan/rules/value_place.h"

typedef struct {
    Str path;
    const char *pattern;
    const char *what;
    const char *example;
} FormRow;

static const FormRow FORM_ROWS[] = {
#define TEXT_FORM(path, pattern, what, example) { STR(path), pattern, what, example },
#include "schema/text_forms.def"
};

static const struct {
    const char *what;
    const char *pattern;
    const char *words;
} MENDS[] = {
#define TEXT_MEND(what, pattern, words) { what, pattern, words },
#include "schema/text_forms.def"
};

static const struct {
    const char *what;
    const char *starts;
} STARTS[] = {
#define TEXT_START(what, starts) { what, starts },
#include "schema/text_forms.def"
};

// Somebody else fills it in before the service reads it, by envsubst for one. Where a template has the name itself, rule
// file_placeholders says that no function fills it in.
static bool is_filled_in(Str text) {
    size_t start = 0;
    size_t end = 0;
    const size_t open = str_find(text, STR("${"), 0);
    const size_t close = str_find(text, STR("}"), open);
    return (close < text.len && close > open + 2) || str_find(text, STR("{{"), 0) < text.len ||
           placeholder_find(text, TEXT_VALUE, 0, &start, &end) || placeholder_find_angle(text, 0, &start, &end) ||
           placeholder_find_example(text, 0, &start, &end);
}

// ParallelCluster has a form of some numbers, too.
static Str text_of(const ValuePlace *place, const Value *value) {
    Arena *arena = place->rules->session->arena;
    const bool is_number = place->configuration != NULL && value != NULL && value->kind == VALUE_INT;
    return is_number ? str_format(arena, "%" PRId64, value->integer) : pseudo_parameter_text(arena, value);
}

// A key as the file has it: the AWS CLI begins keys in lower case.
static Str key_of(const Rules *rules, const ValueEntry *entry) {
    const Str text = source_text(rules->session, entry->key_span);
    const Str key = str_starts_with(text, STR("\"")) && text.len > 1 ? str_slice(text, 1, text.len - 1) : text;
    return str_equal_in_any_case(key, entry->key) ? key : entry->key;
}

// What a text of another form says in this one, as it is to be written; empty where nobody knows. `text` is what it could
// be: that has to get the form, too.
static Str mended(Session *session, const FormRow *row, Str text, Str written) {
    for (size_t i = 0; i < COUNT_OF(MENDS); i++) {
        const Str pattern = str_of(MENDS[i].pattern);
        const Str words = str_of(MENDS[i].words);
        const Str could =
            str_is_word(str_of(row->what), MENDS[i].what) ? pattern_replace(session, pattern, text, words) : STR_NONE;
        if (could.len > 0 && pattern_match(session, str_of(row->pattern), could, NULL) == PATTERN_YES) {
            return pattern_replace(session, pattern, written, words);
        }
    }
    return STR_NONE;
}

// Whether what stands before the first `${` of a text for Fn::Sub begins none that has the form. The name of a bucket of the
// template has no `:` in it.
static bool begins_wrongly(const ValuePlace *place, const FormRow *row, const Value *value) {
    const PlanTemplate *names = place->rules->plan->names;
    const Value *sub = object_get(value, "Fn::Sub");
    const Str text = sub != NULL && sub->kind == VALUE_STRING ? sub->string : STR_NONE;
    const size_t open = str_find(text, STR("${"), 0);
    const Str before = str_slice(text, 0, open);
    const Str name = open >= text.len ? STR_NONE : str_slice(text, open + 2, str_find(text, STR("}"), open));
    const PlanNamed *made = names == NULL || name.len == 0 ? NULL : plan_named(names, NAMED_RESOURCE, name);
    const bool is_bucket = made != NULL && str_is(made->type, "AWS::S3::Bucket");
    bool is_wrong = false;
    if (name.len == 0 || str_has(before, "{") || str_has(before, "<") || (before.len == 0 && !is_bucket)) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        size_t offset = 0;
        Str start;
        is_wrong = is_wrong || str_is_word(str_of(row->what), STARTS[i].what);
        while (str_is_word(str_of(row->what), STARTS[i].what) &&
               words_next(str_of(STARTS[i].starts), &offset, &start)) {
            const size_t len = before.len < start.len ? before.len : start.len;
            const bool is_begun = str_equal(str_slice(before, 0, len), str_slice(start, 0, len));
            is_wrong = is_wrong && !(is_begun && (before.len >= start.len || !is_bucket));
        }
    }
    return is_wrong;
}

static void check_text(const ValuePlace *place, const FormRow *row, Str key, const Value *value) {
    Session *session = place->rules->session;
    const Str text = text_of(place, value);
    const bool is_wrong = text.len == 0 || is_filled_in(text)
                              ? begins_wrongly(place, row, value)
                              : pattern_match(session, str_of(row->pattern), text, NULL) == PATTERN_NO;
    if (!is_wrong || use_of_empty_default(place->rules->plan->names, value->span)) {
        return;
    }
    const Subject *subject = place_subject(place, value->span);
    Diag *diag =
        plan_report(session, subject, value->span, DIAG(text_form), STR_ARG(key), row->what,
                    STR_ARG(value->kind == VALUE_INT ? text : pseudo_parameter_written(session->arena, value)));
    const Value *sub = object_get(value, "Fn::Sub");
    const Value *literal = sub == NULL ? value : sub;
    const Str new = literal->kind == VALUE_STRING ? mended(session, row, text, literal->string) : STR_NONE;
    if (new.len > 0) {
        rule_write_at(place->rules, diag, literal->span, literal->string, new);
    } else {
        diag_help(session, diag, "write %s such as `%s`", value->kind == VALUE_INT ? "a number" : "a text",
                  row->example);
    }
    plan_say_once(session, diag);
}

// Goes on along the properties that lead to the text, of each item where one is a list. `last` is the key before.
static void check_path(const ValuePlace *place, const FormRow *row, Str path, Str last, const Value *value) {
    for (uint32_t i = 0; i < object_count(value); i++) {
        check_path(place, row, path, last, value->list.items[i]);
    }
    if (object_count(value) > 0) {
        return;
    }
    if (path.len == 0) {
        check_text(place, row, last, value);
        return;
    }
    const size_t end = str_find(path, STR("/"), 0);
    const Str key = str_slice(path, 0, end);
    for (uint32_t i = 0; value != NULL && value->kind == VALUE_MAP && i < value->map.count; i++) {
        if (str_equal(value->map.entries[i].key, key)) {
            check_path(place, row, str_slice(path, end + 1, path.len), key_of(place->rules, &value->map.entries[i]),
                       value->map.entries[i].value);
        }
    }
}

void rule_text_forms(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const ValuePlace place = { .rules = rules, .subject = resource->subject };
    for (size_t i = 0; i < COUNT_OF(FORM_ROWS); i++) {
        Str path = STR_NONE;
        (void)resource_path_of(FORM_ROWS[i].path, raw->type, &path);
        const size_t next = str_find(path, STR("/"), 0);
        const Str key = str_slice(path, 0, next);
        for (uint32_t k = 0; path.len > 0 && k < raw->property_count; k++) {
            if (str_equal(raw->properties[k].key, key)) {
                check_path(&place, &FORM_ROWS[i], str_slice(path, next + 1, path.len),
                           key_of(rules, &raw->properties[k]), raw->properties[k].value);
            }
        }
    }
}

void rule_configuration_forms(const Rules *rules, const PlanConfiguration *configuration) {
    const ValuePlace place = { .rules = rules, .configuration = configuration };
    const Str file = STR("ParallelCluster/");
    for (size_t i = 0; i < COUNT_OF(FORM_ROWS); i++) {
        const Str path = FORM_ROWS[i].path;
        if (str_starts_with(path, file)) {
            check_path(&place, &FORM_ROWS[i], str_slice(path, file.len, path.len), STR_NONE, configuration->document);
        }
    }
}

// Words of capitals with `_` between them.
static bool is_capitals(Str text) {
    bool is = str_has(text, "_");
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        is = is && ((c >= 'A' && c <= 'Z') || c == '_' || char_is_digit(c));
    }
    return is;
}

// FILLED_BY_THE_VALIDATOR as the image and as the namespace, or the name: a program reads the file and fills in both.
static bool is_to_be_filled(const PlanObject *object, const Value *spec) {
    const Value *metadata = object_get(object->fields, "metadata");
    const Value *containers = object_get(spec, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Str image = object_text(object_get(containers->list.items[i], "image"));
        if (image.len > 0 && is_capitals(image) &&
            (str_equal(image, object_text(object_get(metadata, "namespace"))) ||
             str_equal(image, object_text(object_get(metadata, "name"))))) {
            return true;
        }
    }
    return false;
}

// An image of a base of Kustomize may be one that another file names.
void rule_object_forms(const Rules *rules, const PlanObject *object) {
    const ValuePlace place = { .rules = rules, .subject = object->subject };
    const Str pod = STR("Pod/");
    for (size_t i = 0; i < COUNT_OF(FORM_ROWS) && !rules->plan->are_bases && !object->is_changed; i++) {
        const Str path = FORM_ROWS[i].path;
        for (uint32_t k = 0; str_starts_with(path, pod) && k < object->pods.count; k++) {
            const Value *spec = object->pods.items[k].spec;
            if (!is_to_be_filled(object, spec)) {
                check_path(&place, &FORM_ROWS[i], str_slice(path, pod.len, path.len), STR_NONE, spec);
            }
        }
    }
}
