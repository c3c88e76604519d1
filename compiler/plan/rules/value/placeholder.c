// Looks for placeholders in every text that an author wrote and that goes somewhere: attributes, environment, commands,
// raw properties, outputs, patches, defaults of late params. The value is walked as it is, since the fault may stand at
// any depth.
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rules.h"

typedef struct {
    const Rules *rules;
    const PlanPart *part; // NULL for params
    const Param *owner;   // of the default that is searched; NULL: no default
    const Param *wanted;  // NULL: placeholders are looked for; else who uses this one
    bool *is_used;        // by `wanted`'s search
} Search;

typedef struct {
    const char *name;
    TextUse use;
} UseRow;

// Attributes whose text a program reads.
static const UseRow ATTRIBUTE_ROWS[] = {
    { "command", TEXT_SCRIPT }, { "dockerfile", TEXT_SCRIPT }, { "env", TEXT_VALUE },
    { "run", TEXT_SCRIPT },     { "setup", TEXT_SCRIPT },
};

// Properties of EC2 and Batch in which something is put in place of `${…}`, by a shell, by Batch or by the service.
static const UseRow PROPERTY_ROWS[] = {
    { "Command", TEXT_SCRIPT },       { "EntryPoint", TEXT_SCRIPT }, { "Environment", TEXT_VALUE },
    { "Fn::Sub", TEXT_VALUE },        { "LogFormat", TEXT_VALUE },   { "Parameters", TEXT_VALUE },
    { "PolicyDocument", TEXT_VALUE }, { "UserData", TEXT_SCRIPT },
};

// Properties of any other resource that hold a template or a script of their own.
static const UseRow TEMPLATE_ROWS[] = {
    { "BuildSpec", TEXT_SCRIPT },  { "Command", TEXT_SCRIPT },          { "Content", TEXT_SCRIPT },
    { "Definition", TEXT_SCRIPT }, { "DefinitionString", TEXT_SCRIPT }, { "InputTemplate", TEXT_SCRIPT },
    { "ZipFile", TEXT_SCRIPT },
};

static TextUse use_of(const UseRow *rows, size_t count, Str name, TextUse otherwise) {
    for (size_t i = 0; i < count; i++) {
        if (str_is(name, rows[i].name) && rows[i].use < otherwise) {
            return rows[i].use;
        }
    }
    return otherwise;
}

// The place inside of the literal, where that spells it the same way; else the whole value.
static Span narrow(const Rules *rules, const Value *value, Str placeholder) {
    Str written = source_text(rules->session, value->span);
    size_t found = str_find(written, placeholder, 0);
    if (found == written.len || placeholder.len == 0) {
        return value->span;
    }
    return (Span){ .source = value->span.source,
                   .start = value->span.start + (uint32_t)found,
                   .end = value->span.start + (uint32_t)(found + placeholder.len) };
}

// `\${X}` was written by somebody who knows what dt would make of `${X}`, and means the text.
static bool is_meant(const Rules *rules, const Value *value, Str placeholder) {
    Str written = source_text(rules->session, value->span);
    return str_starts_with(placeholder, STR("$")) && str_find(written, STR("\\$"), 0) < written.len;
}

static const Subject *allowing_user(const Rules *rules, const Param *param);

static void search_text(const Search *search, const Value *value, TextUse use) {
    if (search->wanted != NULL) {
        return;
    }
    Str text = value->string;
    bool is_script = str_find(text, STR("\n"), 0) < text.len;
    size_t start = 0;
    size_t end = 0;
    for (size_t from = 0; placeholder_find(text, is_script ? TEXT_SCRIPT : use, from, &start, &end); from = end) {
        Str placeholder = str_slice(text, start, end);
        if (is_meant(search->rules, value, placeholder)) {
            continue;
        }
        const Subject *subject =
            search->owner != NULL ? allowing_user(search->rules, search->owner) : search->part->subject;
        Diag *diag = plan_report(search->rules->session, subject, narrow(search->rules, value, placeholder),
                                 DIAG(placeholder), STR_ARG(placeholder));
        diag_help(search->rules->session, diag, "write the value, or a `param` that the build is given");
    }
}

static TextUse use_under(Str key, TextUse use) {
    use = use_of(PROPERTY_ROWS, COUNT_OF(PROPERTY_ROWS), key, use);
    return use_of(TEMPLATE_ROWS, COUNT_OF(TEMPLATE_ROWS), key, use);
}

static void search_value(const Search *search, const Value *value, TextUse use) {
    if (value->kind == VALUE_STRING) {
        search_text(search, value, use);
    } else if (value->kind == VALUE_LATE && search->wanted != NULL && value->late->param == search->wanted) {
        *search->is_used = true;
    }
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        search_value(search, part, value->kind == VALUE_MAP ? use_under(value->map.entries[i].key, use) : use);
    }
}

// What CloudFormation itself is known to leave as it is.
static bool is_plain(Str type) {
    return str_starts_with(type, STR("AWS::EC2::")) || str_starts_with(type, STR("AWS::Batch::"));
}

static void search_part(const Search *search) {
    const PlanPart *part = search->part;
    for (int i = 0; i < part->kind->attribute_count; i++) {
        Str name = str_of(part_attribute(part, i));
        if (part->subject->values[i] != NULL) {
            search_value(search, part->subject->values[i],
                         use_of(ATTRIBUTE_ROWS, COUNT_OF(ATTRIBUTE_ROWS), name, TEXT_PLAIN));
        }
    }
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        const TextUse use = is_plain(resource->type) ? TEXT_PLAIN : TEXT_VALUE;
        for (uint32_t k = 0; k < resource->property_count; k++) {
            const ValueEntry *entry = &resource->properties[k];
            search_value(search, entry->value, use_under(entry->key, use));
        }
    }
    for (uint32_t i = 0; i < part->outputs.count; i++) {
        search_value(search, part->outputs.items[i].value, TEXT_VALUE);
    }
    for (uint32_t i = 0; i < part->patches.count; i++) {
        search_value(search, part->patches.items[i].value, TEXT_VALUE);
    }
}

void rule_placeholders(const Rules *rules, const PlanPart *part) {
    search_part(&(Search){ .rules = rules, .part = part });
}

static bool uses(const Rules *rules, const PlanPart *part, const Param *param) {
    bool is_used = false;
    search_part(&(Search){ .rules = rules, .part = part, .wanted = param, .is_used = &is_used });
    return is_used;
}

// The first part that uses the param and allows what is found in its default: the default itself stands in no part.
// Each such `allow` counts as used. NULL where no part does.
static const Subject *allowing_user(const Rules *rules, const Param *param) {
    const Subject *found = NULL;
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        const bool is_allowed = uses(rules, part, param) && plan_allows(part->subject, DIAG_placeholder);
        found = found == NULL && is_allowed ? part->subject : found;
    }
    return found;
}

// What is left out may use a param, and allow what stands in its default.
void rule_default_placeholders(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->params.count && !plan_lacks_parts(rules->plan); i++) {
        const Param *param = rules->plan->params.items[i];
        if (param->is_late && !param->is_given && param->initial != NULL) {
            search_value(&(Search){ .rules = rules, .owner = param }, param->initial, TEXT_VALUE);
        }
    }
}
