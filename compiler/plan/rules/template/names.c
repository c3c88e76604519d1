// Rules about the names of a CloudFormation template: of what is not declared, and of what is asked of a resource that
// does not have it, or has another kind of thing.
#include "compiler/plan/rules/template/names.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/names.h"
#include "schema/resource_types.h"

// ---- what is not declared ----------------------------------------------------------------------------------------

static bool is_declared(const PlanUse *use) {
    const bool wants_resource = use->kind == USE_ATTRIBUTE || use->kind == USE_DEPENDS_ON;
    return use->to != NULL && (!wants_resource || use->to->kind == NAMED_RESOURCE);
}

// Whether a resource has the name before the dot: `Ref: Server.Arn`.
static bool is_attribute(const PlanTemplate *template, Str name) {
    const size_t dot = str_find(name, STR("."), 0);
    return dot < name.len && plan_named(template, NAMED_RESOURCE, str_slice(name, 0, dot)) != NULL;
}

static bool is_pseudo(const PlanUse *use) {
    return str_starts_with(use->name, STR("AWS::"));
}

static void suggest_pseudo(Session *session, Diag *diag, const PlanUse *use) {
    Suggestion suggestion = suggest_for(session, use->name);
    const NameList names = names_of(NAMES_CLOUDFORMATION_PSEUDO_PARAMETERS);
    for (size_t i = 0; i < names.count; i++) {
        suggest_offer(&suggestion, str_of(names.items[i]));
    }
    if (!suggest_say(session, diag, &suggestion, use->span)) {
        diag_help(session, diag,
                  "CloudFormation has `AWS::AccountId`, `AWS::Partition`, `AWS::Region`, `AWS::StackName` "
                  "and a few others");
    }
}

static bool suggest_name(const Rules *rules, Diag *diag, const PlanTemplate *template, const PlanUse *use) {
    Suggestion suggestion = suggest_for(rules->session, use->name);
    for (uint32_t i = 0; i < template->named.count && !suggest_is_idle(&suggestion); i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_parameter = use->kind == USE_REF && named->kind == NAMED_PARAMETER;
        const bool is_wanted =
            use->kind == USE_CONDITION ? named->kind == NAMED_CONDITION : named->kind == NAMED_RESOURCE || is_parameter;
        if (is_wanted) {
            suggest_offer(&suggestion, named->name);
        }
    }
    return rule_suggest(rules, diag, &suggestion, use->span);
}

// Whether a script that the name stands in gives it a value: `NAME=`, `for NAME in`, `read -r NAME`.
static bool is_set_by_script(const Session *session, const PlanUse *use) {
    enum { SCRIPT_BYTES_MAX = 65536 }; // four times what user data can hold
    const Str text = use->is_sub && use->from != NULL ? source_text(session, use->from->data->span) : STR_NONE;
    if (text.len > SCRIPT_BYTES_MAX) {
        return false;
    }
    for (size_t at = str_find(text, use->name, 0); at < text.len; at = str_find(text, use->name, at + 1)) {
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const Str behind = str_slice(text, at + use->name.len, text.len);
        const Str line = str_slice(text, 0, at);
        const bool begins = strchr(" \t\n;(\"", before) != NULL;
        if (begins && (str_starts_with(behind, STR("=")) || str_ends_with(line, STR("for ")) ||
                       str_ends_with(line, STR("read ")) || str_ends_with(line, STR("read -r ")))) {
            return true;
        }
    }
    return false;
}

void names_report(const Rules *rules, const PlanTemplate *template, const PlanUse *use, Str otherwise) {
    Session *session = rules->session;
    if (use->kind == USE_CONDITION) {
        Diag *diag = plan_report(session, use->subject, use->span, DIAG(condition_unknown), STR_ARG(use->name));
        suggest_name(rules, diag, template, use);
        return;
    }
    const char *what = is_pseudo(use) ? "no parameter of CloudFormation, and no name"
                       : use->kind == USE_ATTRIBUTE || use->kind == USE_DEPENDS_ON ? "no resource"
                                                                                   : "no resource and no parameter";
    Diag *diag = plan_report(session, use->subject, use->span, DIAG(name_undeclared), STR_ARG(use->name), what);
    if (is_pseudo(use)) {
        suggest_pseudo(session, diag, use);
    } else if (is_attribute(template, use->name)) {
        diag_help(session, diag, "`Ref` takes the name alone: write `!GetAtt %.*s`", STR_ARG(use->name));
    } else if (use->to != NULL) {
        diag_help(session, diag, "it is a parameter: %s",
                  use->kind == USE_DEPENDS_ON ? "name a resource" : "write `!Ref`, which needs no attribute");
    } else if (is_set_by_script(session, use)) {
        diag_help(session, diag, "the script sets it: write `${!%.*s}`, which CloudFormation leaves to the shell",
                  STR_ARG(use->name));
        rule_replace_part(rules, diag, use->span, use->name, str_format(session->arena, "!%.*s", STR_ARG(use->name)));
    } else if (!suggest_name(rules, diag, template, use) && otherwise.len > 0) {
        diag_help(session, diag, "%.*s", STR_ARG(otherwise));
    }
}

