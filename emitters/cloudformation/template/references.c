// Walks a finished template: its form as far as patches can break it, then every reference by name, then circles among
// resources. What dtc writes is sound before the patches, so a fault is shown at the patch that it comes from where
// that can be told. A template with a macro or a module is left alone: its names are those of what they become.
#include "emitters/cloudformation/template/references.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/resource_attribute.h"

typedef enum { NOT_SEEN, IN_PROGRESS, DONE } Progress;

typedef struct {
    Str id;
    Str condition; // under which it is made; empty: always
    Progress progress;
    VEC(uint32_t) needs; // other resources, by number
} Node;

typedef struct {
    Stack *stack;
    const ExtrasPatches *patches;
    const DocNode *resources;
    const DocNode *parameters; // may be NULL, as the next
    const DocNode *conditions;
    Node *nodes;    // one for each resource, in their order
    StrMap by_id;   // -> Node
    StrMap missing; // names that were reported
    Str place;      // what is walked just now, for messages
    Node *from;     // the resource that is walked, or NULL
    int choices;    // around what is walked: `Fn::If`, or a condition of the place
    bool is_broken; // its form is, and was reported
} Walk;

// ---- form ------------------------------------------------------------------------------------------------------

// The last patch that set or removed what stands at `path`, or something around it; else the stack's block.
static Span span_of(const Stack *stack, const ExtrasPatches *patches, Str path) {
    Span span = stack->head->subject->name_span;
    for (uint32_t i = 0; i < patches->count; i++) {
        const BlockPatch *patch = patches->items[i].patch;
        const bool is_around =
            str_starts_with(path, patch->path) && (path.len == patch->path.len || path.data[patch->path.len] == '.');
        span = is_around || str_starts_with(patch->path, path) ? patch->path_span : span;
    }
    return span;
}

static void broken(Walk *walk, Str path, const char *fault) {
    walk->is_broken = true;
    plan_report(walk->stack->session, walk->stack->head->subject, span_of(walk->stack, walk->patches, path),
                DIAG(patch_breaks), STR_ARG(walk->stack->head->id), STR_ARG(path), fault);
}

static bool is_text(const DocNode *node) {
    return node != NULL && (node->kind == DOC_STRING || node->kind == DOC_BLOCK);
}

// Every entry of a section is a map that has `key`.
static void check_entries(Walk *walk, const char *section, const char *key, const char *without) {
    const DocNode *map = doc_get(doc_root(walk->stack->doc), str_of(section));
    for (const DocNode *entry = map == NULL ? NULL : map->first; entry != NULL; entry = entry->next) {
        const Str path = str_format(walk->stack->session->arena, "%s.%.*s", section, STR_ARG(entry->key));
        if (entry->kind != DOC_MAP) {
            broken(walk, path, "no map");
        } else if (doc_get(entry, str_of(key)) == NULL) {
            broken(walk, path, without);
        }
    }
}

// A macro of the template may read keys of its own.
static void check_keys(Walk *walk, const DocNode *resource) {
    const bool has_macro = doc_get(doc_root(walk->stack->doc), STR("Transform")) != NULL;
    for (const DocNode *child = resource->first; child != NULL && !has_macro; child = child->next) {
        if (!plan_is_resource_key(child->key) && !str_starts_with(child->key, STR("Fn::"))) {
            broken(walk,
                   str_format(walk->stack->session->arena, "Resources.%.*s.%.*s", STR_ARG(resource->key),
                              STR_ARG(child->key)),
                   "no key of a resource: properties stand under `Properties`");
        }
    }
}

static void check_resources(Walk *walk) {
    Arena *arena = walk->stack->session->arena;
    if (doc_count(walk->resources) == 0) {
        broken(walk, STR("Resources"), "empty");
    }
    for (const DocNode *entry = walk->resources->first; entry != NULL; entry = entry->next) {
        if (entry->kind == DOC_MAP) {
            check_keys(walk, entry);
        }
        const DocNode *type = entry->kind == DOC_MAP ? doc_get(entry, STR("Type")) : NULL;
        const DocNode *properties = entry->kind == DOC_MAP ? doc_get(entry, STR("Properties")) : NULL;
        if (type != NULL && !is_text(type)) {
            broken(walk, str_format(arena, "Resources.%.*s.Type", STR_ARG(entry->key)), "no text");
        }
        if (properties != NULL && properties->kind != DOC_MAP) {
            broken(walk, str_format(arena, "Resources.%.*s.Properties", STR_ARG(entry->key)), "no map");
        }
    }
}

