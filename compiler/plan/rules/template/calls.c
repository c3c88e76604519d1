// Rules about what the functions of a CloudFormation template are given: keys of maps, lists and texts.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"

// ---- maps --------------------------------------------------------------------------------------------------------

static bool is_scalar(const Data *data) {
    return data->kind != DATA_LIST && data->kind != DATA_MAP && data->kind != DATA_NULL;
}

// What has the key; NULL without one. A bool is spelt as YAML likes it.
static const Data *entry_of(const Data *map, const Data *key) {
    for (uint32_t i = 0; i < map->count; i++) {
        if (str_equal(map->entries[i].key, key->string) ||
            (key->kind == DATA_BOOL && str_equal_in_any_case(map->entries[i].key, key->string))) {
            return map->entries[i].value;
        }
    }
    return NULL;
}

// Whether all of it is written there; a transform may add more.
static bool is_closed(const Data *map) {
    bool is_plain = map != NULL && map->kind == DATA_MAP;
    for (uint32_t i = 0; is_plain && i < map->count; i++) {
        is_plain = !str_starts_with(map->entries[i].key, STR("Fn::"));
    }
    return is_plain;
}

static Diag *report_key(const Rules *rules, const PlanCall *call, const Data *at, const char *what, Str owner,
                        const Data *map, const Data *key) {
    Session *session = rules->session;
    Diag *diag = plan_report(session, call->subject, at->span, DIAG(map_without_key), what, STR_ARG(owner),
                             STR_ARG(key->string));
    Suggestion suggestion = suggest_for(session, key->string);
    for (uint32_t i = 0; i < map->count; i++) {
        suggest_offer(&suggestion, map->entries[i].key);
    }
    if (suggest_is_sure(&suggestion)) {
        suggest_say(session, diag, &suggestion, at->span);
    } else {
        diag_help(session, diag, "add `%.*s` to the map, or ask for a key that it has", STR_ARG(key->string));
    }
    return diag;
}

// The second key of one row, or of all rows where the first key is not known.
static bool check_second(const Rules *rules, const PlanCall *call, const Data *rows, const Data *row) {
    const Data *key = call->argument->items[2];
    const Data *first = row == NULL && rows->count > 0 ? rows->entries[0].value : row;
    for (uint32_t i = 0; row == NULL && i < rows->count; i++) {
        if (!is_closed(rows->entries[i].value) || entry_of(rows->entries[i].value, key) != NULL) {
            return false;
        }
    }
    if (first == NULL || !is_closed(first) || (row != NULL && entry_of(row, key) != NULL)) {
        return false;
    }
    report_key(rules, call, key, row == NULL ? "no row of the map" : "this row of the map",
               call->argument->items[0]->string, first, key);
    return true;
}

// Each value that the parameter takes is a key; one without a row is enough to tell.
static void check_values(const Rules *rules, const PlanTemplate *template, const PlanCall *call, const Data *rows,
                         const PlanNamed *parameter) {
    const Data *values = parameter_refs(parameter);
    for (uint32_t i = 0; values != NULL && !template->has_rules && i < values->count; i++) {
        const Data *value = values->items[i];
        const Data *row = is_scalar(value) ? entry_of(rows, value) : rows;
        if (row == NULL) {
            Diag *diag = report_key(rules, call, call->argument->items[1], "the map", call->argument->items[0]->string,
                                    rows, value);
            diag_label(rules->session, diag, value->span, "`%.*s` may be this", STR_ARG(parameter->name));
            return;
        }
    }
}

static bool has_second(const Data *rows, const Data *row, const Data *value) {
    bool has = !is_scalar(value) || (row != NULL && (!is_closed(row) || entry_of(row, value) != NULL));
    for (uint32_t i = 0; row == NULL && !has && i < rows->count; i++) {
        has = !is_closed(rows->entries[i].value) || entry_of(rows->entries[i].value, value) != NULL;
    }
    return has;
}

// Likewise of the second key, in one row, or in all of them where the first key is not known.
static void check_second_values(const Rules *rules, const PlanCall *call, const Data *map, const Data *row,
                                const PlanNamed *parameter) {
    const Data *values = parameter_refs(parameter);
    const Data *first = row == NULL && map->count > 0 ? map->entries[0].value : row;
    for (uint32_t i = 0; values != NULL && first != NULL && i < values->count; i++) {
        if (!has_second(map, row, values->items[i])) {
            Diag *diag = report_key(rules, call, call->argument->items[2],
                                    row == NULL ? "no row of the map" : "this row of the map",
                                    call->argument->items[0]->string, first, values->items[i]);
            diag_label(rules->session, diag, values->items[i]->span, "`%.*s` may be this", STR_ARG(parameter->name));
            return;
        }
    }
}

static bool is_same_argument(const Data *a, const Data *b) {
    const Str name = data_text(a, "Ref");
    return is_scalar(a) && is_scalar(b) ? str_equal(a->string, b->string)
                                        : name.len > 0 && str_equal(name, data_text(b, "Ref"));
}

// Whether a call before this one has the same first arguments, so many of them.
static bool is_repeated(const PlanTemplate *template, const PlanCall *call, uint32_t count) {
    for (uint32_t i = 0; template->calls.items[i] != call; i++) {
        const Data *other = template->calls.items[i]->argument;
        bool is_same = other->kind == DATA_LIST && other->count == call->argument->count;
        for (uint32_t k = 0; is_same && k < count; k++) {
            is_same = is_same_argument(other->items[k], call->argument->items[k]);
        }
        if (is_same) {
            return true;
        }
    }
    return false;
}