// CloudFormation works out conditions before it makes anything.
static bool is_made_later(const PlanUse *use) {
    return use->from != NULL && use->from->kind == NAMED_CONDITION && use->to != NULL &&
           use->to->kind == NAMED_RESOURCE && (use->kind == USE_REF || use->kind == USE_ATTRIBUTE);
}

static void report_resource(const Rules *rules, const PlanUse *use) {
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(condition_of_resource), STR_ARG(use->name));
    diag_label(rules->session, diag, use->to->span, "made later");
    diag_help(rules->session, diag, "ask for a parameter, or for the condition of the resource: `!Condition`");
}

// All of them are one finding: who removes the first looks for the others.
static void report_unused(const Rules *rules, const PlanTemplate *template, const bool *is_used) {
    enum { SHOWN_MAX = 20 };
    Diag *diag = NULL;
    uint32_t others = 0;
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind != NAMED_CONDITION || is_used[i] || plan_allows(named->subject, DIAG_condition_unused)) {
            continue;
        }
        if (diag == NULL) {
            diag = report(rules->session, named->span, DIAG(condition_unused), STR_ARG(named->name));
        } else if (++others < SHOWN_MAX) {
            diag_label(rules->session, diag, named->span, "nor this one");
        }
    }
    if (others >= SHOWN_MAX) {
        diag_note(rules->session, diag, "%" PRIu32 " more are used by nothing", others - SHOWN_MAX + 1);
    }
}

// AWS::Serverless adds resources, and no conditions.
static void check_conditions(const Rules *rules, const PlanTemplate *template) {
    for (uint32_t i = 0; template != NULL && template->has_all_conditions && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->kind == USE_CONDITION && !is_declared(use)) {
            names_report(rules, template, use, STR_NONE);
        }
    }
}

void rule_template_names(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL || template->is_open) {
        check_conditions(rules, template);
        return;
    }
    bool *is_used = arena_new_array(rules->session->arena, bool, template->named.count);
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->to != NULL) {
            is_used[use->to->index] = true;
        }
        const bool is_known =
            is_pseudo(use) ? use->kind != USE_REF || names_have(NAMES_CLOUDFORMATION_PSEUDO_PARAMETERS, use->name)
                           : is_declared(use);
        if (use->kind != USE_TEXT && !is_known) {
            names_report(rules, template, use, STR_NONE);
        } else if (is_made_later(use)) {
            report_resource(rules, use);
        }
    }
    report_unused(rules, template, is_used);
}

// ---- what CloudFormation does not have ----------------------------------------------------------------------------

// `!Rain::S3` is filled in by Rain before CloudFormation sees it, and other tools have functions of such names, too.
static bool is_of_tool(const PlanForeignCall *call) {
    const size_t start = str_starts_with(call->name, STR("Fn::")) ? STR("Fn::").len : 0;
    return str_find(call->name, STR("::"), start) < call->name.len;
}

void rule_template_functions(const Rules *rules, const PlanFile *file) {
    Session *session = rules->session;
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->has_macro && i < template->foreign_calls.count; i++) {
        const PlanForeignCall *call = template->foreign_calls.items[i];
        if (is_of_tool(call)) {
            continue;
        }
        Diag *diag = plan_report(session, call->subject, call->span, DIAG(function_unknown), STR_ARG(call->name));
        Suggestion suggestion = suggest_for(session, call->name);
        const bool is_short = str_starts_with(call->name, STR("!"));
        const NameList functions = names_of(NAMES_CLOUDFORMATION_FUNCTIONS);
        for (size_t k = 0; k < functions.count; k++) {
            const Str name = str_of(functions.items[k]);
            const Str bare = str_starts_with(name, STR("Fn::")) ? str_slice(name, STR("Fn::").len, name.len) : name;
            suggest_offer(&suggestion, is_short ? str_format(session->arena, "!%.*s", STR_ARG(bare)) : name);
        }
        if (!suggest_say(session, diag, &suggestion, call->span)) {
            diag_help(session, diag,
                      "write the value itself, or one of CloudFormation's functions: `!Ref`, `!Sub`, "
                      "`!GetAtt`");
        }
    }
}

