// Evaluates whole blocks: every attribute, and the items that stay items: outputs, asserts, raw resources, patches,
// allows.
#include "compiler/semantics/evaluator.h"

static void evaluate_assert(Evaluator *evaluator, const Item *item, const Env *env) {
    const Value *condition =
        evaluate_known(evaluator, item->assertion.condition, env, VALUE_BOOL, "the condition of `assert`");
    if (condition->kind != VALUE_BOOL || condition->boolean) {
        return;
    }
    const Value *message =
        evaluate_known(evaluator, item->assertion.message, env, VALUE_STRING, "the message of `assert`");
    if (message->kind == VALUE_STRING) {
        Diag *diag =
            report(evaluator->session, item->assertion.condition->span, DIAG(assert_failed), STR_ARG(message->string));
        Span reason = origin_first_span(condition->origin);
        if (!span_is_none(reason) && reason.source == item->span.source &&
            (reason.start < item->span.start || reason.end > item->span.end)) {
            diag_label(evaluator->session, diag, reason, "from here");
        }
    }
}

bool has_logical_id(Evaluator *evaluator, const Name *name, const char *what) {
    for (size_t i = 0; i < name->text.len; i++) {
        if (name->text.data[i] != '_' && name->text.data[i] != '-') {
            return true;
        }
    }
    report(evaluator->session, name->span, DIAG(bad_output_name), STR_ARG(name->text), what);
    return false;
}

