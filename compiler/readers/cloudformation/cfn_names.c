// Finds the names in a template. The text is walked as it stands there, both arms of each `Fn::If`.
#include "compiler/readers/cloudformation/cfn_loops.h"
#include "compiler/readers/cloudformation/cfn_names.h"

#include "compiler/readers/cloudformation/cfn_roles.h"
#include "compiler/readers/cloudformation/cfn_template.h"
#include "compiler/readers/cloudformation/cfn_value.h"
#include "compiler/readers/foreign_subject.h"
#include "schema/names.h"
#include "schema/resource_types.h"

enum {
    TEXT_MAX = 255,         // of a name
    TAG_DISTANCE_MAX = 200, // bytes between the start of a tag and what it is a tag of
};

typedef struct {
    Session *session;
    PlanTemplate *template;
    uint32_t next_piece; // of the file, behind that of the last resource
    VEC(PlanNamed *) conditions;
    const PlanNamed *from;
    const Subject *subject;
    bool is_condition; // a map with `Condition` alone refers to one
} Walk;

// Where a value stands.
typedef struct {
    Str key;
    Str outer;
    bool is_whole;
    const PlanGuard *guard;
} Spot;

// ---- what is declared --------------------------------------------------------------------------------------------

static const struct {
    const char *section;
    PlanNamedKind kind;
} SECTIONS[] = {
    { "Parameters", NAMED_PARAMETER },
    { "Conditions", NAMED_CONDITION },
    { "Resources", NAMED_RESOURCE },
    { "Outputs", NAMED_OUTPUT },
};

// Resources have subjects already, in order.
static const Subject *subject_of(Walk *walk, const Subject *file, const PlanFile *pieces, const DataEntry *entry) {
    for (uint32_t i = walk->next_piece; i < pieces->pieces.count; i++) {
        if (pieces->pieces.items[i].data == entry->value) {
            walk->next_piece = i + 1;
            return pieces->pieces.items[i].subject;
        }
    }
    return foreign_subject(walk->session, file, entry->key_span, span_join(entry->key_span, entry->value->span));
}

// A resource that stands for several.
static bool is_module(const PlanNamed *named) {
    const Data *type = data_get(named->data, "Type");
    return named->kind == NAMED_RESOURCE &&
           ((type != NULL && type->kind != DATA_STRING) || str_ends_with(named->type, STR("::MODULE")));
}

static void declare(Walk *walk, const Data *document, const Subject *file, const PlanFile *pieces) {
    for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
        const Data *section = data_get(document, SECTIONS[i].section);
        for (uint32_t k = 0; section != NULL && section->kind == DATA_MAP && k < section->count; k++) {
            const DataEntry *entry = &section->entries[k];
            PlanNamed *named = arena_new(walk->session->arena, PlanNamed);
            *named = (PlanNamed){ .kind = SECTIONS[i].kind,
                                  .name = entry->key,
                                  .type = data_text(entry->value, "Type"),
                                  .span = entry->key_span,
                                  .subject = SECTIONS[i].kind == NAMED_RESOURCE
                                                 ? subject_of(walk, file, pieces, entry)
                                                 : foreign_subject(walk->session, file, entry->key_span,
                                                                   span_join(entry->key_span, entry->value->span)),
                                  .data = entry->value,
                                  .index = walk->template->named.count };
            vec_push(walk->session->arena, &walk->template->named, (const PlanNamed *)named);
            if (named->kind == NAMED_CONDITION) {
                vec_push(walk->session->arena, &walk->conditions, named);
            }
            str_map_add(&walk->template->by_name[named->kind], named->name, named);
            const bool is_macro = str_starts_with(entry->key, STR("Fn::")) || is_module(named);
            walk->template->is_open = walk->template->is_open || is_macro;
        }
    }
}

static const PlanNamed *find(const Walk *walk, Str name) {
    const PlanNamed *parameter = plan_named(walk->template, NAMED_PARAMETER, name);
    return parameter != NULL ? parameter : plan_named(walk->template, NAMED_RESOURCE, name);
}

// ---- where it is used --------------------------------------------------------------------------------------------

static void walk_value(Walk *walk, const Data *data, Spot spot);

