// Values to nodes where nothing may stay late. A late optional that nothing gave is null: a tool's file has no such
// thing as an input that may come later.
#include "emitters/plain/plain.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/region.h"
#include "emitters/plain/releases.h"

Plain *plain_open(Session *session, const Plan *plan, const PlanHead *head, const char *suffix, const char *kind) {
    Arena *arena = arena_create_beside(session->arena);
    Plain *plain = arena_new(arena, Plain);
    *plain = (Plain){ .session = session, .plan = plan, .head = head, .suffix = suffix, .arena = arena };
    plain->doc = doc_create(session, arena);
    plain->step.kind = str_of(kind);
    plain->step.name = head->name->string;
    plain->step.file = str_format(session->arena, "%.*s.%s.yaml", STR_ARG(head->id), suffix);
    return plain;
}

// ---- facts -----------------------------------------------------------------------------------------------------

static void add_need(Plain *plain, Str stack) {
    for (uint32_t i = 0; i < plain->step.needs.count; i++) {
        if (str_equal(plain->step.needs.items[i], stack)) {
            return;
        }
    }
    vec_push(plain->session->arena, &plain->step.needs, stack);
}

// Facts of one stack stand together, in the order in which they were missed first.
static void miss(Plain *plain, MissingFact fact) {
    uint32_t place = plain->missing.count;
    for (uint32_t i = 0; i < plain->missing.count; i++) {
        const MissingFact *other = &plain->missing.items[i];
        if (!str_equal(other->stack, fact.stack)) {
            continue;
        }
        if (str_equal(other->name, fact.name)) {
            return;
        }
        place = i + 1;
    }
    vec_push(plain->session->arena, &plain->missing, fact);
    for (uint32_t i = plain->missing.count - 1; i > place; i--) {
        plain->missing.items[i] = plain->missing.items[i - 1];
    }
    plain->missing.items[place] = fact;
}

static const Value *text_value(Plain *plain, const Value *value, Str text) {
    Value *made = arena_new(plain->arena, Value);
    *made = (Value){ .kind = VALUE_STRING, .span = value->span, .origin = value->origin, .string = text };
    return made;
}

// What a fact gives is held against the type that the output promises: somebody may have exported another thing under
// the same name.
static const Value *fact_value(Plain *plain, const Value *value, const FactOutput *output, const Type *type, Str text) {
    const PatternRow *row = type->pattern;
    if (type->kind == TYPE_PATTERN && pattern_match(plain->session, str_of(row->pattern), text, NULL) != PATTERN_YES) {
        Diag *diag = report(plain->session, output->span, DIAG(facts_bad_value), STR_ARG(text), row->name);
        diag_label(plain->session, diag, value->span, "is taken from it");
        diag_help(plain->session, diag, "one looks like \"%s\"", row->example);
    }
    return text_value(plain, value, text);
}

// "a,b" as a list: what a stack exports of a list is one text.
static const Value *fact_list(Plain *plain, const Value *value, const FactOutput *output, const Type *type) {
    VEC(const Value *) items = { 0 };
    for (size_t start = 0; start <= output->value.len;) {
        size_t end = str_find(output->value, STR(","), start);
        const Value *item = fact_value(plain, value, output, type, str_slice(output->value, start, end));
        vec_push(plain->arena, &items, item);
        start = end + 1;
    }
    Value *list = arena_new(plain->arena, Value);
    *list = (Value){ .kind = VALUE_LIST, .span = value->span, .origin = value->origin };
    list->list.items = items.items;
    list->list.count = items.count;
    return list;
}

// That a network's stack is in; empty: the deployment decides.
static Str region_of(const Plain *plain, const PlanNetwork *network) {
    const Str region = plan_network_region(network);
    const PlanCluster *cluster = plan_cluster(plain->plan, plain->head->block);
    return region.len == 0 && cluster != NULL ? cluster->region : region;
}

