// Rules about groups that run jobs of AWS Batch, and about what its compute environments alone have.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/container.h"
#include "compiler/plan/rules/image_fit.h"
#include "schema/instances.h"
#include "schema/names.h"

// ---- the launch template ---------------------------------------------------------------------------------------

void rule_batch_version(const Rules *rules, const PlanGroup *group) {
    const PlanBatchGroup *batch = group->batch;
    if (batch == NULL) {
        return;
    }
    const PlanField *version = &batch->version;
    const bool is_here = batch->template_name.len > 0;
    bool is_moving = field_is(version, "$Latest") || field_is(version, "$Default");
    bool is_default = version->state == FIELD_ABSENT && is_here;
    if (!is_moving && !is_default) {
        return;
    }
    Span span = is_default ? batch->template_key : rule_span(version);
    Str text = is_default ? STR("$Default") : version->text;
    Diag *diag = plan_report(rules->session, group->subject, span, DIAG(template_version), STR_ARG(text));
    if (!is_default) {
        rule_label_use(rules, diag, version);
    }
    if (!is_here) {
        diag_help(rules->session, diag, "write the number of the version");
        return;
    }
    Str name = batch->template_name;
    if (group->subject->is_foreign) {
        diag_help(rules->session, diag, "write `Version: !GetAtt %.*s.LatestVersionNumber`", STR_ARG(name));
        return;
    }
    diag_help(rules->session, diag, "write `Version = %.*s.LatestVersionNumber`", STR_ARG(name));
    if (!is_default && batch->template_id.resource != NULL) {
        Str written = source_text(rules->session, batch->template_id.span); // as this resource calls it
        if (str_equal(written, name)) {
            rule_fix(rules, diag, version,
                     str_format(rules->session->arena, "%.*s.LatestVersionNumber", STR_ARG(written)));
        }
    }
}

// ---- room ----------------------------------------------------------------------------------------------------------

// The type of a compute environment that has the fewest vCPUs; NULL: another one may have fewer.
static const PlanType *least_type(const PlanGroup *group) {
    const PlanType *least = NULL;
    for (uint32_t i = 0; !group->has_other_types && i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        least = least == NULL || type->row->vcpus < least->row->vcpus ? type : least;
    }
    return least == NULL || least->row->vcpus < 1 ? NULL : least;
}

// BEST_FIT never goes above the number; other strategies do by one instance. An environment with 0 is switched off.
// source: AWS Batch User Guide, Instance type allocation strategies; API Reference, ComputeResource, maxvCpus, 2026-11, read 2026-11
void rule_batch_room(const Rules *rules, const PlanGroup *group) {
    const PlanField *most = group->batch == NULL ? NULL : &group->batch->most_vcpus;
    const int64_t vcpus = most == NULL ? -1 : field_number(most, -1);
    const PlanType *type = vcpus > 0 && group->batch->update.is_best_fit ? least_type(group) : NULL;
    if (type == NULL || type->row->vcpus <= vcpus) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(most), DIAG(environment_without_room),
                             STR_ARG(group->name), vcpus, type->row->name, type->row->vcpus);
    rule_label_use(rules, diag, most);
    diag_label(rules->session, diag, rule_span(&type->field), "has %d", type->row->vcpus);
    diag_help(rules->session, diag, "write as many as the nodes of the largest job have together, %d or more",
              type->row->vcpus);
}

// ---- updates -----------------------------------------------------------------------------------------------------

static Str way_to_update(const Rules *rules, const PlanGroup *group) {
    const PlanUpdate *update = &group->batch->update;
    const char *strategy = group_spot(group) != NULL ? "SPOT_PRICE_CAPACITY_OPTIMIZED" : "BEST_FIT_PROGRESSIVE";
    StrBuf text = { .arena = rules->session->arena };
    if (update->is_best_fit) {
        strbuf_add_format(&text, "write `AllocationStrategy = \"%s\"`", strategy);
    }
    if (field_is_there(&update->role)) {
        strbuf_add_format(&text, "%sleave `ServiceRole` out", text.len == 0 ? "" : ", and ");
    }
    if (update->in_place.state == FIELD_ABSENT) {
        strbuf_add(&text, STR(", and write `ReplaceComputeEnvironment = false`; or leave the name out"));
    } else if (update->name.state == FIELD_ABSENT) {
        strbuf_add(&text, STR("; or leave `ReplaceComputeEnvironment` out"));
    }
    return strbuf_str(&text);
}

