// Late params as template parameters: the type that makes CloudFormation check the value as early as it can, the doc as
// description, the default. Params stand in the order of the source, images after them.
#include "emitters/cloudformation/template/parameters.h"

#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"

// The params of the template.
static Params in_source_order(const Stack *stack) {
    Params ordered = { 0 };
    const Params *params = &stack->plan->params;
    for (uint32_t i = 0; i < params->count; i++) {
        for (uint32_t k = 0; k < stack->params.count; k++) {
            if (stack->params.items[k] == params->items[i]) {
                vec_push(stack->arena, &ordered, params->items[i]);
            }
        }
    }
    assert(ordered.count == stack->params.count);
    return ordered;
}

static bool has_default(const Param *param) {
    return param->initial != NULL && param->initial->kind != VALUE_NULL;
}

static bool is_required(const Param *param) {
    return !param->is_optional && !has_default(param);
}

static Str list_type(const Param *param) {
    const Type *element = param->type->element;
    if (param->is_optional || element == NULL) {
        return STR("CommaDelimitedList");
    }
    if (element->kind == TYPE_INT) {
        return STR("List<Number>");
    }
    return element->kind == TYPE_PATTERN ? str_of(element->pattern->cfn_list_type) : STR("CommaDelimitedList");
}

static Str parameter_type(const Param *param) {
    switch (param->type->kind) {
    case TYPE_BOOL:
    case TYPE_STRING:
        return STR("String");
    case TYPE_INT:
        return param->is_optional ? STR("String") : STR("Number");
    case TYPE_PATTERN:
        return param->is_optional ? STR("String") : str_of(param->type->pattern->cfn_type);
    case TYPE_LIST:
        return list_type(param);
    case TYPE_ANY:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
    case TYPE_MAP:
    case TYPE_BLOCK:
    case TYPE_WORD:
    case TYPE_TAG:
    case TYPE_UNION:
        break; // no late param is of these: there is no such template parameter
    }
    assert(false && "a late param of a type that it cannot have");
    return STR_NONE;
}

// The default as text, as the console shows it; a number stays one.
static DocNode *default_node(Stack *stack, const Param *param) {
    if (!has_default(param)) {
        return param->is_optional ? tree_text(stack->doc, WHY_PARAMETER_OPTIONAL, "") : NULL;
    }
    const Value *initial = param->initial;
    if (initial->kind == VALUE_BOOL) {
        return doc_string(stack->doc, initial->boolean ? STR("true") : STR("false"), initial->origin);
    }
    if (initial->kind == VALUE_STRING) {
        return doc_string(stack->doc, initial->string, initial->origin); // no intrinsic may stand in a parameter
    }
    if (initial->kind == VALUE_INT && param->is_optional) {
        return doc_string(stack->doc, value_print(stack->arena, initial), initial->origin);
    }
    if (initial->kind != VALUE_LIST) {
        return template_value(stack, initial);
    }
    StrBuf text = { .arena = stack->arena };
    for (uint32_t i = 0; i < initial->list.count; i++) {
        const Value *item = initial->list.items[i];
        strbuf_add(&text, i == 0 ? STR_NONE : STR(","));
        strbuf_add(&text, item->kind == VALUE_STRING ? item->string : value_print(stack->arena, item));
    }
    return doc_string(stack->doc, strbuf_str(&text), initial->origin);
}

static void add_allowed_values(Stack *stack, DocNode *entry, const Param *param) {
    DocNode *values = tree_put_list(stack->doc, entry, "AllowedValues");
    if (param->is_optional) {
        doc_add(stack->doc, values, tree_text(stack->doc, WHY_PARAMETER_OPTIONAL, ""));
    }
    doc_add(stack->doc, values, tree_text(stack->doc, WHY_PARAMETER, "true"));
    doc_add(stack->doc, values, tree_text(stack->doc, WHY_PARAMETER, "false"));
}