// ---- what a resource does not have -------------------------------------------------------------------------------

static void report_attribute(const Rules *rules, const PlanUse *use) {
    Session *session = rules->session;
    Diag *diag = plan_report(session, use->subject, use->attribute_span, DIAG(attribute_unknown),
                             STR_ARG(use->to->type), STR_ARG(use->attribute));
    Suggestion suggestion = suggest_for(session, use->attribute);
    StrBuf all = { .arena = session->arena };
    Str name;
    for (size_t i = 0; (name = resource_attribute_name(use->to->type, i)).len > 0; i++) {
        suggest_offer(&suggestion, name);
        strbuf_add_format(&all, "%s`%.*s`", i == 0 ? "" : ", ", STR_ARG(name));
    }
    if (!suggest_say(session, diag, &suggestion, use->attribute_span)) {
        diag_help(session, diag, "it has %.*s; `Ref` is %.*s", STR_ARG(strbuf_str(&all)),
                  STR_ARG(resource_ref(use->to->type)));
    }
}

// Of a nested stack there are its outputs alone.
static void check_outputs(const Rules *rules, const PlanUse *use) {
    if (!str_starts_with(use->attribute, STR("Outputs."))) {
        Diag *diag = plan_report(rules->session, use->subject, use->attribute_span, DIAG(attribute_unknown),
                                 STR_ARG(use->to->type), STR_ARG(use->attribute));
        diag_help(rules->session, diag, "write `Outputs.%.*s`", STR_ARG(use->attribute));
    }
}

void rule_template_attributes(const Rules *rules, const PlanFile *file) {
    for (uint32_t i = 0; file->names != NULL && i < file->names->uses.count; i++) {
        const PlanUse *use = file->names->uses.items[i];
        const bool is_asked = use->kind == USE_ATTRIBUTE && is_declared(use) && use->attribute.len > 0 &&
                              str_find(use->attribute, STR("${"), 0) == use->attribute.len;
        if (is_asked && str_is(use->to->type, "AWS::CloudFormation::Stack")) {
            check_outputs(rules, use);
        } else if (is_asked && !resource_has_attribute(use->to->type, use->attribute)) {
            report_attribute(rules, use);
        }
    }
}

// ---- what a property takes ---------------------------------------------------------------------------------------

static const ResourceTakes *takes_of(const PlanUse *use) {
    const bool is_property = use->is_whole && use->from != NULL && use->from->kind == NAMED_RESOURCE;
    return is_property ? resource_takes(use->from->type, use->outer, use->key) : NULL;
}

static Str kinds_of(const Rules *rules, const ResourceTakes *takes) {
    StrBuf text = { .arena = rules->session->arena };
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : " or ", takes->kinds[i]);
    }
    return strbuf_str(&text);
}

// The way to the right kind of the same resource; empty where it has none.
static Str way_to(const Rules *rules, const PlanUse *use, const ResourceTakes *takes) {
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        const Str kind = str_of(takes->kinds[i]);
        const Str attribute = resource_attribute_of(use->to->type, kind);
        if (str_equal(resource_ref(use->to->type), kind)) {
            return str_format(rules->session->arena, "!Ref %.*s", STR_ARG(use->name));
        }
        if (attribute.len > 0) {
            return str_format(rules->session->arena, "!GetAtt %.*s.%.*s", STR_ARG(use->name), STR_ARG(attribute));
        }
    }
    return STR_NONE;
}

// A fix for a call that YAML writes by a tag: `!Ref NAME` or `!GetAtt NAME.ATTRIBUTE`.
static void replace_call(const Rules *rules, Diag *diag, const PlanUse *use, Str way) {
    Arena *arena = rules->session->arena;
    const Str head = use->kind == USE_REF ? STR("!Ref ") : STR("!GetAtt ");
    const Str tail = use->kind == USE_REF ? STR("") : str_format(arena, ".%.*s", STR_ARG(use->attribute));
    if (use->is_sub || span_is_none(use->span) || use->span.start < head.len) {
        return;
    }
    const Span call = { .source = use->span.source,
                        .start = use->span.start - (uint32_t)head.len,
                        .end = use->span.end + (uint32_t)tail.len };
    const Str text = source_get(rules->session, call.source)->text;
    const Str wanted = str_format(arena, "%.*s%.*s%.*s", STR_ARG(head), STR_ARG(use->name), STR_ARG(tail));
    if (call.end <= text.len && str_equal(str_slice(text, call.start, call.end), wanted)) {
        diag_fix(rules->session, diag, call, way);
    }
}

