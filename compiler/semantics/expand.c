// Expands items into blocks. `if` and `for` are evaluated, labels become names, and each block gets a slot for every
// attribute that was written. Only conditions, sequences and labels are evaluated here.
#include "compiler/semantics/evaluator.h"

static void expand_items(Evaluator *evaluator, const Items *items, const Env *env, bool is_branch);

static const Env *make_env(Evaluator *evaluator, const Env *like) {
    Env *env = arena_new(evaluator->arena, Env);
    *env = *like;
    return env;
}

// Blocks that a mistake keeps from being made: who refers to one of their kinds is not told that it is not there.
static void lose(const Env *env, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_IF) {
            lose(env, &item->branch.body);
        } else if (item->kind == ITEM_FOR) {
            lose(env, &item->loop.body);
        } else if (item->kind == ITEM_BLOCK) {
            const KindRow *kind = schema_kind(item->block.kind.text);
            env->module->lost_kinds |= kind == NULL ? 0 : 1U << (kind - KIND_ROWS);
            lose(env, &item->block.body);
        }
    }
}

static void expand_branch(Evaluator *evaluator, const Item *item, const Env *env) {
    const Value *condition =
        evaluate_known(evaluator, item->branch.condition, env, VALUE_BOOL, "the condition of `if`");
    if (condition->kind != VALUE_BOOL) {
        lose(env, &item->branch.body);
        return;
    }
    if (!condition->boolean) {
        return;
    }
    Env inner = *env;
    inner.because = origin_join(evaluator->arena, env->because, condition->origin);
    expand_items(evaluator, &item->branch.body, make_env(evaluator, &inner), true);
}

static void expand_once(Evaluator *evaluator, const Item *item, const Env *env, const Value *value,
                        const Origin *because) {
    // Counted over the whole build: loops inside of loops multiply, whether or not they make a block.
    if (++evaluator->repetition_count > REPETITIONS_MAX) {
        evaluator->is_exhausted = true;
        report(evaluator->session, item->loop.sequence->span, DIAG(too_many_repetitions), REPETITIONS_MAX,
               "repetitions");
        return;
    }
    Loop *loop = arena_new(evaluator->arena, Loop);
    *loop = (Loop){ .name = item->loop.variable.text, .value = value, .outer = env->loops };
    Env inner = *env;
    inner.loops = loop;
    inner.because = origin_join(evaluator->arena, env->because, because);
    const uint32_t outer = diags_begin_turn(evaluator->session);
    expand_items(evaluator, &item->loop.body, make_env(evaluator, &inner), true);
    diags_end_turn(evaluator->session, outer);
}

// False, reported, where it is too long or not known.
static bool expand_range(Evaluator *evaluator, const Item *item, const Env *env, const Value *range) {
    if (!value_is_known(range)) {
        late_where_known(evaluator, item->loop.sequence, range, "the sequence of `for`");
        return false;
    }
    int64_t low = range->range.low->integer;
    int64_t high = range->range.high->integer;
    uint64_t count = (uint64_t)high - (uint64_t)low;
    if (count >= REPETITIONS_MAX) {
        Diag *diag = report(evaluator->session, item->loop.sequence->span, DIAG(too_many_repetitions), REPETITIONS_MAX,
                            "repetitions");
        diag_primary_label(evaluator->session, diag, "from %" PRId64 " to %" PRId64, low, high);
        return false;
    }
    for (uint64_t i = 0; i <= count && !evaluator->is_exhausted; i++) {
        const Value *value = make_int(evaluator, item->loop.sequence->span, range->range.low->origin, low + (int64_t)i);
        expand_once(evaluator, item, env, value, range->range.high->origin);
    }
    return true;
}

static void expand_loop(Evaluator *evaluator, const Item *item, const Env *env) {
    const Value *sequence = evaluate(evaluator, item->loop.sequence, env, NULL);
    bool is_expanded = false;
    if (sequence->kind == VALUE_RANGE) {
        is_expanded = expand_range(evaluator, item, env, sequence);
    } else if (sequence->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < sequence->list.count && !evaluator->is_exhausted; i++) {
            expand_once(evaluator, item, env, sequence->list.items[i], sequence->origin);
        }
        is_expanded = true;
    } else if (sequence->kind == VALUE_LATE) {
        late_where_known(evaluator, item->loop.sequence, sequence, "the sequence of `for`");
    } else if (sequence->kind != VALUE_ERROR) {
        report(evaluator->session, item->loop.sequence->span, DIAG(operand_type), "`for`", "a list or a range",
               value_describe(sequence));
    }
    if (!is_expanded) {
        lose(env, &item->loop.body);
    }
}