// What cannot be relied on is reported. A stack without an ARN is taken at its word: somebody wrote the file by hand.
static bool is_reliable(const Plain *plain, Span used, const FactStack *stack, Str region) {
    Str found = facts_arn_field(stack, 3);
    Diag *diag = NULL;
    if (!facts_is_good(stack)) {
        diag = report(plain->session, stack->span, DIAG(facts_bad_state), STR_ARG(stack->name), STR_ARG(stack->status));
    } else if (region.len > 0 && found.len > 0 && !str_equal(found, region)) {
        diag = report(plain->session, stack->span, DIAG(facts_of_other_region), STR_ARG(stack->name), STR_ARG(found),
                      STR_ARG(region));
    }
    if (diag != NULL) {
        diag_label(plain->session, diag, used, "is taken from it");
    }
    return diag == NULL;
}

static void report_no_output(Plain *plain, Span used, const FactStack *stack, const char *output) {
    Diag *diag = report(plain->session, stack->span, DIAG(facts_no_output), STR_ARG(stack->name), output);
    diag_label(plain->session, diag, used, "is taken from it");
}

// A stack in `region`, where a file that is given tells of it; else what is missing is noted.
static const FactStack *fact_stack(Plain *plain, Span used, Str stack, Str region, const char *output) {
    add_need(plain, stack);
    const FactStack *facts = facts_stack(plain->plan->facts, stack);
    if (facts == NULL) {
        miss(plain, (MissingFact){ .stack = stack, .name = str_of(output), .region = region });
        return NULL;
    }
    return is_reliable(plain, used, facts, region) ? facts : NULL;
}

// An output of it that has a value; NULL where it is missing, noted, or reported.
static const FactOutput *fact_output(Plain *plain, Span used, Str stack, Str region, const char *output) {
    const FactStack *facts = fact_stack(plain, used, stack, region, output);
    const FactOutput *found = facts == NULL ? NULL : facts_output(facts, str_of(output));
    if (facts != NULL && (found == NULL || found->value.len == 0)) {
        report_no_output(plain, used, facts, output);
        return NULL;
    }
    return found;
}

Str plain_fact(Plain *plain, Span used, Str stack, const char *output) {
    const FactOutput *found = fact_output(plain, used, stack, plain->step.region, output);
    return found == NULL ? STR_NONE : found->value;
}

Str plain_account(Plain *plain, Span used, Str stack) {
    enum { ACCOUNT_FIELD = 4 };
    const FactStack *facts = fact_stack(plain, used, stack, plain->step.region, "StackId");
    if (facts == NULL) {
        return STR_NONE;
    }
    const Str account = facts_arn_field(facts, ACCOUNT_FIELD);
    if (account.len == 0) {
        report_no_output(plain, used, facts, "StackId");
    }
    return account;
}

// The claim of a storage is called as the storage; it is there where the cluster has it.
static const Value *claim_value(Plain *plain, const Value *value) {
    const Block *block = value->late->block;
    const PlanCluster *cluster = plan_cluster(plain->plan, plain->head->block);
    for (uint32_t i = 0; cluster != NULL && i < cluster->storages.count; i++) {
        if (cluster->target == TARGET_EKS && cluster->storages.items[i]->head.block == block) {
            return text_value(plain, value, str_format(plain->arena, "%.*s-claim", STR_ARG(block->name)));
        }
    }
    plan_report(plain->session, plain->head->block, value->span, DIAG(no_plain_value),
                "the claim of a storage that the cluster does not have", plain->suffix);
    return NULL;
}

// An image is in the account and region of the cluster, which the cluster's own stack tells.
static const Value *image_value(Plain *plain, const Value *value, const PlanCluster *cluster) {
    const PlanImage *image = plan_image(plain->plan, value->late->block);
    const RegionRow *region = schema_region(cluster->region);
    const Value *name = cluster->eks.existing != NULL ? cluster->eks.existing : cluster->head.name;
    const Str stack = plan_eksctl_stack(plain->session->arena, plain_text(plain, name));
    if (image == NULL || region == NULL) {
        return NULL; // reported before
    }
    const Str account = plain_account(plain, value->span, stack);
    if (account.len == 0) {
        return NULL;
    }
    return text_value(plain, value,
                      str_format(plain->arena, "%.*s.dkr.ecr.%s.%s/%.*s:%.*s", STR_ARG(account), region->name,
                                 region->url_suffix, STR_ARG(image->repository->string), STR_ARG(image->tag->string)));
}