static void check_kind(const Rules *rules, const PlanUse *use, const ResourceTakes *takes) {
    Session *session = rules->session;
    const Str kind =
        use->kind == USE_REF ? resource_ref(use->to->type) : resource_attribute(use->to->type, use->attribute);
    if (kind.len == 0 || resource_takes_kind(takes, kind)) {
        return;
    }
    Diag *diag = plan_report(session, use->subject, use->span, DIAG(kind_of_reference), STR_ARG(use->key),
                             STR_ARG(kinds_of(rules, takes)), STR_ARG(kind));
    const Str way = way_to(rules, use, takes);
    if (way.len > 0) {
        diag_help(session, diag, "write `%.*s`", STR_ARG(way));
        replace_call(rules, diag, use, way);
    } else {
        diag_help(session, diag, "name a resource that gives one; `%.*s` is an %.*s", STR_ARG(use->name),
                  STR_ARG(use->to->type));
    }
}

// Whether the resource may have its own id in this template as its name: it has one that somebody wrote.
static bool has_name(const PlanNamed *resource) {
    const Data *properties = data_get(resource->data, "Properties");
    for (uint32_t i = 0; properties != NULL && properties->kind == DATA_MAP && i < properties->count; i++) {
        if (str_ends_with(properties->entries[i].key, STR("Name"))) {
            return true;
        }
    }
    return properties != NULL && properties->kind != DATA_MAP;
}

static bool takes_name(const ResourceTakes *takes) {
    bool takes_it = false;
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        takes_it = takes_it || str_ends_with(str_of(takes->kinds[i]), STR("name"));
    }
    return takes_it;
}

// A text that is the name of what the property takes: `SubnetId: PrivateSubnet`.
static void check_text(const Rules *rules, const PlanUse *use, const ResourceTakes *takes) {
    const Str ref = resource_ref(use->to->type);
    const bool is_parameter = use->to->kind == NAMED_PARAMETER;
    const bool is_name = resource_takes_kind(takes, ref) && str_ends_with(ref, STR("name")) && has_name(use->to);
    if (use->to == use->from || is_name || (is_parameter && str_ends_with(str_of(takes->kinds[0]), STR("name")))) {
        return;
    }
    const Str way = is_parameter ? STR_NONE : way_to(rules, use, takes);
    if (!is_parameter && way.len == 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(literal_name), STR_ARG(use->name),
                             is_parameter ? "parameter" : "resource");
    const Str meant = is_parameter ? str_format(rules->session->arena, "!Ref %.*s", STR_ARG(use->name)) : way;
    diag_help(rules->session, diag, "write `%.*s`", STR_ARG(meant));
    // A text in quotes may be one of JSON, and who takes a name may have been given one that is the name of something.
    if (!takes_name(takes) && str_equal(source_text(rules->session, use->span), use->name)) {
        diag_fix(rules->session, diag, use->span, meant);
    }
}

// What stands before a reference in a text, and what it takes there.
typedef struct {
    const char *before;
    const char *kind;
} TextKindRow;

// source: IAM User Guide, IAM ARNs; Amazon S3 User Guide, Accessing a bucket using S3:// and ARNs of S3, 2026-11, read 2026-11
static const TextKindRow TEXT_KIND_ROWS[] = {
    { "s3://${", "a bucket name" },    { ":s3:::${", "a bucket name" },
    { ":role/${", "a role name" },     { ":instance-profile/${", "an instance profile name" },
    { ":policy/${", "a policy name" }, { ":file-system/${", "a file system id" },
};

// `s3://${Data.Arn}`: a part of a text that is of another kind.
static void check_part(const Rules *rules, const PlanUse *use) {
    Session *session = rules->session;
    const Str kind =
        use->kind == USE_REF ? resource_ref(use->to->type) : resource_attribute(use->to->type, use->attribute);
    const Str text = span_is_none(use->span) ? STR_NONE : source_get(session, use->span.source)->text;
    for (size_t i = 0; kind.len > 0 && i < COUNT_OF(TEXT_KIND_ROWS); i++) {
        const TextKindRow *row = &TEXT_KIND_ROWS[i];
        const Str before = str_of(row->before);
        const bool is_file_system = str_ends_with(kind, STR(" file system id"));
        if (use->span.start < before.len ||
            !str_equal(str_slice(text, use->span.start - before.len, use->span.start), before) ||
            str_is(kind, row->kind) || (is_file_system && str_is(str_of(row->kind), "a file system id"))) {
            continue;
        }
        Diag *diag =
            plan_report(session, use->subject, use->span, DIAG(kind_of_reference),
                        STR_ARG(str_slice(before, 0, before.len - 2)), STR_ARG(str_of(row->kind)), STR_ARG(kind));
        if (str_is(resource_ref(use->to->type), row->kind)) {
            diag_help(session, diag, "write `${%.*s}`", STR_ARG(use->name));
        } else {
            diag_help(session, diag, "name a resource that gives one");
        }
    }
}