// ---- attributes ------------------------------------------------------------------------------------------------

static Slot *make_slot(Evaluator *evaluator, const Item *item, const Env *env, int attribute) {
    Slot *slot = arena_new(evaluator->arena, Slot);
    *slot = (Slot){ .attribute = attribute, .name = item->attribute.name, .expr = item->attribute.value, .env = env };
    return slot;
}

static bool is_off(const Item *item) {
    return item->attribute.value->kind == EXPR_NAME && str_is(item->attribute.value->name, "off");
}

Str draft_child_key(Evaluator *evaluator, const KindRow *kind, Str name) {
    return str_format(evaluator->arena, "%s %.*s", kind->name, STR_ARG(name));
}

static void add_taken(Evaluator *evaluator, Draft *draft, const TakenAway *taken) {
    const Str name = taken->name.text;
    draft->taken_names.arena = evaluator->arena;
    vec_push(evaluator->arena, &draft->taken_away, *taken);
    str_map_add(&draft->taken_names, taken->kind == NULL ? name : draft_child_key(evaluator, taken->kind, name), draft);
}

// `NAME = off` or `NAME = null`, where NAME is a nested kind or one nested block: it is absent.
static bool take_away(Evaluator *evaluator, const Item *item, Draft *draft) {
    Str name = item->attribute.name.text;
    bool is_null = item->attribute.value->kind == EXPR_NULL;
    if (!is_off(item) && !is_null) {
        return false;
    }
    const KindRow *kind = schema_kind(name);
    bool is_nested_kind = kind != NULL && kind->is_nested && (kind->parents & (1u << draft->kind_id)) != 0;
    if (is_nested_kind && is_null) {
        vec_push(evaluator->arena, &draft->taken_kinds, kind);
        return true;
    }
    if (is_nested_kind && kind->is_singleton) {
        vec_push(evaluator->arena, &draft->block.off, kind);
        vec_push(evaluator->arena, &draft->off_names, item->attribute.name);
        return true;
    }
    if (is_null && !is_nested_kind && draft->item->block.like.count > 0) {
        add_taken(evaluator, draft, &(TakenAway){ .name = item->attribute.name });
        return true; // like.c says so where no such block was there
    }
    return false;
}

// `KIND["name"] = null`. It may stand in `if` and `for`, as the block that it takes away may.
static void add_removal(Evaluator *evaluator, const Item *item, const Env *env) {
    Draft *draft = env->draft;
    const KindRow *kind = schema_kind(item->removal.kind.text);
    const bool is_right = draft != NULL && kind != NULL && (kind->parents & (1u << draft->kind_id)) != 0 &&
                          !kind->is_singleton && item->removal.value->kind == EXPR_NULL;
    if (!is_right) {
        return; // reported by resolve.c
    }
    const Value *name = reference_label(evaluator, kind, item->removal.label, env);
    if (name->kind == VALUE_STRING) {
        const Name taken = { .text = name->string, .span = item->removal.label->span };
        add_taken(evaluator, draft, &(TakenAway){ .name = taken, .kind = kind, .label = item->removal.label });
    }
}

static void add_attribute(Evaluator *evaluator, const Item *item, const Env *env, bool is_branch) {
    Draft *draft = env->draft;
    if (draft == NULL) {
        return; // reported by resolve.c
    }
    if (is_branch) {
        Diag *diag = report(evaluator->session, item->attribute.name.span, DIAG(attribute_in_branch),
                            STR_ARG(item->attribute.name.text));
        if (env->loops == draft->env->loops) {
            diag_help(evaluator->session, diag, "write `%.*s = condition ? value : null`",
                      STR_ARG(item->attribute.name.text));
        } else {
            diag_help(evaluator->session, diag, "`for` repeats blocks; an attribute has one value");
        }
        return;
    }
    int attribute = schema_attribute(draft->block.kind, item->attribute.name.text);
    if (attribute < 0) {
        take_away(evaluator, item, draft);
        return;
    }
    if (draft->slots[attribute] != NULL) {
        Diag *diag = report(evaluator->session, item->attribute.name.span, DIAG(attribute_twice),
                            STR_ARG(item->attribute.name.text));
        diag_label(evaluator->session, diag, draft->slots[attribute]->name.span, "first here");
        return;
    }
    draft->slots[attribute] = make_slot(evaluator, item, env, attribute);
}

// ---- blocks ----------------------------------------------------------------------------------------------------

Draft *draft_find_child(Evaluator *evaluator, const Draft *parent, const KindRow *kind, Str name) {
    return str_map_get_mutable(&parent->child_names, draft_child_key(evaluator, kind, name));
}