static void add_use(Walk *walk, Spot spot, PlanUse use) {
    PlanUse *added = arena_new(walk->session->arena, PlanUse);
    *added = use;
    added->key = spot.key;
    added->outer = spot.outer;
    added->guard = spot.guard;
    added->is_whole = spot.is_whole;
    added->from = walk->from;
    added->subject = walk->subject;
    if (use.kind == USE_CONDITION) {
        added->to = plan_named(walk->template, NAMED_CONDITION, use.name);
    } else if (!str_starts_with(use.name, STR("AWS::"))) {
        added->to = find(walk, use.name);
    }
    vec_push(walk->session->arena, &walk->template->uses, (const PlanUse *)added);
}

// The part of a text that is its name, where the text stands in the file as it is.
static Span part_of(const Walk *walk, Span span, Str text, size_t start, size_t end) {
    const size_t at = str_find(source_text(walk->session, span), text, 0);
    const bool is_there = at < span.end - span.start;
    const uint32_t first = span.start + (uint32_t)at;
    return is_there ? (Span){ .source = span.source, .start = first + (uint32_t)start, .end = first + (uint32_t)end }
                    : span;
}

// A name with a dot is an attribute, where something has the name before it.
static void add_attribute(Walk *walk, Spot spot, Str text, Span span, bool is_sub) {
    const size_t dot = str_find(text, STR("."), 0);
    PlanUse use = { .kind = USE_REF, .is_sub = is_sub, .name = text, .span = span };
    if (dot < text.len) {
        use = (PlanUse){ .kind = USE_ATTRIBUTE,
                         .is_sub = is_sub,
                         .name = str_slice(text, 0, dot),
                         .attribute = str_slice(text, dot + 1, text.len),
                         .span = part_of(walk, span, text, 0, dot),
                         .attribute_span = part_of(walk, span, text, dot + 1, text.len) };
    }
    add_use(walk, spot, use);
}

// The names in a text of `Fn::Sub`, but those that it has itself.
static void walk_sub(Walk *walk, const Data *text, const Data *own, Spot spot) {
    const Str written = source_text(walk->session, text->span);
    size_t seen = 0; // in `written`
    spot.is_whole = false;
    for (size_t at = str_find(text->string, STR("${"), 0); at < text->string.len;
         at = str_find(text->string, STR("${"), at + 2)) {
        const size_t end = str_find(text->string, STR("}"), at);
        const Str raw = str_slice(text->string, at + 2, end);
        const Str name = str_trim(raw);
        if (end == text->string.len || name.len == 0 || str_starts_with(name, STR("!"))) {
            continue;
        }
        Span span = text->span;
        const size_t found = str_find(written, str_slice(text->string, at, end + 1), seen);
        if (found < written.len) {
            seen = found + 2;
            span.start += (uint32_t)(found + 2);
            span.end = span.start + (uint32_t)raw.len;
        }
        if (own == NULL || data_get(own, str_c(walk->session->arena, name)) == NULL) {
            add_attribute(walk, spot, name, span, true);
        }
    }
}

static void walk_if(Walk *walk, const Data *argument, Spot spot) {
    const bool is_named = argument->kind == DATA_LIST && argument->count > 1 && argument->items[0]->kind == DATA_STRING;
    if (!is_named) {
        walk_value(walk, argument, spot);
        return;
    }
    const Str name = argument->items[0]->string;
    add_use(walk, spot, (PlanUse){ .kind = USE_CONDITION, .name = name, .span = argument->items[0]->span });
    for (uint32_t i = 1; i < argument->count; i++) {
        PlanGuard *guard = arena_new(walk->session->arena, PlanGuard);
        *guard = (PlanGuard){ .condition = plan_named(walk->template, NAMED_CONDITION, name),
                              .holds = i == 1,
                              .choice = argument,
                              .outer = spot.guard };
        Spot arm = spot;
        arm.guard = guard;
        walk_value(walk, argument->items[i], arm);
    }
}

static void add_shared(Walk *walk, const Data *name, Spot spot, Str gives, bool is_export);

// A short form has its name before its argument, perhaps a line or an anchor before.
static Span span_of_tag(const Walk *walk, Span argument, Str tag) {
    const Str before = str_slice(source_get(walk->session, argument.source)->text, 0, argument.start);
    const size_t first = before.len > TAG_DISTANCE_MAX ? before.len - TAG_DISTANCE_MAX : 0;
    Span span = argument;
    for (size_t at = str_find(before, tag, first); at < before.len; at = str_find(before, tag, at + 1)) {
        span.start = (uint32_t)at;
        span.end = span.start + (uint32_t)tag.len;
    }
    return span;
}

