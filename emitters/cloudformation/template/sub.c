// Writes a text twice while it is put together, plain and for Fn::Sub, and takes the one that fits. In Fn::Sub `${!`
// stands for `${`, and a list is no text: it is joined with commas under a name of the second argument.
#include "emitters/cloudformation/template/sub.h"

#include "compiler/plan/model/shared.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"

static void begin(SubText *text) {
    text->plain.arena = text->stack->arena;
    text->sub.arena = text->stack->arena;
    text->literal.arena = text->stack->arena;
}

// ${HOME} in a command is plain text, but ${AWS::Region} outside of Fn::Sub is what linters take for a mistake.
static bool looks_forgotten(Str text) {
    size_t found = str_find(text, STR("${AWS::"), 0);
    return str_find(text, STR("}"), found) < text.len;
}

// A dollar that Fn::Sub leaves alone whatever comes behind it.
static void add_dollar(SubText *text) {
    Str name = STR("dollar"); // in lower case, as no id of the template is
    if (text->map == NULL) {
        text->map = doc_map(text->stack->doc);
    }
    if (doc_get(text->map, name) == NULL) {
        doc_put(text->stack->doc, text->map, name, tree_text(text->stack->doc, WHY_SUB_DOLLAR, "$"));
    }
    strbuf_add(&text->sub, STR("${dollar}"));
}

// What stood between two references. `${!x}` is the literal `${x}`; where the brace is closed by another piece, or
// nothing is substituted at all, the dollar is a variable.
static void flush(SubText *text) {
    Str literal = strbuf_str(&text->literal);
    for (size_t start = 0; start < literal.len;) {
        size_t found = str_find(literal, STR("${"), start);
        strbuf_add(&text->sub, str_slice(literal, start, found));
        if (found == literal.len) {
            break;
        }
        size_t end = str_find(literal, STR("}"), found);
        bool is_inside = str_find(str_slice(literal, found + 2, end), STR("${"), 0) < end - found - 2;
        if (text->is_late && end < literal.len && !is_inside && end > found + 2) {
            strbuf_add(&text->sub, STR("${!"));
            start = found + 2;
        } else {
            add_dollar(text);
            start = found + 1;
        }
    }
    text->literal.len = 0;
}

void sub_add(SubText *text, Str literal, const Origin *origin) {
    begin(text);
    text->origin = origin_join(text->stack->arena, text->origin, origin);
    strbuf_add(&text->plain, literal);
    strbuf_add(&text->literal, literal);
}

void sub_add_reference(SubText *text, Str reference, const Origin *origin) {
    begin(text);
    text->origin = origin_join(text->stack->arena, text->origin, origin);
    text->is_late = true;
    flush(text);
    strbuf_add_format(&text->sub, "${%.*s}", STR_ARG(reference));
}

// A name that no parameter or resource of the template can have: their ids begin with a capital.
static Str lower_first(Stack *stack, Str name) {
    char first = name.data[0];
    return str_format(stack->arena, "%c%.*s", first >= 'A' && first <= 'Z' ? first - 'A' + 'a' : first,
                      STR_ARG(str_slice(name, 1, name.len)));
}

static Str variable_name(Stack *stack, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    const Late *late = resource == NULL ? value->late : NULL;
    if (resource != NULL) {
        return plan_export_key(stack->arena, stack->plan, resource, attribute);
    }
    if (late->kind == LATE_OUTPUT || late->kind == LATE_WRITTEN_OUTPUT) {
        return stack_id(stack, plan_part(stack->plan, late->block)->name, late->name, "");
    }
    return late->kind == LATE_PARAM ? stack_pascal(stack, late->param->name) : STR("Value");
}

// A value that is neither a reference nor a literal gets a name of its own. If it turns out to be one of them, it
// becomes this.
static void add_variable(SubText *text, const Value *value) {
    Stack *stack = text->stack;
    DocNode *node = template_text(stack, value);
    if (node->kind == DOC_CALL && (node->call == CALL_REF || node->call == CALL_GET_ATT)) {
        sub_add_reference(text, node->first->string, node->first->origin);
        return;
    }
    if (node->kind == DOC_STRING) {
        sub_add(text, node->string, node->origin);
        return;
    }
    Str base = variable_name(stack, value);
    if (text->map == NULL) {
        text->map = doc_map(stack->doc);
    }
    base = lower_first(stack, base);
    Str name = base;
    for (uint32_t i = 2; doc_get(text->map, name) != NULL; i++) {
        name = str_format(stack->arena, "%.*s%" PRIu32, STR_ARG(base), i);
    }
    doc_put(stack->doc, text->map, name, node);
    sub_add_reference(text, name, value->origin);
}

static void add_late(SubText *text, const Value *value) {
    Stack *stack = text->stack;
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        if (late->param->type->kind == TYPE_LIST) {
            add_variable(text, value);
        } else {
            sub_add_reference(text, stack_param(stack, late->param), value->origin);
        }
        return;
    case LATE_PSEUDO:
        sub_add_reference(text, template_pseudo(late), value->origin);
        return;
    case LATE_WRITTEN_OUTPUT:
        if (import_is_elsewhere(stack, late->block)) {
            add_variable(text, value);
        } else {
            sub_add_value(text, late->parts[0]);
        }
        return;
    case LATE_TEXT:
        for (uint32_t i = 0; i < late->part_count; i++) {
            sub_add_value(text, late->parts[i]);
        }
        return;
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_OUTPUT:
    case LATE_IF:
    case LATE_DEFAULT:
    case LATE_ITEM:
        add_variable(text, value);
        return;
    }
}

void sub_add_value(SubText *text, const Value *value) {
    switch (value->kind) {
    case VALUE_STRING:
    case VALUE_WORD:
        sub_add(text, value->string, value->origin);
        return;
    case VALUE_LATE:
        add_late(text, value);
        return;
    case VALUE_RESOURCE:
        add_variable(text, value);
        return;
    case VALUE_NULL:
    case VALUE_ERROR:
        return;
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_LIST:
    case VALUE_MAP:
    case VALUE_TAG:
    case VALUE_BLOCK:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        sub_add(text, value_print(text->stack->arena, value), value->origin);
        return;
    }
}

// ${name} alone and nothing around it: people write !Ref.
static bool is_reference(Str sub) {
    return str_starts_with(sub, STR("${")) && str_find(sub, STR("}"), 0) == sub.len - 1 &&
           str_find(sub, STR("."), 0) == sub.len && !str_starts_with(sub, STR("${!"));
}

static DocNode *make(SubText *text, bool is_block) {
    begin(text);
    Doc *doc = text->stack->doc;
    DocNode *(*leaf)(Doc *, Str, const Origin *) = is_block ? doc_block : doc_string;
    if (!text->is_late && !looks_forgotten(strbuf_str(&text->plain))) {
        return leaf(doc, strbuf_str(&text->plain), text->origin);
    }
    flush(text);
    Str sub = strbuf_str(&text->sub);
    if (is_reference(sub) && text->map == NULL) {
        return doc_call(doc, CALL_REF, doc_string(doc, str_slice(sub, 2, sub.len - 1), text->origin));
    }
    DocNode *string = leaf(doc, sub, text->origin);
    return text->map == NULL ? doc_call(doc, CALL_SUB, string)
                             : intrinsic_call(text->stack, CALL_SUB, string, text->map);
}

DocNode *sub_node(SubText *text) {
    return make(text, false);
}

DocNode *sub_block(SubText *text) {
    return make(text, true);
}