Draft *draft_add_child(Evaluator *evaluator, Draft *parent, Draft *child) {
    parent->child_names.arena = evaluator->arena;
    Str key = draft_child_key(evaluator, child->block.kind, child->block.name);
    if (str_map_add(&parent->child_names, key, child) != NULL) {
        return str_map_get_mutable(&parent->child_names, key);
    }
    vec_push(evaluator->arena, &parent->children, child);
    return NULL;
}

static void report_twice(Evaluator *evaluator, const Draft *draft, Span other) {
    if (draft->block.name.len == 0 && draft->block.parent != NULL) { // of a kind without names
        Diag *diag = report(evaluator->session, draft->block.subject.name_span, DIAG(block_again),
                            STR_ARG(draft->block.parent->name), draft->block.kind->name);
        diag_label(evaluator->session, diag, other, "first here");
        diag_help(evaluator->session, diag, "put the attributes of both into one");
        return;
    }
    Diag *diag =
        report(evaluator->session, draft->block.subject.name_span, DIAG(name_twice), STR_ARG(draft->block.name));
    guess_absence(evaluator, diag, draft->item->span);
    if (!span_equal(draft->block.subject.name_span, other)) {
        diag_label(evaluator->session, diag, other, "first here");
    } else if (draft->env->loops != NULL) {
        Str variable = draft->env->loops->name;
        diag_primary_label(evaluator->session, diag, "made again by a later turn of the `for`");
        diag_help(evaluator->session, diag, "let the name depend on the turn: `\"%.*s-${%.*s}\"`",
                  STR_ARG(draft->block.name), STR_ARG(variable));
    }
}

// A block at file level gets the declaration of its name; a static one has it already. False where it is taken.
static bool declare_block(Evaluator *evaluator, Module *module, Draft *draft) {
    Declaration *declaration = scope_find_kind(module, draft->block.name, draft->block.kind->name, NULL);
    bool is_own = declaration != NULL && declaration->item == draft->item && declaration->draft == NULL;
    if (is_own) {
        declaration->draft = draft;
        return true;
    }
    declaration = arena_new(evaluator->arena, Declaration);
    *declaration = (Declaration){ .kind = DECLARATION_BLOCK,
                                  .name = draft->block.name,
                                  .span = draft->block.subject.name_span,
                                  .item = draft->item,
                                  .module = module,
                                  .draft = draft };
    if (scope_add(module, declaration)) {
        return true;
    }
    bool was_reported =
        draft->item->block.label->kind == EXPR_STRING && draft->env->loops == NULL && draft->outer->because == NULL;
    if (!was_reported) {
        report_twice(evaluator, draft, scope_find_kind(module, draft->block.name, draft->block.kind->name, NULL)->span);
    }
    return false;
}

// The lexer's own rule for names: an interpolated label must not smuggle a path or a blank into file names.
static bool is_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool is_inner = (c >= '0' && c <= '9') || c == '-';
        if (!is_letter && (i == 0 || !is_inner)) {
            return false;
        }
    }
    return name.len > 0 && name.len <= NAME_BYTES_MAX && name.data[name.len - 1] != '-';
}

// Whether something refers to it as KIND["name"], with a name that is not worked out yet.
static bool may_be_meant(const Evaluator *evaluator, const Draft *draft) {
    bool may_be = evaluator->unknown_labels.count > KIND_LABELS_MAX;
    for (uint32_t i = 0; i < evaluator->unknown_labels.count && !may_be; i++) {
        const KindLabel *label = &evaluator->unknown_labels.items[i];
        may_be = label->kind == draft->block.kind && scope_label_fits(label->label, draft->block.name);
    }
    return may_be;
}

static bool set_name(Evaluator *evaluator, Draft *draft, const Env *env) {
    const Expr *label = draft->item->block.label;
    draft->block.subject.name_span = label == NULL ? draft->item->block.kind.span : label->span;
    if (label == NULL) {
        draft->block.origin =
            origin_join(evaluator->arena, origin_span(evaluator->arena, draft->block.subject.name_span), env->because);
        return true;
    }
    const Value *name = evaluate_known(evaluator, label, env, VALUE_STRING, "the name of a block");
    if (name->kind != VALUE_STRING) {
        return false;
    }
    if (!is_name(name->string)) {
        Diag *diag = report(evaluator->session, label->span, DIAG(bad_block_name), STR_ARG(name->string));
        if (name->string.len > NAME_BYTES_MAX) {
            diag_help(evaluator->session, diag, "it has %zu bytes, and %d is the most", name->string.len,
                      NAME_BYTES_MAX);
        } else {
            diag_help(evaluator->session, diag, "begin with a letter, go on with letters, digits, `_` and `-`");
        }
        return false;
    }
    draft->block.name = name->string;
    draft->block.is_named = str_map_get(&evaluator->named, name->string) != NULL || may_be_meant(evaluator, draft);
    draft->block.origin = origin_join(evaluator->arena, name->origin, env->because);
    return true;
}