// AWS Batch takes no other instances in place, and CloudFormation makes no second environment with the name of the first.
void rule_batch_update(const Rules *rules, const PlanGroup *group) {
    if (group->batch == NULL) {
        return;
    }
    const PlanUpdate *update = &group->batch->update;
    const bool has_role = field_is_there(&update->role);
    const bool is_in_place = update->in_place.state != FIELD_ABSENT;
    if ((!update->is_best_fit && !has_role) || (!is_in_place && update->name.state == FIELD_ABSENT)) {
        return;
    }
    Session *session = rules->session;
    const char *reason = !is_in_place          ? "the environment that replaces it cannot have its name"
                         : update->is_best_fit ? "with `BEST_FIT`, AWS Batch takes none in place"
                                               : "with a role of one's own, AWS Batch takes none in place";
    const Span span = rule_span(is_in_place ? &update->in_place : &update->name);
    Diag *diag = plan_report(session, group->subject, span, DIAG(update_never), reason);
    if (field_is_there(&update->strategy) && update->is_best_fit) {
        diag_label(session, diag, rule_span(&update->strategy), "takes no other instances in place");
    } else if (update->is_best_fit) {
        diag_note(session, diag, "without `AllocationStrategy` it is `BEST_FIT`, which takes none in place");
    }
    if (has_role) {
        diag_label(session, diag, rule_span(&update->role), "takes the place of the service-linked role");
    }
    rule_help_resource(rules, diag, group->subject, "%.*s", STR_ARG(way_to_update(rules, group)));
}

// ---- images ----------------------------------------------------------------------------------------------------

// The first type of the family, "g5", or of the size; NULL where the rows have none.
static const InstanceRow *row_of(Session *session, Str type) {
    const InstanceRow *row = schema_instance(session, type);
    for (int i = 0; row == NULL && i < schema_instance_count(session); i++) {
        const InstanceRow *other = schema_instance_at(session, i);
        row = str_equal(str_of(other->family), type) ? other : NULL;
    }
    return row;
}

// The next type, from `*at` on, that AWS Batch has an image with NVIDIA's drivers for; its row is NULL where none is known to
// be one. For Graviton with GPUs it has no image.
static PlanType next_gpu_type(const Rules *rules, const PlanGroup *group, uint32_t *at) {
    const PlanFields *types = &group->batch->types;
    while (*at < types->count) {
        const PlanField *type = &types->items[(*at)++];
        const InstanceRow *row = type->state == FIELD_KNOWN ? row_of(rules->session, type->text) : NULL;
        if (row != NULL && row->accelerator == ACCELERATOR_NVIDIA && row->architecture == ARCHITECTURE_X86_64) {
            return (PlanType){ .row = row, .field = *type };
        }
    }
    return (PlanType){ .row = NULL };
}

static PlanType gpu_type(const Rules *rules, const PlanGroup *group) {
    return next_gpu_type(rules, group, &(uint32_t){ 0 });
}

// "ECS_AL2023" has a variant with drivers, which ends in this.
static const char GPU_VARIANT[] = "_NVIDIA";

static bool has_gpu_variant(const PlanServiceImages *images) {
    bool has_one = false;
    for (uint32_t i = 0; i < images->count; i++) {
        has_one = has_one || str_ends_with(images->items[i].field.text, str_of(GPU_VARIANT));
    }
    return has_one;
}

// The image of the same kind that is in support; NULL where the rows have none.
static const char *newer_image(const ImageRow *old, bool has_gpus) {
    const AcceleratorKind accelerator = has_gpus ? ACCELERATOR_NVIDIA : old->accelerator;
    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        const ImageRow *row = &IMAGE_ROWS[i];
        if (row->target == old->target && row->accelerator == accelerator &&
            (has_gpus || row->architecture == old->architecture) && row->note == NULL) {
            return row->image_type;
        }
    }
    return NULL;
}

// Batch makes no new environment with an image of its own that is out of support: AWS Batch API Reference,
// Ec2Configuration, 2026-11.
void rule_batch_image(const Rules *rules, const PlanGroup *group) {
    const PlanServiceImages *images = group->batch == NULL ? NULL : &group->batch->images;
    const bool wants_gpus = images != NULL && !has_gpu_variant(images) && gpu_type(rules, group).row != NULL;
    for (uint32_t i = 0; images != NULL && i < images->count; i++) {
        const PlanField *type = &images->items[i].field;
        const ImageRow *row = images->items[i].row;
        if (row == NULL || row->note == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, group->subject, rule_span(type), DIAG(service_image_old),
                                 str_c(rules->session->arena, type->text));
        rule_label_use(rules, diag, type);
        diag_note(rules->session, diag, "%s", row->note);
        if (group->form == GROUP_DECLARED) {
            diag_help(rules->session, diag, "write `os = al2023`, or give the group an `ami`");
        } else {
            diag_help(rules->session, diag, "write `%s`", newer_image(row, wants_gpus));
        }
    }
}