// The pattern of a type, so written that the empty text is admitted where the param is optional.
static Str allowed_pattern(const Stack *stack, const char *pattern, bool is_optional) {
    Str text = str_of(pattern);
    if (str_starts_with(text, STR("^"))) {
        text = str_slice(text, 1, text.len);
    }
    if (str_ends_with(text, STR("$"))) {
        text = str_slice(text, 0, text.len - 1);
    }
    return str_format(stack->arena, is_optional ? "^(?:%.*s)?$" : "^%.*s$", STR_ARG(text));
}

static void add_pattern(Stack *stack, DocNode *entry, const Param *param) {
    const PatternRow *row = param->type->pattern;
    Why reason = param->is_optional ? WHY_PARAMETER_OPTIONAL : WHY_PARAMETER;
    if (param->type->kind == TYPE_INT && param->is_optional) {
        tree_put_text(stack->doc, entry, "AllowedPattern", reason, "^(?:-?[0-9]+)?$");
        tree_put_text(stack->doc, entry, "ConstraintDescription", reason, "a whole number, or nothing");
        return;
    }
    if (param->type->kind != TYPE_PATTERN || (!param->is_optional && strcmp(row->cfn_type, "String") != 0)) {
        return;
    }
    tree_put(stack->doc, entry, "AllowedPattern",
             tree_string(stack->doc, reason, allowed_pattern(stack, row->pattern, param->is_optional)));
    Str example = str_format(stack->arena, "such as %s%s", row->example, param->is_optional ? ", or nothing" : "");
    tree_put(stack->doc, entry, "ConstraintDescription", tree_string(stack->doc, reason, example));
}

// The doc as one line.
static Str one_line(const Stack *stack, Str doc) {
    StrBuf text = { .arena = stack->arena };
    for (size_t i = 0; i < doc.len; i++) {
        strbuf_add_char(&text, doc.data[i] == '\n' ? ' ' : doc.data[i]);
    }
    return str_trim(strbuf_str(&text));
}

static void add_param(Stack *stack, DocNode *section, const Param *param) {
    const Origin *origin = origin_span(stack->arena, param->span);
    doc_because(stack->doc, origin);
    DocNode *entry = doc_put(stack->doc, section, stack_pascal(stack, param->name), doc_map(stack->doc));
    tree_put(stack->doc, entry, "Type", tree_string(stack->doc, WHY_PARAMETER, parameter_type(param)));
    if (param->doc.len > 0) {
        tree_put(stack->doc, entry, "Description", doc_string(stack->doc, one_line(stack, param->doc), origin));
    }
    tree_put(stack->doc, entry, "Default", default_node(stack, param));
    if (param->type->kind == TYPE_BOOL) {
        add_allowed_values(stack, entry, param);
    }
    add_pattern(stack, entry, param);
    doc_unbecause(stack->doc);
    if (is_required(param)) {
        Arena *arena = stack->session->arena;
        vec_push(arena, &stack->step.parameters, str_copy(arena, stack_pascal(stack, param->name)));
    }
}

static void add_image(Stack *stack, DocNode *section, const StackImage *image) {
    doc_because(stack->doc, image->origin);
    DocNode *entry = doc_put(stack->doc, section, image->id, doc_map(stack->doc));
    tree_put_text(stack->doc, entry, "Type", WHY_PARAMETER_IMAGE, "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>");
    tree_put_text(stack->doc, entry, "Description", WHY_PARAMETER_IMAGE,
                  "SSM parameter that holds the id of the image");
    tree_put(stack->doc, entry, "Default", doc_string(stack->doc, image->path, image->origin));
    doc_unbecause(stack->doc);
}