static void check_map(const Rules *rules, const PlanTemplate *template, const PlanCall *call) {
    const Data *argument = call->argument;
    const Data *mappings = template->mappings;
    if (argument->kind != DATA_LIST || argument->count != 3 || argument->items[0]->kind != DATA_STRING ||
        !is_closed(mappings)) {
        return;
    }
    const Data *rows = entry_of(mappings, argument->items[0]);
    if (rows == NULL && !is_repeated(template, call, 1)) {
        report_key(rules, call, argument->items[0], "the section", STR("Mappings"), mappings, argument->items[0]);
    }
    if (!is_closed(rows)) {
        return;
    }
    const Data *top = argument->items[1];
    const Data *row = is_scalar(top) ? entry_of(rows, top) : NULL;
    if (is_scalar(top) && row == NULL) {
        report_key(rules, call, top, "the map", argument->items[0]->string, rows, top);
        return;
    }
    const bool is_told = is_scalar(argument->items[2]) && check_second(rules, call, rows, row);
    const PlanNamed *parameter = plan_named(template, NAMED_PARAMETER, data_text(top, "Ref"));
    if (!is_told && parameter != NULL && call->guard == NULL && !is_repeated(template, call, 2)) {
        check_values(rules, template, call, rows, parameter);
    }
    const PlanNamed *second = plan_named(template, NAMED_PARAMETER, data_text(argument->items[2], "Ref"));
    const bool is_known = parameter != NULL || is_scalar(top);
    if (is_known && second != NULL && call->guard == NULL && !template->has_rules && !is_repeated(template, call, 3)) {
        check_second_values(rules, call, rows, row, second);
    }
}

void rule_template_maps(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->calls.count; i++) {
        if (str_is(template->calls.items[i]->name, "Fn::FindInMap")) {
            check_map(rules, template, template->calls.items[i]);
        }
    }
}

// ---- lists and texts ---------------------------------------------------------------------------------------------

// Whether the type of a parameter says that it is a list, also one that is looked up.
static bool is_list(const PlanNamed *parameter) {
    return str_is(parameter->type, "CommaDelimitedList") ||
           str_find(parameter->type, STR("List<"), 0) < parameter->type.len ||
           str_is(parameter->type, "AWS::SSM::Parameter::Value<CommaDelimitedList>");
}

static int64_t number_of(const Data *data) {
    if (data->kind == DATA_STRING && data->string.len == 1 && char_is_digit(data->string.data[0])) {
        return data->string.data[0] - '0';
    }
    return data->kind == DATA_INT ? data->integer : -1;
}

// How many items a list has; -1: nobody knows.
static int64_t length_of(const Data *list) {
    const Data *blocks = list->kind == DATA_MAP ? data_get(list, "Fn::Cidr") : NULL;
    if (blocks != NULL && blocks->kind == DATA_LIST && blocks->count > 1) {
        return number_of(blocks->items[1]);
    }
    return list->kind == DATA_LIST ? (int64_t)list->count : -1;
}

static void check_select(const Rules *rules, const PlanTemplate *template, const PlanCall *call) {
    const Data *argument = call->argument;
    if (argument->kind != DATA_LIST || argument->count != 2) {
        return;
    }
    const Data *list = argument->items[1];
    const Data *index = argument->items[0];
    const int64_t number = number_of(index);
    const int64_t length = length_of(list);
    const PlanNamed *parameter = plan_named(template, NAMED_PARAMETER, data_text(list, "Ref"));
    if (length >= 0 && number >= length) {
        Diag *diag = plan_report(rules->session, call->subject, index->span, DIAG(select_beyond), length, number);
        diag_help(rules->session, diag, "the first is 0: ask for another, or make the list longer");
    } else if (parameter != NULL && parameter->type.len > 0 && !is_list(parameter)) {
        Diag *diag = plan_report(rules->session, call->subject, list->span, DIAG(list_or_text), "`Fn::Select`",
                                 "a list", STR_ARG(parameter->name), STR_ARG(parameter->type));
        diag_label(rules->session, diag, parameter->span, "%s", "");
        diag_help(rules->session, diag, "write `!Split [\",\", !Ref %.*s]`, or give the parameter the type of a list",
                  STR_ARG(parameter->name));
    }
}

static void check_sub(const Rules *rules, const PlanUse *use) {
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(list_or_text), "`Fn::Sub`", "texts",
                             STR_ARG(use->name), STR_ARG(use->to->type));
    diag_label(rules->session, diag, use->to->span, "%s", "");
    diag_help(rules->session, diag, "write `!Sub` with a map of its own that has `%.*s: !Join [\",\", !Ref %.*s]`",
              STR_ARG(use->name), STR_ARG(use->name));
}

void rule_template_lists(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->calls.count; i++) {
        if (str_is(template->calls.items[i]->name, "Fn::Select")) {
            check_select(rules, template, template->calls.items[i]);
        }
    }
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->kind == USE_REF && use->is_sub && use->to != NULL && use->to->kind == NAMED_PARAMETER &&
            is_list(use->to)) {
            check_sub(rules, use);
        }
    }
}
