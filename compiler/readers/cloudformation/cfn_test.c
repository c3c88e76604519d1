// What conditions ask.
#include "compiler/readers/cloudformation/cfn_names.h"

#include "compiler/readers/cloudformation/cfn_value.h"

enum { SPELLING_MAX = 4096 }; // bytes of a value that is compared

// The same text for the same value, wherever it stands.
static void spell(StrBuf *out, const Data *data) {
    if (out->len > SPELLING_MAX) {
        return;
    }
    if (data->kind == DATA_LIST || data->kind == DATA_MAP) {
        strbuf_add_char(out, data->kind == DATA_LIST ? '[' : '{');
        for (uint32_t i = 0; i < data->count; i++) {
            if (data->kind == DATA_MAP) {
                strbuf_add(out, data->entries[i].key);
                strbuf_add_char(out, ':');
            }
            spell(out, data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
            strbuf_add_char(out, ',');
        }
        strbuf_add_char(out, data->kind == DATA_LIST ? ']' : '}');
    } else {
        strbuf_add(out,
                   str_slice(data->string, 0, data->string.len > SPELLING_MAX ? SPELLING_MAX + 1 : data->string.len));
    }
}

static PlanTerm term_of(Session *session, const PlanTemplate *template, const Data *side) {
    PlanTerm term = { .span = side->span };
    CfnCall call;
    if (side->kind != DATA_LIST && side->kind != DATA_MAP) {
        term.is_text = true;
        term.is_bool = side->kind == DATA_BOOL;
        term.text = side->string;
        return term;
    }
    if (cfn_call_of(side, &call) && str_is(call.name, "Ref") && call.argument->kind == DATA_STRING) {
        term.parameter = plan_named(template, NAMED_PARAMETER, call.argument->string);
        term.span = call.argument->span;
    }
    StrBuf spelling = { .arena = session->arena };
    spell(&spelling, side);
    if (spelling.len > SPELLING_MAX) { // not compared to its end, and so the same as no other one
        strbuf_add_format(&spelling, "@%" PRIu32, side->span.start);
    }
    term.text = strbuf_str(&spelling);
    return term;
}

// The parameter of which a value is made so that the one is empty where the other is: `!Join ['', !Ref Subnets]`,
// `!Sub '${Name}'`; NULL: none.
static const PlanNamed *emptied_by(const PlanTemplate *template, const Data *side) {
    CfnCall call;
    if (!cfn_call_of(side, &call)) {
        return NULL;
    }
    const bool is_join = str_is(call.name, "Fn::Join") && call.argument->kind == DATA_LIST && call.argument->count == 2;
    const Data *joined = is_join ? call.argument->items[1] : NULL;
    joined = joined != NULL && joined->kind == DATA_LIST && joined->count == 1 ? joined->items[0] : joined;
    if (joined != NULL && cfn_call_of(joined, &call) && str_is(call.name, "Ref") &&
        call.argument->kind == DATA_STRING) {
        return plan_named(template, NAMED_PARAMETER, call.argument->string);
    }
    const Str text = call.argument->kind == DATA_STRING ? call.argument->string : STR_NONE;
    const bool is_name =
        str_is(call.name, "Fn::Sub") && str_starts_with(text, STR("${")) && str_find(text, STR("}"), 0) == text.len - 1;
    return is_name ? plan_named(template, NAMED_PARAMETER, str_slice(text, 2, text.len - 1)) : NULL;
}

static void read_sides(Session *session, const PlanTemplate *template, const Data *argument, PlanTest *test) {
    for (uint32_t i = 0; i < COUNT_OF(test->sides); i++) {
        test->sides[i] = term_of(session, template, argument->items[i]);
    }
    for (uint32_t i = 0; i < COUNT_OF(test->sides); i++) {
        const PlanTerm *other = &test->sides[1 - i];
        if (other->is_text && other->text.len == 0 && test->sides[i].parameter == NULL && !test->sides[i].is_text) {
            test->sides[i].parameter = emptied_by(template, argument->items[i]);
        }
    }
}

static PlanTestKind kind_of(const CfnCall *call) {
    return str_is(call->name, "Fn::Equals")  ? TEST_EQUALS
           : str_is(call->name, "Fn::Not")   ? TEST_NOT
           : str_is(call->name, "Fn::And")   ? TEST_AND
           : str_is(call->name, "Fn::Or")    ? TEST_OR
           : str_is(call->name, "Condition") ? TEST_CONDITION
                                             : TEST_UNKNOWN;
}

const PlanTest *cfn_test(Session *session, const PlanTemplate *template, const Data *condition) {
    PlanTest *test = arena_new(session->arena, PlanTest);
    *test = (PlanTest){ .span = condition->span };
    CfnCall call;
    if (!cfn_call_of(condition, &call)) {
        return test;
    }
    const Data *argument = call.argument;
    const PlanTestKind kind = kind_of(&call);
    if (kind == TEST_CONDITION && argument->kind == DATA_STRING) {
        test->condition = plan_named(template, NAMED_CONDITION, argument->string);
        test->kind = test->condition == NULL ? TEST_UNKNOWN : kind;
    } else if (kind == TEST_EQUALS && argument->kind == DATA_LIST && argument->count == COUNT_OF(test->sides)) {
        test->kind = kind;
        read_sides(session, template, argument, test);
    } else if ((kind == TEST_NOT || kind == TEST_AND || kind == TEST_OR) && argument->kind == DATA_LIST &&
               argument->count > 0 && (kind != TEST_NOT || argument->count == 1)) {
        const PlanTest **parts = arena_new_array(session->arena, const PlanTest *, argument->count);
        for (uint32_t i = 0; i < argument->count; i++) {
            parts[i] = cfn_test(session, template, argument->items[i]);
        }
        test->kind = kind;
        test->parts = parts;
        test->part_count = argument->count;
    }
    return test;
}
