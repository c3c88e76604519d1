// A rule about what functions of CloudFormation are given: how many things, and in which order.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// source: CloudFormation User Guide, Intrinsic function reference, 2026-11, read 2026-11
typedef struct {
    const char *name;
    uint32_t least;
    uint32_t most;
    const char *what;
    const char *example;
} ShapeRow;

static const ShapeRow SHAPE_ROWS[] = {
    { "Fn::Join", 2, 2, "the text between, and a list of texts", "!Join [\"-\", [first, second]]" },
    { "Fn::Split", 2, 2, "the text between, and a text", "!Split [\",\", !Ref Subnets]" },
    { "Fn::Select", 2, 2, "a number from 0 on, and a list", "!Select [0, !GetAZs \"\"]" },
    { "Fn::If", 3, 3, "a condition, and the values where it holds and where it does not", "!If [IsTest, 1, 4]" },
    { "Fn::Equals", 2, 2, "two values", "!Equals [!Ref Stage, production]" },
    { "Fn::Not", 1, 1, "one condition in a list", "!Not [!Equals [!Ref Stage, production]]" },
    { "Fn::And", 2, 10, "two to ten conditions", "!And [!Condition IsLarge, !Condition IsTest]" },
    { "Fn::Or", 2, 10, "two to ten conditions", "!Or [!Condition IsLarge, !Condition IsTest]" },
    { "Fn::FindInMap", 3, 4, "a map and two keys", "!FindInMap [Images, !Ref AWS::Region, Id]" },
    { "Fn::Cidr", 2, 3, "a block, how many to cut of it, and the bits of each",
      "!Cidr [!GetAtt Vpc.CidrBlock, 4, 12]" },
    { "Fn::GetAtt", 2, 2, "a resource and its attribute", "!GetAtt Role.Arn" },
    { "Fn::Sub", 2, 2, "a text, and a map of what is put into it", "!Sub [\"${Name}-data\", {Name: !Ref Stage}]" },
};

static void report_shape(const Rules *rules, const PlanCall *call, const ShapeRow *row, const Data *place) {
    Session *session = rules->session;
    Diag *diag = plan_report(session, call->subject, place->span, DIAG(call_shape), STR_ARG(call->name), row->what);
    diag_help(session, diag, "write it as in `%s`", row->example);
}

static bool is_scalar(const Data *data) {
    return data->kind == DATA_STRING || data->kind == DATA_INT || data->kind == DATA_BOOL || data->kind == DATA_REAL;
}

// What is put between texts is a text, and the texts are a list.
static const Data *wrong_part(const PlanCall *call) {
    const Data *first = call->argument->items[0];
    const Data *second = call->argument->count > 1 ? call->argument->items[1] : NULL;
    const bool is_join = str_is(call->name, "Fn::Join");
    if ((is_join || str_is(call->name, "Fn::Split")) && !is_scalar(first)) {
        return first;
    }
    return is_join && second != NULL && is_scalar(second) ? second : NULL;
}

static bool is_list_type(Str type) {
    return type.len == 0 || str_has(type, "List");
}

// A parameter of one text, or a resource, where Fn::Join takes a list.
static void check_reference(const Rules *rules, const PlanTemplate *template, const PlanCall *call) {
    const Data *list = str_is(call->name, "Fn::Join") ? call->argument->items[1] : NULL;
    const Str name = list != NULL && list->kind == DATA_MAP ? data_text(list, "Ref") : STR_NONE;
    const PlanNamed *parameter = plan_named(template, NAMED_PARAMETER, name);
    const PlanNamed *resource = plan_named(template, NAMED_RESOURCE, name);
    const PlanNamed *named = parameter != NULL ? parameter : resource;
    if (named == NULL || is_list_type(named->type)) {
        return;
    }
    Diag *diag = plan_report(rules->session, call->subject, list->span, DIAG(list_or_text), "`Fn::Join`", "a list",
                             STR_ARG(named->name), STR_ARG(named->type));
    diag_label(rules->session, diag, named->span, "%s", "");
    diag_help(rules->session, diag, "put it into a list, as in `!Join [\"-\", [!Ref %.*s, second]]`", STR_ARG(name));
}

// The name of an export is a word that its author chooses.
static bool is_export(const PlanTemplate *template, Span text) {
    bool is = false;
    for (uint32_t i = 0; i < template->exports.count; i++) {
        const Span name = template->exports.items[i]->span;
        is = is || (name.start <= text.end && text.start <= name.end);
    }
    return is;
}

// `!Sub Name` fills in nothing: without `${` it is the word.
static void check_sub(const Rules *rules, const PlanTemplate *template, const PlanCall *call) {
    const Data *text = call->argument;
    const bool is_sub = str_is(call->name, "Fn::Sub") && text->kind == DATA_STRING && !template->has_extensions;
    const PlanNamed *parameter = is_sub ? plan_named(template, NAMED_PARAMETER, text->string) : NULL;
    const PlanNamed *resource = is_sub ? plan_named(template, NAMED_RESOURCE, text->string) : NULL;
    if ((parameter == NULL && resource == NULL) || is_export(template, text->span) ||
        str_ends_with(call->key, STR("Description"))) {
        return;
    }
    Diag *diag = plan_report(rules->session, call->subject, text->span, DIAG(literal_name), STR_ARG(text->string),
                             parameter != NULL ? "parameter" : "resource");
    diag_help(rules->session, diag, "write `!Sub ${%.*s}`, or `!Ref %.*s`", STR_ARG(text->string),
              STR_ARG(text->string));
}

static void check_call(const Rules *rules, const PlanTemplate *template, const PlanCall *call) {
    const Data *argument = call->argument;
    check_sub(rules, template, call);
    for (size_t i = 0; i < COUNT_OF(SHAPE_ROWS) && argument->kind == DATA_LIST; i++) {
        const ShapeRow *row = &SHAPE_ROWS[i];
        if (!str_is(call->name, row->name)) {
            continue;
        }
        const bool is_counted = argument->count >= row->least && argument->count <= row->most;
        const Data *part = is_counted ? wrong_part(call) : argument;
        if (part != NULL) {
            report_shape(rules, call, row, part);
        } else {
            check_reference(rules, template, call);
        }
    }
}

void rule_template_calls(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->all_calls.count; i++) {
        check_call(rules, template, template->all_calls.items[i]);
    }
}