static const Value *output_value(Plain *plain, const Value *value) {
    const Late *late = value->late;
    const PlanCluster *cluster = plan_cluster(plain->plan, plain->head->block);
    if (late->block->kind == &KIND_ROWS[KIND_STORAGE]) {
        return claim_value(plain, value);
    }
    if (late->block->kind == &KIND_ROWS[KIND_IMAGE] && cluster != NULL && cluster->target == TARGET_EKS) {
        return str_is(late->name, "uri")
                   ? image_value(plain, value, cluster)
                   : text_value(plain, value, plan_image(plain->plan, late->block)->repository->string);
    }
    const PlanNetwork *network = plan_network(plain->plan, late->block);
    const OutputRow *row = schema_output(late->block->kind, late->name);
    if (network == NULL || row == NULL || row->export_key == NULL) {
        plan_report(plain->session, plain->head->block, value->span, DIAG(no_plain_value), "this output",
                    plain->suffix);
        return NULL;
    }
    const Value *name = network->mode == NETWORK_IMPORTED ? network->stack : network->head.name;
    Str stack = str_copy(plain->session->arena, plain_text(plain, name));
    if (stack.len == 0) {
        return NULL; // its name is missing, which is said
    }
    const FactOutput *output = fact_output(plain, value->span, stack, region_of(plain, network), row->export_key);
    if (output == NULL) {
        return NULL;
    }
    return row->type->kind == TYPE_LIST ? fact_list(plain, value, output, row->type->element)
                                        : fact_value(plain, value, output, row->type, output->value);
}

// ---- late values -----------------------------------------------------------------------------------------------

static const Value *known(Plain *plain, const Value *value);

static const Value *param_value(Plain *plain, const Value *value) {
    const Param *param = value->late->param;
    if (param->initial != NULL) {
        return known(plain, param->initial);
    }
    if (!param->is_optional) {
        miss(plain, (MissingFact){ .name = param->name });
    }
    return NULL;
}

static const Value *joined(Plain *plain, const Value *value) {
    StrBuf text = { .arena = plain->arena };
    for (uint32_t i = 0; i < value->late->part_count; i++) {
        strbuf_add(&text, plain_text(plain, value->late->parts[i]));
    }
    return text_value(plain, value, strbuf_str(&text));
}

static const Value *item(Plain *plain, const Value *value) {
    const Value *list = known(plain, value->late->parts[0]);
    if (list == NULL || list->kind != VALUE_LIST) {
        return list;
    }
    if (value->late->index >= list->list.count) {
        report(plain->session, value->span, DIAG(facts_short_list), value->late->index + 1, list->list.count);
        return NULL;
    }
    return known(plain, list->list.items[value->late->index]);
}

static const Value *late_value(Plain *plain, const Value *value) {
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return param_value(plain, value);
    case LATE_OUTPUT:
        return output_value(plain, value);
    case LATE_TEXT:
        return joined(plain, value);
    case LATE_DEFAULT:
        return plain_is_null(plain, late->parts[0]) ? known(plain, late->parts[1]) : known(plain, late->parts[0]);
    case LATE_ITEM:
        return item(plain, value);
    case LATE_IF: {
        const Value *condition = known(plain, late->parts[0]);
        return condition == NULL ? NULL : known(plain, late->parts[condition->boolean ? 1 : 2]);
    }
    case LATE_PSEUDO:
    case LATE_REF:
    case LATE_ATTRIBUTE:
        break;
    }
    plan_report(plain->session, plain->head->block, value->span, DIAG(no_plain_value), "what a stack alone knows",
                plain->suffix);
    return NULL;
}

