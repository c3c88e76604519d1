// Looks up what deployed stacks tell. If no file of facts tells it, that is noted, and the tool's file waits.
#include "emitters/tool/tool_facts.h"

#include "compiler/base/arn.h"
#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/region.h"
#include "compiler/plan/model/shared.h"
#include "emitters/emitter.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_values.h"

void tool_need(ToolFile *file, Str stack) {
    if (!emitter_needs(&file->step, stack)) {
        vec_push(file->session->arena, &file->step.needs, stack);
    }
}

void tool_miss(ToolFile *file, MissingFact fact) {
    uint32_t place = file->missing.count;
    for (uint32_t i = 0; i < file->missing.count; i++) {
        const MissingFact *other = &file->missing.items[i];
        if (!str_equal(other->stack, fact.stack)) {
            continue;
        }
        if (str_equal(other->name, fact.name)) {
            return;
        }
        place = i + 1;
    }
    vec_push(file->session->arena, &file->missing, fact);
    for (uint32_t i = file->missing.count - 1; i > place; i--) {
        file->missing.items[i] = file->missing.items[i - 1];
    }
    file->missing.items[place] = fact;
}

// What a fact gives is held against the type that the output promises: somebody may have exported another thing under
// the same name.
static const Value *fact_value(ToolFile *file, const Value *value, const FactOutput *output, const Type *type,
                               Str text) {
    const PatternRow *row = type->pattern;
    if (type->kind == TYPE_PATTERN && pattern_match(file->session, str_of(row->pattern), text, NULL) != PATTERN_YES) {
        Diag *diag = report(file->session, output->span, DIAG(facts_bad_value), STR_ARG(text), row->name);
        diag_label(file->session, diag, value->span, "is taken from it");
        diag_help(file->session, diag, "one looks like \"%s\"", row->example);
    }
    return value_string(file->arena, value->span, value->origin, text);
}

// "a,b" as a list: what a stack exports of a list is one text.
static const Value *fact_list(ToolFile *file, const Value *value, const FactOutput *output, const Type *type) {
    VEC(const Value *) items = { 0 };
    for (size_t start = 0; start <= output->value.len;) {
        size_t end = str_find(output->value, STR(","), start);
        const Value *item = fact_value(file, value, output, type, str_slice(output->value, start, end));
        vec_push(file->arena, &items, item);
        start = end + 1;
    }
    return value_list(file->arena, value->span, value->origin, items.items, items.count);
}

// That a network's stack is in; empty: the deployment decides.
static Str region_of(const ToolFile *file, const PlanNetwork *network) {
    const Str region = plan_network_region(network);
    const PlanCluster *cluster = file->head->part->cluster;
    return region.len == 0 && cluster != NULL ? cluster->region : region;
}

// What cannot be relied on is reported. A stack without an ARN is taken at its word: somebody wrote the file by hand.
static bool is_reliable(const ToolFile *file, Span used, const FactStack *stack, Str region) {
    Str found = arn_field(stack->id, ARN_REGION);
    Diag *diag = NULL;
    if (stack->status.len == 0) {
        diag = report(file->session, stack->span, DIAG(facts_shape), "a stack without a StackStatus");
    } else if (!facts_is_good(stack)) {
        diag = report(file->session, stack->span, DIAG(facts_bad_state), STR_ARG(stack->name), STR_ARG(stack->status));
    } else if (region.len > 0 && found.len > 0 && !str_equal(found, region)) {
        diag = report(file->session, stack->span, DIAG(facts_of_other_region), STR_ARG(stack->name), STR_ARG(found),
                      STR_ARG(region));
    }
    if (diag != NULL) {
        diag_label(file->session, diag, used, "is taken from it");
    }
    return diag == NULL;
}

static void report_no_output(ToolFile *file, Span used, const FactStack *stack, const char *output) {
    Diag *diag = report(file->session, stack->span, DIAG(facts_no_output), STR_ARG(stack->name), output);
    diag_label(file->session, diag, used, "is taken from it");
}