// A short form has no key of its own: cfn_lengthen() gives it the place of its argument.
static void add_foreign_call(Walk *walk, const CfnCall *call) {
    Arena *arena = walk->session->arena;
    const bool is_short = call->name_span.start == call->argument->span.start;
    const Str tag = str_format(arena, "!%.*s", STR_ARG(str_slice(call->name, STR("Fn::").len, call->name.len)));
    PlanForeignCall *added = arena_new(arena, PlanForeignCall);
    *added = (PlanForeignCall){ .name = is_short ? tag : call->name,
                                .span = is_short ? span_of_tag(walk, call->argument->span, tag) : call->name_span,
                                .subject = walk->subject };
    vec_push(arena, &walk->template->foreign_calls, (const PlanForeignCall *)added);
}

static void add_call(Walk *walk, const CfnCall *call, Spot spot) {
    if (str_starts_with(call->name, STR("Fn::"))) {
        PlanCall *added = arena_new(walk->session->arena, PlanCall);
        *added = (PlanCall){ .name = call->name,
                             .key = spot.key,
                             .argument = call->argument,
                             .subject = walk->subject,
                             .guard = spot.guard };
        vec_push(walk->session->arena, &walk->template->all_calls, (const PlanCall *)added);
    }
}

static void walk_call(Walk *walk, const CfnCall *call, Spot spot) {
    const Data *argument = call->argument;
    add_call(walk, call, spot);
    const bool is_text = argument->kind == DATA_STRING;
    const bool is_pair = argument->kind == DATA_LIST && argument->count == 2;
    if (str_is(call->name, "Ref") && is_text) {
        add_use(walk, spot, (PlanUse){ .kind = USE_REF, .name = argument->string, .span = argument->span });
    } else if (str_is(call->name, "Condition") && is_text && walk->is_condition) {
        add_use(walk, spot, (PlanUse){ .kind = USE_CONDITION, .name = argument->string, .span = argument->span });
    } else if (str_is(call->name, "Fn::GetAtt") && is_text) {
        add_attribute(walk, spot, argument->string, argument->span, false);
    } else if (str_is(call->name, "Fn::GetAtt") && is_pair && argument->items[0]->kind == DATA_STRING) {
        add_use(walk, spot,
                (PlanUse){ .kind = USE_ATTRIBUTE,
                           .name = argument->items[0]->string,
                           .attribute = argument->items[1]->kind == DATA_STRING ? argument->items[1]->string : STR_NONE,
                           .span = argument->items[0]->span,
                           .attribute_span = argument->items[1]->span });
        walk_value(walk, argument->items[1], (Spot){ .guard = spot.guard });
    } else if (str_is(call->name, "Fn::Sub") && is_text) {
        walk_sub(walk, argument, NULL, spot);
    } else if (str_is(call->name, "Fn::Sub") && is_pair && argument->items[0]->kind == DATA_STRING) {
        walk_sub(walk, argument->items[0], argument->items[1], spot);
        walk_value(walk, argument->items[1], (Spot){ .guard = spot.guard });
    } else if (str_is(call->name, "Fn::If")) {
        walk_if(walk, argument, spot);
    } else {
        if (str_is(call->name, "Fn::ImportValue")) {
            add_shared(walk, argument, spot, STR_NONE, false);
        }
        if (str_is(call->name, "Fn::FindInMap") || str_is(call->name, "Fn::Select")) {
            PlanCall *added = arena_new(walk->session->arena, PlanCall);
            *added = (PlanCall){
                .name = call->name, .key = spot.key, .argument = argument, .subject = walk->subject, .guard = spot.guard
            };
            vec_push(walk->session->arena, &walk->template->calls, (const PlanCall *)added);
        }
        // Some macros declare what no one sees, and so may what makes the functions of another tool.
        const bool is_known = names_have(NAMES_CLOUDFORMATION_FUNCTIONS, call->name);
        walk->template->is_open = walk->template->is_open || !is_known || str_is(call->name, "Fn::Transform");
        if (!is_known) {
            add_foreign_call(walk, call);
        }
        walk_value(walk, argument, (Spot){ .key = spot.key, .outer = spot.outer, .guard = spot.guard });
    }
}