// The plain image of the service that all nodes start from; NULL where it is another one, or not known. What is out of
// support is another rule's.
static const PlanField *plain_image(const PlanGroup *group) {
    const PlanServiceImages *images = &group->batch->images;
    const PlanField *plain = NULL;
    bool is_known = group->batch->own_image.state == FIELD_ABSENT && !has_gpu_variant(images);
    for (uint32_t i = 0; i < images->count; i++) {
        const PlanField *type = &images->items[i].field;
        is_known = is_known && type->state == FIELD_KNOWN;
        plain = field_is(type, "ECS_AL2023") || field_is(type, "EKS_AL2023") ? type : plain;
    }
    return is_known ? plain : NULL;
}

// The service's own image with drivers: the one that is named, else the one that Batch takes for GPUs.
static Str image_for_gpus(const PlanGroup *group, const PlanField **field) {
    const PlanServiceImages *images = &group->batch->images;
    bool is_known = group->batch->own_image.state == FIELD_ABSENT;
    *field = NULL;
    for (uint32_t i = 0; i < images->count; i++) {
        const PlanField *type = &images->items[i].field;
        is_known = is_known && type->state == FIELD_KNOWN;
        *field = str_ends_with(type->text, str_of(GPU_VARIANT)) ? type : *field;
    }
    return !is_known            ? STR_NONE
           : *field != NULL     ? (*field)->text
           : images->count == 0 ? STR("ECS_AL2023_NVIDIA")
                                : STR_NONE;
}

// Of a declared group its own rules say the same.
static bool takes_service_image(const Rules *rules, const PlanGroup *group) {
    return group->form == GROUP_BATCH && !image_installs_drivers(rules->session->arena, group->launch);
}

void rule_batch_driver_branch(const Rules *rules, const PlanGroup *group) {
    if (!takes_service_image(rules, group) || group->launch->image.state != FIELD_ABSENT) {
        return;
    }
    uint32_t at = 0;
    PlanType type = next_gpu_type(rules, group, &at);
    const PlanField *field;
    const Str name = image_for_gpus(group, &field);
    Diag *diag = NULL;
    for (; type.row != NULL && diag == NULL; type = next_gpu_type(rules, group, &at)) {
        const ImageUse use = { .subject = group->subject,
                               .image = rule_span(field != NULL ? field : &type.field),
                               .type = type.row,
                               .type_span = field != NULL ? rule_span(&type.field) : SPAN_NONE };
        diag = image_check_branch(rules, &use, name, 0);
    }
    if (diag != NULL) {
        diag_help(rules->session, diag, "build an image with such a driver, and name it by `ImageIdOverride`");
    }
}

void rule_batch_drivers(const Rules *rules, const PlanGroup *group) {
    const PlanField *image = takes_service_image(rules, group) ? plain_image(group) : NULL;
    const PlanType type = image == NULL ? (PlanType){ .row = NULL } : gpu_type(rules, group);
    if (type.row == NULL) {
        return;
    }
    const ImageUse use = {
        .subject = group->subject, .image = rule_span(image), .type = type.row, .type_span = rule_span(&type.field)
    };
    diag_help(rules->session, image_report_drivers(rules, &use), "write `%.*s%s`, or leave the image to AWS Batch",
              STR_ARG(image->text), GPU_VARIANT);
}

// ---- architecture ----------------------------------------------------------------------------------------------

// What AWS Batch takes for several families.
// source: AWS Batch API Reference, ComputeResource, instanceTypes, 2026-11
static const struct {
    const char *word;
    Architecture architecture;
} BUNDLES[] = {
    { "optimal", ARCHITECTURE_X86_64 },
    { "default_x86_64", ARCHITECTURE_X86_64 },
    { "default_arm64", ARCHITECTURE_ARM64 },
};

// False where the rows have no such type, and it is no word of AWS Batch.
static bool architecture_of(Session *session, const PlanField *type, Architecture *architecture) {
    for (size_t i = 0; i < COUNT_OF(BUNDLES); i++) {
        if (field_is(type, BUNDLES[i].word)) {
            *architecture = BUNDLES[i].architecture;
            return true;
        }
    }
    const InstanceRow *row = type->state == FIELD_KNOWN ? row_of(session, type->text) : NULL;
    *architecture = row == NULL ? ARCHITECTURE_UNKNOWN : row->architecture;
    return *architecture != ARCHITECTURE_UNKNOWN;
}