static Draft *make_draft(Evaluator *evaluator, const Item *item, const Env *env) {
    const KindRow *kind = schema_kind(item->block.kind.text);
    bool is_inside = env->draft != NULL;
    bool is_misplaced = kind != NULL && is_inside && (kind->parents & (1u << env->draft->kind_id)) == 0;
    bool wants_label = kind != NULL && (!kind->is_singleton || !is_inside);
    if (kind == NULL || is_misplaced || wants_label != (item->block.label != NULL)) {
        return NULL; // reported by resolve.c
    }
    if (++evaluator->block_count > BLOCKS_MAX) {
        evaluator->is_exhausted = true;
        report(evaluator->session, item->span, DIAG(too_many_repetitions), BLOCKS_MAX, "blocks");
        return NULL;
    }
    Draft *draft = arena_new(evaluator->arena, Draft);
    draft->block = (Block){ .kind = kind,
                            .draft = draft,
                            .subject = { .outer = env->draft == NULL ? NULL : &env->draft->block.subject,
                                         .span = item->block.kind.span },
                            .doc = item->doc,
                            .parent = env->draft == NULL ? NULL : &env->draft->block,
                            .is_used = env->module->is_used };
    draft->kind_id = (int)(kind - KIND_ROWS);
    draft->item = item;
    draft->resources.arena = evaluator->arena;
    draft->slots = arena_new_array(evaluator->arena, Slot *, (size_t)kind->attribute_count);
    draft->block.subject.values = arena_new_array(evaluator->arena, const Value *, (size_t)kind->attribute_count);
    draft->block.subject.null_origins =
        arena_new_array(evaluator->arena, const Origin *, (size_t)kind->attribute_count);
    draft->block.subject.attribute_spans = arena_new_array(evaluator->arena, Span, (size_t)kind->attribute_count);
    Env own = *env;
    own.draft = draft;
    own.because = NULL;
    draft->env = make_env(evaluator, &own);
    draft->outer = env;
    return draft;
}

static void expand_block(Evaluator *evaluator, const Item *item, const Env *env) {
    Draft *draft = make_draft(evaluator, item, env);
    if (draft == NULL || !set_name(evaluator, draft, env)) {
        lose(env, &(Items){ .items = &item, .count = 1 });
        return;
    }
    if (env->draft != NULL) {
        const Draft *other = draft_add_child(evaluator, env->draft, draft);
        if (other != NULL) {
            report_twice(evaluator, draft, other->block.subject.name_span);
            return;
        }
    } else if (item->block.label == NULL || declare_block(evaluator, env->module, draft)) {
        vec_push(evaluator->arena, &evaluator->drafts, draft);
    } else {
        return;
    }
    expand_items(evaluator, &item->block.body, draft->env, false);
}

static void place(Evaluator *evaluator, const Item *item, const Env *env) {
    const Placed placed = { .item = item, .env = env };
    if (env->draft == NULL) {
        vec_push(evaluator->arena, &evaluator->placed, placed);
    } else {
        vec_push(evaluator->arena, &env->draft->placed, placed);
    }
}

static void expand_items(Evaluator *evaluator, const Items *items, const Env *env, bool is_branch) {
    for (uint32_t i = 0; i < items->count && !evaluator->is_exhausted; i++) {
        const Item *item = items->items[i];
        switch (item->kind) {
        case ITEM_ATTRIBUTE:
            add_attribute(evaluator, item, env, is_branch);
            break;
        case ITEM_REMOVAL:
            add_removal(evaluator, item, env);
            break;
        case ITEM_BLOCK:
            expand_block(evaluator, item, env);
            break;
        case ITEM_IF:
            expand_branch(evaluator, item, env);
            break;
        case ITEM_FOR:
            expand_loop(evaluator, item, env);
            break;
        case ITEM_OUTPUT:
        case ITEM_ASSERT:
        case ITEM_ALLOW:
        case ITEM_PATCH:
        case ITEM_RESOURCE:
            place(evaluator, item, env);
            break;
        case ITEM_PARAM:
        case ITEM_LET:
        case ITEM_USE:
            break; // declared by load.c; misplaced ones are reported by resolve.c
        }
    }
}

void expand(Evaluator *evaluator) {
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        const Env env = { .module = evaluator->modules.items[i] };
        expand_items(evaluator, &evaluator->modules.items[i]->file->items, make_env(evaluator, &env), false);
    }
}