// An output that is the name of a resource or of a parameter as a text: whoever reads it gets the word. Nobody needs that, but
// where it is called a logical id, or the name is that of the resource itself.
static void check_output(const Rules *rules, const PlanUse *use) {
    const bool is_parameter = use->to->kind == NAMED_PARAMETER;
    const Str ref = is_parameter ? STR("the value of the parameter") : resource_ref(use->to->type);
    const bool is_name = !is_parameter && str_ends_with(ref, STR("name")) && has_name(use->to);
    const bool is_meant = str_has(use->from->name, "Logical") || str_has(use->from->name, "Resource");
    if (ref.len == 0 || is_name || is_meant) {
        return;
    }
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(literal_name), STR_ARG(use->name),
                             is_parameter ? "parameter" : "resource");
    diag_help(rules->session, diag, "write `!Ref %.*s`, which is %.*s", STR_ARG(use->name), STR_ARG(ref));
}

// ---- parameters of AWS's own types -------------------------------------------------------------------------------------

typedef struct {
    const char *type;
    const char *kind;
} TypedParameterRow;

static const TypedParameterRow TYPED_PARAMETER_ROWS[] = {
#define PARAMETER_TYPE(type, kind) { type, kind },
#include "schema/parameter_types.def"
};

// The type in `List<…>`, and that of a parameter of Systems Manager.
static Str inner_type(Str type) {
    const size_t start = str_find(type, STR("<"), 0);
    const bool has_inner = start < type.len && str_ends_with(type, STR(">"));
    return has_inner ? inner_type(str_slice(type, start + 1, type.len - 1)) : type;
}

static void check_parameter(const Rules *rules, const PlanUse *use, const ResourceTakes *takes) {
    const char *kind = NULL;
    const char *wanted = NULL;
    for (size_t i = 0; i < COUNT_OF(TYPED_PARAMETER_ROWS); i++) {
        const TypedParameterRow *row = &TYPED_PARAMETER_ROWS[i];
        kind = str_is(inner_type(use->to->type), row->type) ? row->kind : kind;
        wanted = wanted == NULL && resource_takes_kind(takes, str_of(row->kind)) ? row->type : wanted;
    }
    if (kind == NULL || resource_takes_kind(takes, str_of(kind))) {
        return;
    }
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(kind_of_reference), STR_ARG(use->key),
                             STR_ARG(kinds_of(rules, takes)), STR_ARG(str_of(kind)));
    diag_label(rules->session, diag, use->to->span, "is of the type `%.*s`", STR_ARG(use->to->type));
    if (wanted != NULL) {
        diag_help(rules->session, diag, "name a parameter of the type `%s`", wanted);
    } else {
        diag_help(rules->session, diag, "name something that is %.*s", STR_ARG(kinds_of(rules, takes)));
    }
}

void rule_template_kinds(const Rules *rules, const PlanFile *file) {
    for (uint32_t i = 0; file->names != NULL && i < file->names->uses.count; i++) {
        const PlanUse *use = file->names->uses.items[i];
        const ResourceTakes *takes = use->to == NULL || use->is_sub ? NULL : takes_of(use);
        const bool is_output = use->kind == USE_TEXT && use->is_whole && use->from != NULL &&
                               use->from->kind == NAMED_OUTPUT && str_is(use->key, "Value");
        if (is_output && use->to != NULL && (use->to->kind == NAMED_RESOURCE || use->to->kind == NAMED_PARAMETER)) {
            check_output(rules, use);
        }
        if (use->is_sub && use->to != NULL && use->to->kind == NAMED_RESOURCE &&
            (use->kind == USE_REF || use->kind == USE_ATTRIBUTE)) {
            check_part(rules, use);
        }
        if (takes == NULL) {
            continue;
        }
        if (use->kind == USE_TEXT) {
            check_text(rules, use, takes);
        } else if (use->to->kind == NAMED_RESOURCE && (use->kind == USE_REF || use->kind == USE_ATTRIBUTE)) {
            check_kind(rules, use, takes);
        } else if (use->to->kind == NAMED_PARAMETER && use->kind == USE_REF) {
            check_parameter(rules, use, takes);
        }
    }
}