void rule_batch_architecture(const Rules *rules, const PlanGroup *group) {
    const PlanFields *types = group->batch == NULL ? NULL : &group->batch->types;
    const PlanField *first = NULL;
    Architecture architecture = ARCHITECTURE_X86_64;
    for (uint32_t i = 0; types != NULL && i < types->count; i++) {
        const PlanField *type = &types->items[i];
        Architecture other = ARCHITECTURE_X86_64;
        if (!architecture_of(rules->session, type, &other)) {
            continue;
        }
        if (first != NULL && other != architecture) {
            Diag *diag = plan_report(rules->session, group->subject, rule_span(type), DIAG(environment_architectures),
                                     STR_ARG(type->text), schema_architecture_name(other), STR_ARG(first->text),
                                     schema_architecture_name(architecture));
            diag_label(rules->session, diag, rule_span(first), "%s", schema_architecture_name(architecture));
            diag_help(rules->session, diag, "give each architecture a compute environment of its own");
            return;
        }
        first = type;
        architecture = other;
    }
}

// A job of another group of its queue may come here too.
static void help_with_group(const Rules *rules, Diag *diag, const PlanGroup *group, const PlanContainer *container) {
    const Value *of = subject_value(container->subject, JOB_GROUP);
    const bool is_named = of != NULL && of->kind == VALUE_BLOCK;
    const PlanPart *part = is_named ? plan_part(rules->plan, of->block) : NULL;
    if (part == NULL || part->nodes == NULL || part->nodes->head.subject == group->subject) {
        diag_help(rules->session, diag, "write `on_demand` in place of `spot`, or give the job a group of its own");
        return;
    }
    diag_label(rules->session, diag, of->span, "its queue has `%.*s` too", STR_ARG(group->name));
    diag_help(rules->session, diag, "write `on_demand` in place of `spot`, or take `%.*s` out of the queue",
              STR_ARG(group->name));
}

static const PlanContainer *multi_node_job(const PlanGroup *group) {
    for (uint32_t i = 0; i < group->jobs.count; i++) {
        if (group->jobs.items[i]->is_multi_node) {
            return group->jobs.items[i];
        }
    }
    return NULL;
}

// One fault, however many jobs there are.
void rule_group_on_spot(const Rules *rules, const PlanGroup *group) {
    const PlanPurchase *spot = group_spot(group);
    const PlanContainer *job = multi_node_job(group);
    if (spot == NULL || job == NULL) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, group->subject, rule_span(&spot->field), DIAG(spot_multi_node), STR_ARG(job->name));
    rule_label_use(rules, diag, &spot->field);
    const Str some = field_number(&job->nodes, -1) < 0 ? STR("several") : job->nodes.text;
    diag_label(rules->session, diag, rule_span(&job->nodes), "takes %.*s nodes", STR_ARG(some));
    if (group->form == GROUP_DECLARED) {
        help_with_group(rules, diag, group, job);
    } else {
        diag_help(rules->session, diag, "write `%s`", spelling(group, SPELL_ON_DEMAND));
    }
}

// ---- the interface of a container ------------------------------------------------------------------------------

// Where nobody names a card, it is card 0.
static int count_on_first_card(const PlanLaunch *launch) {
    int count = 0;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        if (launch->interfaces[i].card_index < 0) {
            return -1;
        }
        count += launch->interfaces[i].card_index == 0;
    }
    return launch->interfaces_state == FIELD_KNOWN ? count : -1;
}

// The first type, if the card is full on all types; NULL if it is not.
static const PlanType *full_type(const PlanGroup *group, int on_card) {
    for (uint32_t i = 0; i < group->types.count; i++) {
        if (!nics_fill_card(group->types.items[i].row, on_card)) {
            return NULL;
        }
    }
    return group->types.count > 0 && !group->has_other_types ? &group->types.items[0] : NULL;
}

// dtc's own layout leaves a place.
void rule_group_card(const Rules *rules, const PlanGroup *group) {
    const PlanContainer *job = multi_node_job(group);
    const int on_card = job == NULL ? -1 : count_on_first_card(group->launch);
    const PlanType *type = job == NULL ? NULL : full_type(group, on_card);
    const bool is_declared = group->form == GROUP_DECLARED;
    const Value *layout = is_declared ? subject_value(group->subject, NODES_EFA_LAYOUT) : NULL;
    if (type == NULL || (is_declared && layout == NULL)) {
        return;
    }
    const Span span = is_declared ? layout->span : group->launch->interfaces_key;
    Diag *diag = plan_report(rules->session, is_declared ? group->subject : group->launch->subject, span,
                             DIAG(card_is_full), STR_ARG(job->name), type->row->name);
    diag_primary_label(rules->session, diag, "%d interfaces on card 0, which takes %d", on_card,
                       type->row->cards[0].interfaces_max);
    diag_label(rules->session, diag, rule_span(&job->nodes), "its containers have interfaces of their own");
    diag_help(rules->session, diag,
              is_declared
                  ? "leave `efa_layout` out"
                  : "make the primary interface one of InterfaceType `efa`, and leave the other one on card 0 out");
}