// A stack in `region`, where a file that is given tells of it; else what is missing is noted.
static const FactStack *fact_stack(ToolFile *file, Span used, Str stack, Str region, const char *output) {
    tool_need(file, stack);
    const FactStack *facts = facts_stack(file->plan->facts, stack);
    if (facts == NULL) {
        tool_miss(file, (MissingFact){ .stack = stack, .name = str_of(output), .region = region });
        return NULL;
    }
    return is_reliable(file, used, facts, region) ? facts : NULL;
}

// An output of it that has a value; NULL where it is missing, noted, or reported.
static const FactOutput *fact_output(ToolFile *file, Span used, Str stack, Str region, const char *output) {
    const FactStack *facts = fact_stack(file, used, stack, region, output);
    const FactOutput *found = facts == NULL ? NULL : facts_output(facts, str_of(output));
    if (facts != NULL && (found == NULL || found->value.len == 0)) {
        report_no_output(file, used, facts, output);
        return NULL;
    }
    return found;
}

Str tool_fact(ToolFile *file, Span used, Str stack, const char *output) {
    const FactOutput *found = fact_output(file, used, stack, file->step.region, output);
    return found == NULL ? STR_NONE : found->value;
}

static Str tool_account(ToolFile *file, Span used, Str stack) {
    const FactStack *facts = fact_stack(file, used, stack, file->step.region, "StackId");
    if (facts == NULL) {
        return STR_NONE;
    }
    const Str account = arn_field(facts->id, ARN_ACCOUNT);
    if (account.len == 0) {
        report_no_output(file, used, facts, "StackId");
    }
    return account;
}

// The claim of a storage is called as the storage; it is there where the cluster has it.
static const Value *claim_value(ToolFile *file, const Value *value) {
    const PlanPart *storage = plan_part(file->plan, value->late->block);
    const PlanCluster *cluster = file->head->part->cluster;
    for (uint32_t i = 0; cluster != NULL && i < cluster->storages.count; i++) {
        if (cluster->target == TARGET_EKS && cluster->storages.items[i]->head.part == storage) {
            return value_string(file->arena, value->span, value->origin, plan_claim_name(file->arena, storage->name));
        }
    }
    plan_report(file->session, file->head->subject, value->span, DIAG(no_plain_value),
                "the claim of a storage that the cluster does not have", file->suffix);
    return NULL;
}

// What is applied may start the image at once.
static void need_image(ToolFile *file, const PlanImage *image) {
    if (plan_image_is_built(image) || plan_image_is_awaited(image)) {
        tool_need(file, plan_image_reference(file->session->arena, image));
    }
}

// A stack of the account that a cluster and its images are in.
// A running cluster is eksctl's or not: the stack of the image, or else of the nodes, is there in any case.
static Str stack_of_account(ToolFile *file, const PlanImage *image, const PlanCluster *cluster) {
    Arena *arena = file->session->arena;
    if (cluster->eks != NULL && plan_eks_is_made(file->plan, cluster)) {
        return plan_eksctl_stack(arena, tool_text(file, plan_eks_name(cluster)));
    }
    const Value *name = image->is_existing ? NULL : plan_stack_name(arena, image->maker->head.part->stack);
    if (name != NULL) {
        return name->string;
    }
    return cluster->eks != NULL ? emitter_nodes_head(file->session, cluster)->name->string : cluster->head.name->string;
}

Str tool_image_uri(ToolFile *file, Span used, const PlanImage *image, const PlanCluster *cluster) {
    const RegionRow *region = schema_region(cluster->region);
    const Str stack = stack_of_account(file, image, cluster);
    if (region == NULL) {
        return STR_NONE; // reported before
    }
    const Str account = tool_account(file, used, stack);
    if (account.len == 0) {
        return STR_NONE;
    }
    need_image(file, image);
    return str_format(file->arena, "%.*s.dkr.ecr.%s.%s/%.*s:%.*s", STR_ARG(account), region->name, region->url_suffix,
                      STR_ARG(image->repository->string), STR_ARG(image->tag->string));
}