static void walk_value(Walk *walk, const Data *data, Spot spot) {
    CfnCall call;
    if (cfn_call_of(data, &call)) {
        walk_call(walk, &call, spot);
    } else if (data->kind == DATA_STRING) {
        if (spot.is_whole && spot.key.len > 0 && data->string.len <= TEXT_MAX && find(walk, data->string) != NULL) {
            add_use(walk, spot, (PlanUse){ .kind = USE_TEXT, .name = data->string, .span = data->span });
        }
    } else if (data->kind == DATA_LIST) {
        for (uint32_t i = 0; i < data->count; i++) {
            walk_value(walk, data->items[i], spot);
        }
    } else if (data->kind == DATA_MAP) {
        for (uint32_t i = 0; i < data->count; i++) {
            const DataEntry *entry = &data->entries[i];
            walk->template->is_open = walk->template->is_open || str_starts_with(entry->key, STR("Fn::"));
            walk_value(walk, entry->value,
                       (Spot){ .key = entry->key, .outer = spot.key, .is_whole = true, .guard = spot.guard });
        }
    }
}

// ---- exports and imports -----------------------------------------------------------------------------------------

// The text of a name, with HOLE for what is not written in it; false where it is none.
static bool shared_name(const Walk *walk, const Data *name, Str *text) {
    StrBuf out = { .arena = walk->session->arena };
    CfnCall call;
    const Data *source = name;
    if (cfn_call_of(name, &call) && str_is(call.name, "Fn::Sub")) {
        const bool is_pair = call.argument->kind == DATA_LIST && call.argument->count == 2;
        source = is_pair ? call.argument->items[0] : call.argument;
    } else if (name->kind == DATA_MAP) {
        *text = STR("\x01");
        return true;
    }
    if (source->kind != DATA_STRING) {
        return false;
    }
    for (size_t at = 0; at < source->string.len;) {
        const size_t start = source == name ? source->string.len : str_find(source->string, STR("${"), at);
        strbuf_add(&out, str_slice(source->string, at, start));
        if (start < source->string.len) {
            strbuf_add_char(&out, HOLE);
        }
        at = start < source->string.len ? str_find(source->string, STR("}"), start) + 1 : start;
    }
    *text = strbuf_str(&out);
    return true;
}

static void add_shared(Walk *walk, const Data *name, Spot spot, Str gives, bool is_export) {
    Str text;
    if (!shared_name(walk, name, &text)) {
        return;
    }
    CfnCall call;
    const bool is_call = cfn_call_of(name, &call);
    const Data *shown = is_call && call.argument->kind == DATA_LIST && call.argument->count > 0
                            ? call.argument->items[0]
                        : is_call ? call.argument
                                  : name;
    PlanShared *shared = arena_new(walk->session->arena, PlanShared);
    *shared = (PlanShared){ .name = text,
                            .written = shown->string,
                            .span = shown->span,
                            .from = walk->from,
                            .subject = walk->subject,
                            .key = spot.is_whole ? spot.key : STR_NONE,
                            .outer = spot.outer,
                            .gives = gives };
    if (is_export) {
        vec_push(walk->session->arena, &walk->template->exports, (const PlanShared *)shared);
    } else {
        vec_push(walk->session->arena, &walk->template->imports, (const PlanShared *)shared);
    }
}

static Str kind_of_output(const Walk *walk, const Data *value) {
    CfnCall call;
    if (value == NULL || !cfn_call_of(value, &call)) {
        return STR_NONE;
    }
    const Data *argument = call.argument;
    const bool is_pair = argument->kind == DATA_LIST && argument->count == 2;
    const Data *name = is_pair ? argument->items[0] : argument;
    const size_t dot = str_find(name->string, STR("."), 0);
    const PlanNamed *to = plan_named(walk->template, NAMED_RESOURCE, str_slice(name->string, 0, dot));
    if (to == NULL) {
        return STR_NONE;
    }
    const Str attribute = is_pair ? argument->items[1]->string : str_slice(name->string, dot + 1, name->string.len);
    return str_is(call.name, "Ref")          ? resource_ref(to->type)
           : str_is(call.name, "Fn::GetAtt") ? resource_attribute(to->type, attribute)
                                             : STR_NONE;
}

// ---- all of it ---------------------------------------------------------------------------------------------------

static void walk_depends(Walk *walk, const Data *depends) {
    if (depends == NULL) {
        return;
    }
    const bool is_list = depends->kind == DATA_LIST;
    for (uint32_t i = 0; i < (is_list ? depends->count : 1); i++) {
        const Data *item = is_list ? depends->items[i] : depends;
        if (item->kind == DATA_STRING) {
            add_use(walk, (Spot){ 0 }, (PlanUse){ .kind = USE_DEPENDS_ON, .name = item->string, .span = item->span });
        }
    }
}

