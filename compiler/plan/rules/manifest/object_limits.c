// Holds a value against the limit that the definition of its field gives. The API server does the same, and refuses the
// object.
#include "compiler/plan/rules/manifest/object_limits.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/manifest/object_words.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rule_word.h"

// "1 to 63 characters", "2 or more", "100 or less"; `what` is empty for a number.
static const char *bounds_of(Arena *arena, const ObjectLimitRow *limit, const char *what) {
    const char *blank = what[0] == '\0' ? "" : " ";
    Str text;
    if (limit->most == INT64_MAX) {
        text = str_format(arena, "%" PRId64 "%s%s or more", limit->least, blank, what);
    } else if (limit->least == INT64_MIN) {
        text = str_format(arena, "%" PRId64 "%s%s or %s", limit->most, blank, what, what[0] == '\0' ? "less" : "fewer");
    } else {
        text = str_format(arena, "%" PRId64 " to %" PRId64 "%s%s", limit->least, limit->most, blank, what);
    }
    return str_c(arena, text);
}

static bool is_within(const ObjectLimitRow *limit, int64_t number) {
    return number >= limit->least && number <= limit->most;
}

static void report_bounds(const Rules *rules, const PlanObject *object, const ObjectLimitRow *limit, Str name,
                          const Value *value, int64_t number, const char *what) {
    Arena *arena = rules->session->arena;
    const Str found = str_format(arena, "%" PRId64, number);
    plan_report(rules->session, object->subject, value->span, DIAG(object_limit), STR_ARG(name),
                bounds_of(arena, limit, what), str_c(arena, found));
}

// The pattern of a definition is found anywhere in the text, unless it says where: most begin with `^` and end with `$`.
static bool matches(Session *session, Str pattern, Str text) {
    const bool is_whole = str_starts_with(pattern, STR("^")) && str_ends_with(pattern, STR("$")) &&
                          !str_ends_with(pattern, STR("\\$")) && str_find(pattern, STR("|"), 0) == pattern.len;
    const Str anywhere =
        is_whole ? pattern : str_format(session->arena, "[\\s\\S]*(?:%.*s)[\\s\\S]*", STR_ARG(pattern));
    return pattern_match(session, anywhere, text, NULL) != PATTERN_NO;
}

// Most names that a pattern refuses have large letters or `_` in them, and can do without.
static void report_form(const Rules *rules, const PlanObject *object, Str pattern, Str name, const Value *value) {
    Session *session = rules->session;
    const Str found = str_format(session->arena, "`%.*s`", STR_ARG(value->string));
    Diag *diag = plan_report(session, object->subject, value->span, DIAG(object_limit), STR_ARG(name),
                             "a text of another form", str_c(session->arena, found));
    const Str small = str_small(session->arena, str_replaced(session->arena, value->string, STR("_"), STR("-")));
    if (matches(session, pattern, small)) {
        rule_write_at(rules, diag, value->span, value->string, small);
    } else {
        diag_help(session, diag, "write a text that its pattern matches: `%.*s`", STR_ARG(pattern));
    }
}

// Another program, or somebody, puts a text in its place.
static bool is_open(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (memchr("$<{[`", text.data[i], 5) != NULL) {
            return true;
        }
    }
    return placeholder_is_filled_in(text) || (text.len > 0 && memchr("%@", text.data[0], 2) != NULL);
}

static void check_text(const Rules *rules, const PlanObject *object, const ObjectLimitRow *limit, Str name,
                       const Value *value) {
    if (object->is_manifest && is_open(value->string)) {
        return;
    }
    const int64_t count = (int64_t)str_count_characters(value->string);
    const Str pattern = str_of(schema_object_text(limit->pattern));
    if (!is_within(limit, count)) {
        report_bounds(rules, object, limit, name, value, count, "characters");
    } else if (pattern.len > 0 && !matches(rules->session, pattern, value->string)) {
        report_form(rules, object, pattern, name, value);
    }
}

// `0755` is 493 for what applies the file.
static bool is_octal(const Session *session, const Value *value) {
    const Str text = source_text(session, value->span);
    return text.len > 1 && text.data[0] == '0';
}

void object_check_limit(const Rules *rules, const PlanObject *object, const ObjectLimitRow *limit, Str name,
                        const Value *value) {
    if (limit->words != 0 && value->kind == VALUE_STRING) {
        object_check_word(rules, object, name, str_of(schema_object_text(limit->words)), value);
    } else if (value->kind == VALUE_STRING) {
        check_text(rules, object, limit, name, value);
    } else if (value->kind == VALUE_INT && !is_within(limit, value->integer) && !is_octal(rules->session, value)) {
        report_bounds(rules, object, limit, name, value, value->integer, "");
    } else if (value->kind == VALUE_LIST && !is_within(limit, value->list.count)) {
        report_bounds(rules, object, limit, name, value, value->list.count, "items");
    }
}