// A macro of the template may read sections of its own.
// source: CloudFormation User Guide, CloudFormation template sections, 2026-11
static void check_sections(Walk *walk) {
    static const char *const SECTIONS[] = { "AWSTemplateFormatVersion",
                                            "Description",
                                            "Metadata",
                                            "Parameters",
                                            "Rules",
                                            "Mappings",
                                            "Conditions",
                                            "Transform",
                                            "Resources",
                                            "Outputs",
                                            "Hooks" };
    const DocNode *root = doc_root(walk->stack->doc);
    const bool has_macro = doc_get(root, STR("Transform")) != NULL;
    for (const DocNode *child = root->first; child != NULL && !has_macro; child = child->next) {
        bool is_known = false;
        for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
            is_known = is_known || str_is(child->key, SECTIONS[i]);
        }
        if (!is_known) {
            broken(walk, child->key, "no section of a template");
        }
    }
}

// limits.c says it of the sections that it counts.
static void check_form(Walk *walk) {
    static const char *const SECTIONS[] = { "Conditions", "Mappings", "Metadata", "Rules" };
    const Stack *stack = walk->stack;
    for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
        const DocNode *section = doc_get(doc_root(stack->doc), str_of(SECTIONS[i]));
        if (section != NULL && section->kind != DOC_MAP) {
            walk->is_broken = true;
            plan_report(stack->session, stack->head->subject, span_of(stack, walk->patches, str_of(SECTIONS[i])),
                        DIAG(section_no_map), STR_ARG(stack->head->id), SECTIONS[i]);
        }
    }
    check_sections(walk);
    check_entries(walk, "Resources", "Type", "without a `Type`");
    check_entries(walk, "Parameters", "Type", "without a `Type`");
    check_entries(walk, "Outputs", "Value", "without a `Value`");
    check_resources(walk);
}

// ---- references ------------------------------------------------------------------------------------------------

// A macro makes resources of its own, and what is in a module is named through it.
static bool is_opaque(const Walk *walk) {
    bool is_found = doc_get(doc_root(walk->stack->doc), STR("Transform")) != NULL;
    for (const DocNode *entry = walk->resources->first; entry != NULL && !is_found; entry = entry->next) {
        const DocNode *type = doc_get(entry, STR("Type"));
        is_found = is_text(type) && str_ends_with(type->string, STR("::MODULE"));
    }
    return is_found;
}

// The patch that took the name away; else what refers to it.
static Span removed_by(const Walk *walk, Str name, const DocNode *leaf, bool *is_removed) {
    static const char *const SECTIONS[] = { "Resources", "Parameters", "Conditions" };
    for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
        const Str path = str_format(walk->stack->arena, "%s.%.*s", SECTIONS[i], STR_ARG(name));
        for (uint32_t k = 0; k < walk->patches->count; k++) {
            const BlockPatch *patch = walk->patches->items[k].patch;
            if (str_equal(patch->path, path)) {
                *is_removed = true;
                return patch->path_span;
            }
        }
    }
    const Span span = origin_first_span(leaf->origin);
    return span_is_none(span) ? walk->stack->head->subject->name_span : span;
}

static void offer_section(const Walk *walk, const DocNode *section, Suggestion *suggestion) {
    for (const DocNode *entry = section == NULL ? NULL : section->first; entry != NULL; entry = entry->next) {
        if (!str_equal(entry->key, walk->place)) {
            suggest_offer(suggestion, str_copy(walk->stack->session->arena, entry->key));
        }
    }
}