static const Value *image_value(ToolFile *file, const Value *value, const PlanCluster *cluster) {
    const PlanImage *image = plan_image(file->plan, value->late->block);
    const Str uri = image == NULL ? STR_NONE : tool_image_uri(file, value->span, image, cluster);
    return uri.len == 0 ? NULL : value_string(file->arena, value->span, value->origin, uri);
}

// eksctl makes a cluster before the stack behind it is there.
static bool is_before(const ToolFile *file, const PlanPart *stack) {
    return stack == file->head->part && strcmp(file->suffix, "eksctl") == 0;
}

const Value *tool_of_author(ToolFile *file, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    const PlanPart *part = plan_part(file->plan, resource != NULL ? resource->block : value->late->block);
    Arena *arena = file->session->arena;
    const Value *name = plan_stack_name(arena, part->stack);
    if (name == NULL || is_before(file, part->stack)) {
        plan_report(file->session, file->head->subject, value->span, DIAG(no_plain_value),
                    "what is made after the file is applied", file->suffix);
        return NULL;
    }
    const Str key = resource != NULL ? plan_export_key(arena, file->plan, resource, attribute)
                                     : plan_logical_id(arena, value->late->name, STR_NONE, "");
    const FactOutput *output = fact_output(file, value->span, name->string, plan_stack_region(part), str_c(arena, key));
    const Type text = { .kind = TYPE_STRING };
    const bool is_list = value_is_list(value);
    return output == NULL ? NULL
           : is_list      ? fact_list(file, value, output, &text)
                          : fact_value(file, value, output, &text, output->value);
}

// The name that CloudFormation gave a bucket.
static const Value *bucket_value(ToolFile *file, const Value *value, const PlanPart *bucket) {
    const OutputRow *row = schema_output(bucket->kind, value->late->name);
    const Value *stack = plan_stack_name(file->session->arena, bucket);
    const FactOutput *output =
        fact_output(file, value->span, stack->string, plan_stack_region(bucket), row->export_key);
    return output == NULL ? NULL : fact_value(file, value, output, row->type, output->value);
}

const Value *tool_output(ToolFile *file, const Value *value) {
    const Late *late = value->late;
    const PlanPart *part = plan_part(file->plan, late->block);
    const PlanCluster *cluster = file->head->part->cluster;
    if (part_is(part, KIND_STORAGE)) {
        return claim_value(file, value);
    }
    if (part_is(part, KIND_IMAGE) && cluster != NULL && cluster->target == TARGET_EKS) {
        return str_is(late->name, "uri")
                   ? image_value(file, value, cluster)
                   : value_string(file->arena, value->span, value->origin, part->image->repository->string);
    }
    if (part_is(part, KIND_BUCKET)) {
        return bucket_value(file, value, part);
    }
    const PlanNetwork *network = part->network;
    const OutputRow *row = schema_output(part->kind, late->name);
    if (network == NULL || row == NULL || row->export_key == NULL) {
        plan_report(file->session, file->head->subject, value->span, DIAG(no_plain_value), "this output", file->suffix);
        return NULL;
    }
    const Value *name = network->mode == NETWORK_IMPORTED ? network->stack : network->head.name;
    Str stack = str_copy(file->session->arena, tool_text(file, name));
    if (stack.len == 0) {
        return NULL; // its name is missing, which is said
    }
    const FactOutput *output = fact_output(file, value->span, stack, region_of(file, network), row->export_key);
    if (output == NULL) {
        return NULL;
    }
    return row->type->kind == TYPE_LIST ? fact_list(file, value, output, row->type->element)
                                        : fact_value(file, value, output, row->type, output->value);
}