static void walk_named(Walk *walk, const PlanNamed *named) {
    walk->from = named;
    walk->subject = named->subject;
    walk->is_condition = named->kind == NAMED_CONDITION;
    const Data *condition = data_get(named->data, "Condition");
    const bool is_entry = named->kind == NAMED_RESOURCE || named->kind == NAMED_OUTPUT;
    Spot spot = { 0 };
    if (is_entry && condition != NULL && condition->kind == DATA_STRING) {
        add_use(walk, spot, (PlanUse){ .kind = USE_CONDITION, .name = condition->string, .span = condition->span });
        PlanGuard *guard = arena_new(walk->session->arena, PlanGuard);
        *guard =
            (PlanGuard){ .condition = plan_named(walk->template, NAMED_CONDITION, condition->string), .holds = true };
        spot.guard = guard;
    }
    if (named->kind == NAMED_CONDITION) {
        walk_value(walk, named->data, spot);
    } else if (named->kind == NAMED_RESOURCE) {
        walk_depends(walk, data_get(named->data, "DependsOn"));
    }
    for (uint32_t i = 0; is_entry && named->data->kind == DATA_MAP && i < named->data->count; i++) {
        const DataEntry *entry = &named->data->entries[i];
        const bool is_said = str_is(entry->key, "DependsOn") || str_is(entry->key, "Condition") ||
                             str_is(entry->key, "Type") || str_is(entry->key, "Export") ||
                             str_is(entry->key, "Description");
        const bool is_output = named->kind == NAMED_OUTPUT && str_is(entry->key, "Value");
        if (!is_said) {
            walk_value(walk, entry->value,
                       is_output ? (Spot){ .key = entry->key, .is_whole = true, .guard = spot.guard } : spot);
        }
    }
    const Data *exported = data_get(named->data, "Export");
    const Data *name = exported == NULL ? NULL : data_get(exported, "Name");
    if (named->kind == NAMED_OUTPUT && name != NULL) {
        walk_value(walk, name, spot);
        add_shared(walk, name, spot, kind_of_output(walk, data_get(named->data, "Value")), true);
    }
}

// Whether nothing but AWS's own transforms of resources may rewrite it.
static bool has_all_conditions(const Data *document) {
    const Data *transform = data_get(document, "Transform");
    const uint32_t count = transform != NULL && transform->kind == DATA_LIST ? transform->count : 1;
    const Data *conditions = data_get(document, "Conditions");
    bool has = data_get(document, "Fn::Transform") == NULL;
    for (uint32_t i = 0; transform != NULL && i < count; i++) {
        const Data *item = transform->kind == DATA_LIST ? transform->items[i] : transform;
        has = has && item->kind == DATA_STRING && str_starts_with(item->string, STR("AWS::Serverless-"));
    }
    for (uint32_t i = 0; conditions != NULL && conditions->kind == DATA_MAP && i < conditions->count; i++) {
        has = has && !str_starts_with(conditions->entries[i].key, STR("Fn::"));
    }
    return has;
}

const PlanTemplate *cfn_names(Session *session, const Data *document, const Subject *file, const PlanFile *pieces) {
    PlanTemplate *template = arena_new(session->arena, PlanTemplate);
    const bool is_rewritten = cfn_is_transformed(document, STR("AWS::LanguageExtensions"));
    *template = (PlanTemplate){ .is_open = is_rewritten,
                                .has_macro = is_rewritten,
                                .has_all_conditions = has_all_conditions(document),
                                .has_extensions = cfn_has_extensions(document),
                                .mappings = data_get(document, "Mappings"),
                                .description = data_get(document, "Description") };
    Walk walk = { .session = session, .template = template };
    for (size_t i = 0; i < COUNT_OF(template->by_name); i++) {
        template->by_name[i].arena = session->arena;
    }
    declare(&walk, document, file, pieces);
    for (uint32_t i = 0; i < walk.conditions.count; i++) {
        walk.conditions.items[i]->test = cfn_test(session, template, walk.conditions.items[i]->data);
    }
    for (uint32_t i = 0; i < template->named.count; i++) {
        walk_named(&walk, template->named.items[i]);
    }
    // Other sections use names, too, and may not be what finds them missing.
    for (uint32_t i = 0; i < document->count; i++) {
        const DataEntry *section = &document->entries[i];
        if (str_is(section->key, "Rules") || str_is(section->key, "Hooks")) {
            walk.from = NULL;
            walk.subject = file;
            walk_value(&walk, section->value, (Spot){ 0 });
        }
        template->has_rules = template->has_rules || str_is(section->key, "Rules");
        template->is_open = template->is_open || str_starts_with(section->key, STR("Fn::"));
    }
    cfn_add_roles(session->arena, template);
    return template;
}