// The value itself, without anything late on top; NULL where it is null or missing.
static const Value *known(Plain *plain, const Value *value) {
    if (value == NULL || value->kind == VALUE_NULL) {
        return NULL;
    }
    return value->kind == VALUE_LATE ? late_value(plain, value) : value;
}

bool plain_is_null(Plain *plain, const Value *value) {
    if (value == NULL || value->kind == VALUE_NULL) {
        return true;
    }
    if (value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return late->param->is_optional && plain_is_null(plain, late->param->initial);
    case LATE_DEFAULT:
        return plain_is_null(plain, late->parts[0]) && plain_is_null(plain, late->parts[1]);
    case LATE_IF: {
        const Value *condition = known(plain, late->parts[0]);
        return condition != NULL && plain_is_null(plain, late->parts[condition->boolean ? 1 : 2]);
    }
    case LATE_OUTPUT:
    case LATE_TEXT:
    case LATE_ITEM:
    case LATE_PSEUDO:
    case LATE_REF:
    case LATE_ATTRIBUTE:
        break;
    }
    return false;
}

Str plain_text(Plain *plain, const Value *value) {
    const Value *found = known(plain, value);
    if (found == NULL) {
        return STR_NONE;
    }
    if (found->kind == VALUE_STRING || found->kind == VALUE_WORD) {
        return found->string;
    }
    return value_print(plain->arena, found);
}

// ---- nodes -----------------------------------------------------------------------------------------------------

static DocNode *map_node(Plain *plain, const Value *value) {
    DocNode *map = doc_map(plain->doc);
    for (uint32_t i = 0; i < value->map.count; i++) {
        DocNode *node = plain_node(plain, value->map.entries[i].value);
        if (node != NULL) {
            doc_put(plain->doc, map, value->map.entries[i].key, node);
        }
    }
    return map;
}

static void add_items(Plain *plain, DocNode *list, const Value *value) {
    const Value *found = known(plain, value);
    if (found == NULL) {
        return;
    }
    if (found->kind != VALUE_LIST) {
        doc_add(plain->doc, list, plain_node(plain, found));
        return;
    }
    for (uint32_t i = 0; i < found->list.count; i++) {
        add_items(plain, list, found->list.items[i]);
    }
}

DocNode *plain_list(Plain *plain, const Value *value) {
    DocNode *list = doc_list(plain->doc);
    doc_because(plain->doc, value == NULL ? NULL : value->origin);
    add_items(plain, list, value);
    doc_unbecause(plain->doc);
    return list;
}

static DocNode *known_node(Plain *plain, const Value *value) {
    switch (value->kind) {
    case VALUE_BOOL:
        return doc_bool(plain->doc, value->boolean, value->origin);
    case VALUE_INT:
        return doc_int(plain->doc, value->integer, value->origin);
    case VALUE_STRING:
    case VALUE_WORD: {
        bool is_long = str_find(value->string, STR("\n"), 0) < value->string.len;
        return is_long ? doc_block(plain->doc, value->string, value->origin)
                       : doc_string(plain->doc, value->string, value->origin);
    }
    case VALUE_LIST:
        return plain_list(plain, value);
    case VALUE_MAP:
        return map_node(plain, value);
    case VALUE_NULL:
    case VALUE_LATE:
    case VALUE_RESOURCE:
    case VALUE_TAG:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_BLOCK:
    case VALUE_MODULE:
    case VALUE_ERROR:
    case VALUE_KIND_COUNT:
        break;
    }
    plan_report(plain->session, plain->head->block, value->span, DIAG(no_plain_value), value_describe(value),
                plain->suffix);
    return doc_string(plain->doc, STR_NONE, value->origin);
}

DocNode *plain_node(Plain *plain, const Value *value) {
    if (plain_is_null(plain, value)) {
        return NULL;
    }
    const Value *found = known(plain, value);
    if (found == NULL) {
        return doc_string(plain->doc, STR_NONE, value->origin); // missing: the file will not be written
    }
    doc_because(plain->doc, value->origin);
    DocNode *node = known_node(plain, found);
    doc_unbecause(plain->doc);
    return node;
}