static void add_answer(Stack *stack, DocNode *section, const StackAnswer *answer) {
    doc_because(stack->doc, answer->origin);
    DocNode *entry = doc_put(stack->doc, section, str_of(answer->id), doc_map(stack->doc));
    tree_put_text(stack->doc, entry, "Type", WHY_PARAMETER_ANSWER, answer->type);
    tree_put_text(stack->doc, entry, "Description", WHY_PARAMETER_ANSWER, answer->description);
    if (answer->pattern != NULL) {
        tree_put_text(stack->doc, entry, "AllowedPattern", WHY_PARAMETER_ANSWER, answer->pattern);
    }
    if (answer->constraint != NULL) {
        tree_put_text(stack->doc, entry, "ConstraintDescription", WHY_PARAMETER_ANSWER, answer->constraint);
    }
    doc_unbecause(stack->doc);
}

// "vpc_stack" as "Vpc stack": what the console shows in place of "VpcStack".
static Str label(const Stack *stack, Str name) {
    StrBuf text = { .arena = stack->arena };
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool is_first_lower = i == 0 && c >= 'a' && c <= 'z';
        strbuf_add_char(&text, is_first_lower ? (char)(c - 'a' + 'A') : c == '_' || c == '-' ? ' ' : c);
    }
    return strbuf_str(&text);
}

// A group of the console's form, made when its first parameter comes.
static void add_to_group(Stack *stack, DocNode *groups, DocNode **names, const char *title, Str name) {
    if (*names == NULL) {
        DocNode *group = tree_add_map(stack->doc, groups);
        tree_put_text(stack->doc, tree_put_map(stack->doc, group, "Label"), "default", WHY_INTERFACE, title);
        *names = tree_put_list(stack->doc, group, "Parameters");
    }
    doc_add(stack->doc, *names, tree_string(stack->doc, WHY_INTERFACE, name));
}

static void add_interface(Stack *stack, const Params *params) {
    DocNode *interface = tree_put_map(stack->doc, stack->metadata, "AWS::CloudFormation::Interface");
    DocNode *groups = tree_put_list(stack->doc, interface, "ParameterGroups");
    DocNode *required = NULL;
    DocNode *optional = NULL;
    DocNode *answers = NULL;
    DocNode *images = NULL;
    for (uint32_t i = 0; i < params->count; i++) {
        if (is_required(params->items[i])) {
            add_to_group(stack, groups, &required, "Required", stack_pascal(stack, params->items[i]->name));
        }
    }
    for (uint32_t i = 0; i < params->count; i++) {
        if (!is_required(params->items[i])) {
            add_to_group(stack, groups, &optional, "Optional", stack_pascal(stack, params->items[i]->name));
        }
    }
    for (uint32_t i = 0; i < stack->answers.count; i++) {
        add_to_group(stack, groups, &answers, "What the service answers", str_of(stack->answers.items[i].id));
    }
    for (uint32_t i = 0; i < stack->images.count; i++) {
        add_to_group(stack, groups, &images, "Images", stack->images.items[i].id);
    }
    DocNode *labels = params->count == 0 ? NULL : tree_put_map(stack->doc, interface, "ParameterLabels");
    for (uint32_t i = 0; i < params->count; i++) {
        Str name = params->items[i]->name;
        DocNode *entry = doc_put(stack->doc, labels, stack_pascal(stack, name), doc_map(stack->doc));
        tree_put(stack->doc, entry, "default",
                 doc_string(stack->doc, label(stack, name), origin_span(stack->arena, params->items[i]->span)));
    }
}

DocNode *parameters_make(Stack *stack) {
    Params params = in_source_order(stack);
    if (params.count == 0 && stack->images.count == 0 && stack->answers.count == 0) {
        return NULL;
    }
    add_interface(stack, &params);
    DocNode *section = doc_map(stack->doc);
    for (uint32_t i = 0; i < params.count; i++) {
        add_param(stack, section, params.items[i]);
    }
    for (uint32_t i = 0; i < stack->answers.count; i++) {
        add_answer(stack, section, &stack->answers.items[i]);
    }
    for (uint32_t i = 0; i < stack->images.count; i++) {
        add_image(stack, section, &stack->images.items[i]);
    }
    return section;
}