// Once for a name, however many refer to it.
static void dangling(Walk *walk, Str name, const DocNode *leaf) {
    Session *session = walk->stack->session;
    const Str kept = str_copy(session->arena, name);
    if (str_map_add(&walk->missing, kept, walk) != NULL) {
        return;
    }
    bool is_removed = false;
    const Span span = removed_by(walk, name, leaf, &is_removed);
    Diag *diag = plan_report(session, walk->stack->head->subject, span, DIAG(dangling_reference),
                             STR_ARG(str_copy(session->arena, walk->place)), STR_ARG(kept));
    Suggestion suggestion = suggest_for(session, kept);
    offer_section(walk, walk->resources, &suggestion);
    offer_section(walk, walk->parameters, &suggestion);
    offer_section(walk, walk->conditions, &suggestion);
    if (!is_removed && suggestion.best.len > 0) {
        diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
}

// What has a condition itself, or stands in a choice, may be there in the same cases.
static void check_condition(const Walk *walk, const Node *node, const DocNode *leaf) {
    if (node->condition.len == 0 || walk->choices > 0) {
        return;
    }
    Session *session = walk->stack->session;
    const Span span = origin_first_span(leaf->origin);
    Diag *diag = plan_report(
        session, walk->stack->head->subject, span_is_none(span) ? walk->stack->head->subject->name_span : span,
        DIAG(conditional_reference), STR_ARG(str_copy(session->arena, walk->place)),
        STR_ARG(str_copy(session->arena, node->id)), STR_ARG(str_copy(session->arena, node->condition)));
    const Span *made = str_map_get(&walk->stack->ids, node->id);
    if (made != NULL) {
        diag_label(session, diag, *made, "with a condition");
    }
}

static void refer_to_resource(Walk *walk, Str name, const DocNode *leaf) {
    Node *node = str_map_get_mutable(&walk->by_id, name);
    if (node == NULL) {
        dangling(walk, name, leaf);
        return;
    }
    if (walk->from != NULL) {
        vec_push(walk->stack->arena, &walk->from->needs, (uint32_t)(node - walk->nodes));
    }
    check_condition(walk, node, leaf);
}

static void refer(Walk *walk, Str name, const DocNode *leaf) {
    const bool is_parameter = walk->parameters != NULL && doc_get(walk->parameters, name) != NULL;
    if (!is_parameter && !str_starts_with(name, STR("AWS::"))) {
        refer_to_resource(walk, name, leaf);
    }
}

static void refer_to_condition(Walk *walk, const DocNode *name) {
    const bool is_name = is_text(name);
    if (is_name && (walk->conditions == NULL || doc_get(walk->conditions, name->string) == NULL)) {
        dangling(walk, name->string, name);
    }
}

// "Id.Attribute", or a list of both.
static void refer_to_attribute(Walk *walk, const DocNode *node) {
    const DocNode *leaf = node->kind == DOC_LIST ? node->first : node;
    if (is_text(leaf)) {
        refer_to_resource(walk, str_slice(leaf->string, 0, str_find(leaf->string, STR("."), 0)), leaf);
    }
}

// The names between `${` and `}`; `${!` is none, nor is what the second argument has.
static void refer_in_text(Walk *walk, const DocNode *node) {
    const DocNode *leaf = node->kind == DOC_LIST ? node->first : node;
    const DocNode *own = node->kind == DOC_LIST && leaf != NULL ? leaf->next : NULL;
    for (size_t at = 0; is_text(leaf) && at < leaf->string.len;) {
        const size_t start = str_find(leaf->string, STR("${"), at);
        const size_t end = str_find(leaf->string, STR("}"), start);
        at = end + 1;
        if (end >= leaf->string.len || leaf->string.data[start + 2] == '!') {
            at = start + 2;
            continue;
        }
        const Str name = str_trim(str_slice(leaf->string, start + 2, end));
        const size_t dot = str_find(name, STR("."), 0);
        if (own != NULL && own->kind == DOC_MAP && doc_get(own, name) != NULL) {
            continue;
        }
        if (dot < name.len) {
            refer_to_resource(walk, str_slice(name, 0, dot), leaf);
        } else {
            refer(walk, name, leaf);
        }
    }
}

static void walk_call(Walk *walk, DocCall call, const DocNode *argument) {
    switch (call) {
    case CALL_REF:
        if (is_text(argument)) {
            refer(walk, argument->string, argument);
        }
        return;
    case CALL_GET_ATT:
        refer_to_attribute(walk, argument);
        return;
    case CALL_SUB:
        refer_in_text(walk, argument);
        return;
    case CALL_IF:
        refer_to_condition(walk, argument->kind == DOC_LIST ? argument->first : NULL);
        return;
    case CALL_CONDITION:
        refer_to_condition(walk, argument);
        return;
    case CALL_EQUALS:
    case CALL_NOT:
    case CALL_AND:
    case CALL_OR:
    case CALL_SELECT:
    case CALL_SPLIT:
    case CALL_JOIN:
    case CALL_CIDR:
    case CALL_BASE64:
    case CALL_IMPORT_VALUE:
    case CALL_COUNT:
        return;
    }
}

// An author's own intrinsic is a map with one key.
static DocCall written_call(const DocNode *map) {
    static const DocCall CALLS[] = { CALL_REF, CALL_GET_ATT, CALL_SUB, CALL_IF };
    for (size_t i = 0; doc_count(map) == 1 && i < COUNT_OF(CALLS); i++) {
        if (str_is(map->first->key, doc_call_row(CALLS[i])->key)) {
            return CALLS[i];
        }
    }
    return CALL_COUNT;
}

static void walk_node(Walk *walk, const DocNode *node) {
    if (doc_is_leaf(node)) {
        return;
    }
    const DocCall call = node->kind == DOC_CALL ? node->call : node->kind == DOC_MAP ? written_call(node) : CALL_COUNT;
    if (call != CALL_COUNT) {
        walk_call(walk, call, node->first);
    }
    walk->choices += call == CALL_IF;
    for (const DocNode *child = node->first; child != NULL; child = child->next) {
        walk_node(walk, child);
    }
    walk->choices -= call == CALL_IF;
}

static void walk_depends_on(Walk *walk, const DocNode *resource) {
    const DocNode *depends = doc_get(resource, STR("DependsOn"));
    const bool is_list = depends != NULL && depends->kind == DOC_LIST;
    for (const DocNode *item = is_list ? depends->first : depends; item != NULL; item = is_list ? item->next : NULL) {
        if (is_text(item)) {
            walk->choices++; // no source says what becomes of one that waits for what is not made
            refer_to_resource(walk, item->string, item);
            walk->choices--;
        }
    }
}

static void walk_section(Walk *walk, const char *name) {
    const DocNode *section = doc_get(doc_root(walk->stack->doc), str_of(name));
    for (const DocNode *entry = section == NULL ? NULL : section->first; entry != NULL; entry = entry->next) {
        walk->place = entry->key;
        walk->choices = entry->kind == DOC_MAP && doc_get(entry, STR("Condition")) != NULL;
        walk_node(walk, entry);
        if (entry->kind == DOC_MAP) {
            refer_to_condition(walk, doc_get(entry, STR("Condition")));
        }
    }
}

static void walk_resources(Walk *walk) {
    uint32_t number = 0;
    for (const DocNode *entry = walk->resources->first; entry != NULL; entry = entry->next) {
        walk->place = entry->key;
        walk->from = &walk->nodes[number++];
        walk->choices = walk->from->condition.len > 0;
        walk_node(walk, entry);
        refer_to_condition(walk, doc_get(entry, STR("Condition")));
        walk_depends_on(walk, entry);
    }
    walk->from = NULL;
}

// ---- circles ---------------------------------------------------------------------------------------------------

typedef VEC(Node *) Path;

static void report_circle(const Walk *walk, const Path *path, const Node *again) {
    Stack *stack = walk->stack;
    uint32_t start = 0;
    while (path->items[start] != again) {
        start++;
    }
    StrBuf text = { .arena = stack->session->arena };
    Span span = stack->head->subject->name_span;
    for (uint32_t i = start; i < path->count; i++) {
        const Span *own = str_map_get(&stack->ids, path->items[i]->id);
        const bool is_authors = own != NULL && !span_equal(*own, stack->head->subject->name_span);
        span = is_authors && span_equal(span, stack->head->subject->name_span) ? *own : span;
        strbuf_add_format(&text, "`%.*s`, ", STR_ARG(path->items[i]->id));
    }
    strbuf_add_format(&text, "`%.*s`", STR_ARG(again->id));
    plan_report(stack->session, stack->head->subject, span, DIAG(circular_resources), STR_ARG(strbuf_str(&text)));
}

// As deep as there are resources at most, which limits.c keeps at what CloudFormation takes.
static void follow(const Walk *walk, Path *path, Node *node) {
    node->progress = IN_PROGRESS;
    vec_push(walk->stack->arena, path, node);
    for (uint32_t i = 0; i < node->needs.count; i++) {
        Node *needed = &walk->nodes[node->needs.items[i]];
        if (needed->progress == IN_PROGRESS) {
            report_circle(walk, path, needed);
        } else if (needed->progress == NOT_SEEN) {
            follow(walk, path, needed);
        }
    }
    path->count--;
    node->progress = DONE;
}

// ---- all of it -------------------------------------------------------------------------------------------------

void references_check(Stack *stack, const ExtrasPatches *patches) {
    const DocNode *root = doc_root(stack->doc);
    Walk walk = {
        .stack = stack,
        .patches = patches,
        .resources = doc_get(root, STR("Resources")),
        .parameters = doc_get(root, STR("Parameters")),
        .conditions = doc_get(root, STR("Conditions")),
        .by_id = { .arena = stack->arena },
        .missing = { .arena = stack->arena },
    };
    if (walk.resources == NULL) {
        broken(&walk, STR("Resources"), "not there");
        return;
    }
    check_form(&walk);
    if (walk.is_broken || is_opaque(&walk)) {
        return;
    }
    walk.nodes = arena_new_array(stack->arena, Node, doc_count(walk.resources));
    uint32_t count = 0;
    for (const DocNode *entry = walk.resources->first; entry != NULL; entry = entry->next) {
        const DocNode *condition = doc_get(entry, STR("Condition"));
        walk.nodes[count].id = entry->key;
        walk.nodes[count].condition = is_text(condition) ? condition->string : STR_NONE;
        str_map_add(&walk.by_id, entry->key, &walk.nodes[count++]);
    }
    walk_section(&walk, "Conditions");
    walk_resources(&walk);
    walk_section(&walk, "Outputs");
    Path path = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if (walk.nodes[i].progress == NOT_SEEN) {
            follow(&walk, &path, &walk.nodes[i]);
        }
    }
}