// A map, in a list too, or as what is chosen at deployment; NULL where there is none.
static const Value *find_map(const Value *value) {
    const Value *map = value->kind == VALUE_MAP ? value : NULL;
    for (uint32_t i = 0; value->kind == VALUE_LIST && map == NULL && i < value->list.count; i++) {
        map = find_map(value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_LATE && map == NULL && i < value->late->part_count; i++) {
        map = find_map(value->late->parts[i]);
    }
    return map;
}

// Names first, as of resources: another block may refer to an output before it is worked out.
static void declare_output(Evaluator *evaluator, Draft *draft, const Item *item, const Env *env) {
    Slot *slot = arena_new(evaluator->arena, Slot);
    *slot = (Slot){ .attribute = -1, .name = item->let.name, .expr = item->let.value, .env = env };
    draft->output_slots.arena = evaluator->arena;
    str_map_add(&draft->output_slots, item->let.name.text, slot); // a second one is reported by evaluate_output()
}

static void evaluate_output(Evaluator *evaluator, Draft *draft, const Item *item) {
    if (!has_logical_id(evaluator, &item->let.name, "an output")) {
        return;
    }
    draft->output_names.arena = evaluator->arena;
    const Item *other = str_map_add(&draft->output_names, item->let.name.text, item);
    if (other != NULL) {
        Diag *diag = report(evaluator->session, item->let.name.span, DIAG(name_twice), STR_ARG(item->let.name.text));
        diag_label(evaluator->session, diag, other->let.name.span, "first here");
        return;
    }
    Slot *slot = str_map_get_mutable(&draft->output_slots, item->let.name.text);
    const BlockOutput output = { .name = item->let.name.text,
                                 .span = item->let.name.span,
                                 .value = evaluate_slot(evaluator, draft->block.kind, slot, item->let.name.span) };
    if (find_map(output.value) != NULL) {
        Diag *diag = report(evaluator->session, item->let.value->span, DIAG(output_no_text),
                            output.value->kind == VALUE_MAP ? "a map" : "a value with a map in it");
        diag_help(evaluator->session, diag, "write an output for each entry");
        return;
    }
    vec_push(evaluator->arena, &draft->block.outputs, output);
}

static void evaluate_patch(Evaluator *evaluator, Draft *draft, const Item *item, const Env *env) {
    const Expr *map = item->patch.map;
    for (uint32_t i = 0; map->kind == EXPR_MAP && i < map->map.count; i++) {
        const MapEntry *entry = &map->map.entries[i];
        const BlockPatch patch = { .file = item->patch.file.text,
                                   .file_span = item->patch.file.span,
                                   .path = entry->key.text,
                                   .path_span = entry->key.span,
                                   .value = evaluate(evaluator, entry->value, env, NULL) };
        vec_push(evaluator->arena, &draft->block.patches, patch);
    }
}

static void evaluate_allow(Evaluator *evaluator, Draft *draft, const Item *item, const Env *env) {
    const Value *reason = evaluate_known(evaluator, item->allow.reason, env, VALUE_STRING, "the reason of `allow`");
    if (reason->kind != VALUE_STRING) {
        return;
    }
    if (str_trim(reason->string).len == 0) {
        report(evaluator->session, item->allow.reason->span, DIAG(empty_argument), "the reason of `allow`");
    }
    const SubjectAllow allow = { .code = item->allow.code.text,
                                 .span = item->allow.code.span,
                                 .reason = reason->string,
                                 .was_used = arena_new(evaluator->arena, bool) };
    vec_push(evaluator->arena, &draft->block.subject.allows, allow);
}

// Kubernetes calls objects of different types alike, a Deployment and its Service, and nothing can refer to an object.
static bool are_two_objects(const Resource *a, const Resource *b) {
    const Str separator = STR("::");
    const bool are_objects =
        str_find(a->type, separator, 0) == a->type.len && str_find(b->type, separator, 0) == b->type.len;
    return are_objects && !str_equal(a->type, b->type);
}

// Names first: attributes and the properties of another resource may refer to one that stands below them.
static void declare_resource(Evaluator *evaluator, Draft *draft, const Item *item, const Env *env) {
    const Value *name = evaluate_known(evaluator, item->resource.label, env, VALUE_STRING, "the name of a resource");
    const Name id = { .text = name->kind == VALUE_STRING ? name->string : STR_NONE,
                      .span = item->resource.label->span };
    if (name->kind != VALUE_STRING || !has_logical_id(evaluator, &id, "a resource")) {
        return;
    }
    Resource *resource = arena_new(evaluator->arena, Resource);
    *resource = (Resource){ .type = item->resource.type.text,
                            .type_span = item->resource.type.span,
                            .name = name->string,
                            .span = item->resource.label->span,
                            .whole = item->span,
                            .block = &draft->block,
                            .item = item,
                            .env = env,
                            .origin = origin_join(evaluator->arena, name->origin, env->because) };
    draft->resources.arena = evaluator->arena;
    const Resource *other = str_map_add(&draft->resources, name->string, resource);
    if (other != NULL && !are_two_objects(other, resource)) {
        Diag *diag = report(evaluator->session, resource->span, DIAG(name_twice), STR_ARG(name->string));
        diag_label(evaluator->session, diag, other->span, "first here");
        return;
    }
    vec_push(evaluator->arena, &draft->declared, resource);
    vec_push(evaluator->arena, &draft->block.resources, resource);
}

static void evaluate_resource(Evaluator *evaluator, Resource *resource) {
    const Items *body = &resource->item->resource.body;
    VEC(ValueEntry) properties = { 0 };
    StrMap seen = { .arena = evaluator->arena };
    for (uint32_t i = 0; i < body->count; i++) {
        if (body->items[i]->kind != ITEM_ATTRIBUTE) {
            continue; // reported by resolve.c
        }
        const Name *name = &body->items[i]->attribute.name;
        const Name *other = str_map_add(&seen, name->text, name);
        if (other != NULL) {
            Diag *diag = report(evaluator->session, name->span, DIAG(attribute_twice), STR_ARG(name->text));
            diag_label(evaluator->session, diag, other->span, "first here");
            continue;
        }
        const ValueEntry entry = { .key = name->text,
                                   .key_span = name->span,
                                   .value = evaluate(evaluator, body->items[i]->attribute.value, resource->env, NULL) };
        if (entry.value->kind != VALUE_NULL) {
            vec_push(evaluator->arena, &properties, entry);
        }
    }
    resource->properties = properties.items;
    resource->property_count = properties.count;
}

static void declare_extras(Evaluator *evaluator, Draft *draft) {
    for (uint32_t i = 0; i < draft->placed.count; i++) {
        const Placed *placed = &draft->placed.items[i];
        if (placed->item->kind == ITEM_RESOURCE) {
            declare_resource(evaluator, draft, placed->item, placed->env);
        } else if (placed->item->kind == ITEM_OUTPUT) {
            declare_output(evaluator, draft, placed->item, placed->env);
        }
    }
    for (uint32_t i = 0; i < draft->children.count; i++) {
        declare_extras(evaluator, draft->children.items[i]);
    }
}

static void evaluate_placed(Evaluator *evaluator, Draft *draft) {
    for (uint32_t i = 0; i < draft->declared.count; i++) {
        evaluate_resource(evaluator, draft->declared.items[i]);
    }
    for (uint32_t i = 0; i < draft->placed.count; i++) {
        const Placed *placed = &draft->placed.items[i];
        if (placed->item->kind == ITEM_OUTPUT) {
            evaluate_output(evaluator, draft, placed->item);
        } else if (placed->item->kind == ITEM_PATCH) {
            evaluate_patch(evaluator, draft, placed->item, placed->env);
        } else if (placed->item->kind == ITEM_ALLOW) {
            evaluate_allow(evaluator, draft, placed->item, placed->env);
        } else if (placed->item->kind == ITEM_ASSERT) {
            evaluate_assert(evaluator, placed->item, placed->env);
        }
    }
}

static void evaluate_draft(Evaluator *evaluator, Draft *draft) {
    if (draft->evaluation != PROGRESS_NEW) {
        return;
    }
    draft->evaluation = PROGRESS_DONE;
    // A mistake in a loop is one mistake.
    const bool is_in_loop = draft->env->loops != NULL;
    const uint32_t outer = is_in_loop ? diags_begin_turn(evaluator->session) : 0;
    for (int i = 0; i < draft->block.kind->attribute_count; i++) {
        Slot *slot = draft->slots[i];
        if (slot == NULL) {
            continue;
        }
        const Value *value = evaluate_slot(evaluator, draft->block.kind, slot, slot->name.span);
        bool is_there = value->kind != VALUE_NULL && value->kind != VALUE_ERROR;
        draft->block.subject.values[i] = is_there ? value : NULL;
        draft->block.subject.null_origins[i] = value->kind == VALUE_NULL ? value->origin : NULL;
        draft->block.subject.attribute_spans[i] = slot->name.span;
    }
    for (uint32_t i = 0; i < draft->children.count; i++) {
        evaluate_draft(evaluator, draft->children.items[i]);
        vec_push(evaluator->arena, &draft->block.children, &draft->children.items[i]->block);
    }
    evaluate_placed(evaluator, draft);
    if (is_in_loop) {
        diags_end_turn(evaluator->session, outer);
    }
}

const Value *block_value(const Block *block, int attribute) {
    return block->subject.values[attribute];
}

const Value *resource_property(const Resource *resource, const char *name) {
    const ValueEntry *entry = value_entry(resource->properties, resource->property_count, name);
    return entry == NULL ? NULL : entry->value;
}

// Blocks of used files are worked out only as far as somebody refers to them. If a param of theirs has no value, that
// is no error, because their stacks are there already.
static void evaluate_used(Evaluator *evaluator) {
    evaluator->is_quiet = true;
    for (uint32_t i = 0; i < evaluator->drafts.count; i++) {
        if (evaluator->drafts.items[i]->block.is_used) {
            evaluate_draft(evaluator, evaluator->drafts.items[i]);
        }
    }
    evaluator->is_quiet = false;
}

void program_evaluate(Session *session, Program *program) {
    (void)session;
    Evaluator *evaluator = program->evaluator;
    if (evaluator->modules.count == 0) {
        return;
    }
    evaluator->is_expanding = true; // the default of a param cannot be from a block either
    params_declare(evaluator);
    expand(evaluator);
    evaluator->is_expanding = false;
    link_blocks(evaluator);
    reference_check(evaluator);
    for (uint32_t i = 0; i < evaluator->drafts.count; i++) {
        declare_extras(evaluator, evaluator->drafts.items[i]);
    }
    for (uint32_t i = 0; i < evaluator->drafts.count; i++) {
        if (!evaluator->drafts.items[i]->block.is_used) {
            evaluate_draft(evaluator, evaluator->drafts.items[i]);
        }
    }
    evaluate_used(evaluator);
    for (uint32_t i = 0; i < evaluator->placed.count; i++) {
        const Placed *placed = &evaluator->placed.items[i];
        if (placed->item->kind == ITEM_ASSERT && !placed->env->module->is_used) {
            evaluate_assert(evaluator, placed->item, placed->env);
        }
    }
    for (uint32_t i = 0; i < evaluator->drafts.count; i++) {
        vec_push(evaluator->arena, &program->blocks, &evaluator->drafts.items[i]->block);
    }
}

// Lets that nothing uses are worked out too: a mistake in one is found before it is needed.
static void check_lets(Evaluator *evaluator, Module *module) {
    for (uint32_t i = 0; i < module->file->items.count; i++) {
        const Item *item = module->file->items.items[i];
        Declaration *declaration = item->kind == ITEM_LET ? scope_find(module, item->let.name.text) : NULL;
        if (declaration != NULL && declaration->item == item && declaration->kind == DECLARATION_LET) {
            evaluate_declaration(evaluator, declaration, item->let.name.span);
        }
    }
}

void program_check(Session *session, Program *program) {
    (void)session;
    Evaluator *evaluator = program->evaluator;
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        if (!evaluator->modules.items[i]->is_used) {
            check_lets(evaluator, evaluator->modules.items[i]);
        }
    }
    for (uint32_t i = 0; i < evaluator->drafts.count && !evaluator->is_exhausted; i++) {
        if (!evaluator->drafts.items[i]->block.is_used) {
            check_draft(evaluator, evaluator->drafts.items[i]);
        }
    }
}