DocNode *plain_amount(Plain *plain, const Value *value, int64_t unit, const char *unit_name) {
    if (value == NULL) {
        return NULL;
    }
    return doc_int(plain->doc, quantity_whole(plain->session, value, unit, unit_name), value->origin);
}

void plain_put_upper(Plain *plain, DocNode *map, const char *key, const Value *word) {
    StrBuf text = { .arena = plain->arena };
    for (size_t i = 0; i < word->string.len; i++) {
        const char c = word->string.data[i];
        strbuf_add_char(&text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    tree_put(plain->doc, map, key, doc_string(plain->doc, strbuf_str(&text), word->origin));
}

DocNode *plain_policy_arns(Plain *plain, Str region, const Value *policies) {
    const RegionRow *row = region.len == 0 ? NULL : schema_region(region);
    const char *partition = row == NULL ? "aws" : row->partition;
    DocNode *list = doc_list(plain->doc);
    for (uint32_t i = 0; i < policies->list.count; i++) {
        const Value *policy = policies->list.items[i];
        Str text = plain_text(plain, policy);
        bool is_arn = str_starts_with(text, STR("arn:"));
        Str arn = is_arn ? text : str_format(plain->arena, "arn:%s:iam::aws:policy/%.*s%.*s", partition,
                                                STR_ARG(schema_policy_path(text)), STR_ARG(text));
        if (!tree_has_text(list, arn)) {
            doc_add(plain->doc, list, doc_string(plain->doc, arn, policy->origin));
        }
    }
    return list;
}

// ---- the file --------------------------------------------------------------------------------------------------

static bool is_other(const Plain *plain, const Block *block) {
    for (uint32_t i = 0; i < plain->other_blocks.count; i++) {
        if (plain->other_blocks.items[i] == block) {
            return true;
        }
    }
    return false;
}

static void patch(Plain *plain, const Block *block) {
    if (is_other(plain, block)) {
        return;
    }
    for (uint32_t i = 0; i < block->patches.count; i++) {
        const BlockPatch *patch = &block->patches.items[i];
        const bool is_for_any = patch->file.len == 0 && !plain->has_documents;
        if (!is_for_any && !str_is(patch->file, plain->suffix)) {
            continue;
        }
        doc_because(plain->doc, origin_span(plain->arena, patch->path_span));
        DocNode *node = plain_node(plain, patch->value);
        doc_unbecause(plain->doc);
        doc_patch(plain->doc, patch->path, patch->path_span, node);
    }
    for (uint32_t i = 0; i < block->children.count; i++) {
        patch(plain, block->children.items[i]);
    }
}

void plain_write(Plain *plain, Output *output) {
    Session *session = plain->session;
    for (uint32_t i = 0; i < plain->blocks.count; i++) {
        patch(plain, plain->blocks.items[i]);
    }
    if (plain->missing.count > 0 && plain->step.remove.len > 0 && plain->remove_by_name.len > 0) {
        plain->step.remove = plain->remove_by_name;
    }
    Artifact artifact = { .name = plain->step.file, .step = plain->step, .missing = plain->missing };
    if (plain->missing.count == 0) {
        DocLines lines = { 0 };
        Str header = emitter_header(plain->arena, session, plain->plan);
        const Str release = releases_line(plain->arena, plain->doc, plain->suffix);
        if (release.len > 0) {
            header = str_format(plain->arena, "%.*s\n%.*s", STR_ARG(header), STR_ARG(release));
        }
        DocLines *wanted = output->wants_map ? &lines : NULL;
        artifact.content = plain->has_documents ? yaml_write_documents(session->arena, plain->doc, header, wanted)
                                                : yaml_write(session->arena, plain->doc, header, wanted);
        if (output->wants_map) {
            artifact.map = doc_map_write(session, session->arena, artifact.name, &lines);
        }
    }
    emitter_add(session, output, artifact);
    arena_destroy(plain->arena);
}
