// Rules about what eksctl refuses before it makes anything, or makes in vain: places, names and sizes of its groups,
// and images without drivers. Its checks are in eksctl@99984adb, pkg/apis/eksctl.io/v1alpha5/validation.go and vpc.go,
// 2026-08; tests/conformance/eksctl.md lists all of them. A stack's group is none of its business.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/rules/image_fit.h"
#include "schema/gpu_drivers.h"
#include "schema/operating_systems.h"

// ---- where the cluster stands ----------------------------------------------------------------------------------

// Nodes with EFA, or in a placement group, are in one of the zones in which eksctl makes the VPC.
void rule_zone_of_eksctl(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const Value *zones = cluster->eks->zones;
    const bool is_in_one = nodes->fabric.efa_count > 0 || (plan_names_own_template(nodes) && nodes->placement.is_new);
    if (!plan_is_in_eksctl_file(nodes) || cluster->eks->existing != NULL || cluster->network != NULL ||
        nodes->subnets.zone != NULL || !is_in_one || zones == NULL || zones->kind != VALUE_LIST ||
        zones->list.count <= 1) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, nodes->head.subject->name_span, DIAG(group_without_zone),
                    STR_ARG(nodes->head.id), nodes->fabric.efa_count > 0 ? "uses EFA" : "has a placement group",
                    "does not say its zone");
    diag_label(rules->session, diag, zones->span, "one of these");
    diag_help(rules->session, diag, "write `zone = \"…\"`, one of the cluster's%s", plan_way_without_zone(nodes));
}

// ---- names -----------------------------------------------------------------------------------------------------

static Str name_fault(Arena *arena, Str name, Str cluster) {
    const size_t stack_len = sizeof("eksctl--nodegroup-") - 1 + cluster.len + name.len;
    if (str_find(name, STR("_"), 0) < name.len) {
        return STR("its stack is called after it, and CloudFormation takes letters, digits and dashes");
    }
    if (name.len > LIMIT_EKS_GROUP_NAME_MAX) {
        return str_format(arena, "%zu characters, and EKS takes %d", name.len, LIMIT_EKS_GROUP_NAME_MAX);
    }
    if (stack_len > LIMIT_STACK_NAME_MAX) {
        return str_format(
            arena, "its stack would be called `eksctl-…-nodegroup-…`, %zu characters, and CloudFormation takes %d",
            stack_len, LIMIT_STACK_NAME_MAX);
    }
    return STR_NONE;
}

static void check_name(const Rules *rules, const Subject *subject, Span span, Str name, Str cluster) {
    const Str fault = name_fault(rules->session->arena, name, cluster);
    if (fault.len > 0) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(eksctl_group_name), STR_ARG(name), STR_ARG(fault));
        const Str better = rule_plain_name(rules->session->arena, name, false);
        if (name_fault(rules->session->arena, better, cluster).len == 0) {
            rule_rename(rules, diag, span, name, better);
        }
    }
}

void rule_eksctl_name(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    if (plan_is_in_eksctl_file(nodes)) {
        check_name(rules, subject, subject->name_span, nodes->head.id, nodes->cluster->head.name->string);
    }
}

void rule_eksctl_group_name(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    if (own != NULL && own->name.state == FIELD_KNOWN) {
        check_name(rules, group->subject, own->name.span, own->name.text, own->config->name);
    }
}

// ---- sizes -----------------------------------------------------------------------------------------------------

// A stack's group too: an Auto Scaling group takes no other number.
void rule_desired(const Rules *rules, const PlanNodes *nodes) {
    const Value *desired = nodes->eks->desired;
    const bool is_known = desired != NULL && desired->kind == VALUE_INT &&
                          nodes->count.written_low->kind == VALUE_INT && nodes->count.written_high->kind == VALUE_INT;
    if (!is_known || (desired->integer >= nodes->count.written_low->integer &&
                      desired->integer <= nodes->count.written_high->integer)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, desired->span, DIAG(desired_outside), "desired",
                    desired->integer, "count", nodes->count.written_low->integer, nodes->count.written_high->integer);
    diag_label(rules->session, diag, subject_value(nodes->head.subject, NODES_COUNT)->span, "%" PRId64 " to %" PRId64,
               nodes->count.written_low->integer, nodes->count.written_high->integer);
}

void rule_tolerance(const Rules *rules, const PlanNodes *nodes) {
    enum { ALL = 100 };
    const Value *tolerance = nodes->eks->tolerance;
    if (tolerance == NULL) {
        return;
    }
    if (tolerance->integer < 0 || tolerance->integer > ALL) {
        plan_report(rules->session, nodes->head.subject, tolerance->span, DIAG(bad_tolerance), tolerance->integer);
    } else if (!plan_is_in_stack(nodes)) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, tolerance->span, DIAG(tolerance_without_stack),
                                 tolerance->integer, STR_ARG(nodes->head.id));
        diag_help(rules->session, diag, "write `group = stack`, or leave `tolerance` out");
    }
}

// ---- metadata service ------------------------------------------------------------------------------------------

// What a value is in a file that takes nothing late; NULL for nothing, and itself where the rules cannot tell.
static const Value *settled(const Value *value) {
    if (value == NULL || value->kind != VALUE_LATE) {
        return value == NULL || value->kind == VALUE_NULL ? NULL : value;
    }
    const Late *late = value->late;
    if (late->kind == LATE_PARAM) {
        return settled(late->param->initial);
    }
    if (late->kind == LATE_DEFAULT) {
        const Value *first = settled(late->parts[0]);
        return first != NULL ? first : settled(late->parts[1]);
    }
    const Value *condition = late->kind == LATE_IF ? settled(late->parts[0]) : NULL;
    const bool is_known = condition != NULL && condition->kind == VALUE_BOOL;
    return is_known ? settled(late->parts[condition->boolean ? 1 : 2]) : value;
}

// eksctl sets 2 hops, and 1 where pods are kept away.
void rule_hops_of_eksctl(const Rules *rules, const PlanNodes *nodes) {
    const Value *hops = plan_is_of_eksctl(nodes) ? settled(nodes->imds.hop_limit) : NULL;
    if (nodes->cluster->eks->existing != NULL || hops == NULL || hops->kind != VALUE_INT || hops->integer == 1 ||
        hops->integer == schema_constant(CONSTANT_IMDS_HOPS_EKS)) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->imds.hop_limit->span, DIAG(eksctl_imds_hops),
                             hops->integer);
    diag_help(rules->session, diag, "write `imds_hop_limit = 2`, or `group = managed`");
}

// ---- policies --------------------------------------------------------------------------------------------------

static const Value *find_word(const Value *list, const char *word) {
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (str_is(list->list.items[i]->string, word)) {
            return list->list.items[i];
        }
    }
    return NULL;
}

void rule_eksctl_policies(const Rules *rules, const PlanNodes *nodes) {
    if (!plan_is_in_eksctl_file(nodes) || nodes->eks->addon_policies->list.count == 0) {
        return;
    }
    const Subject *subject = nodes->head.subject;
    const Value *old = find_word(nodes->eks->addon_policies, "alb_ingress");
    const Value *new = find_word(nodes->eks->addon_policies, "aws_load_balancer_controller");
    if (plan_is_of_eksctl(nodes) && nodes->imds.hop_limit->kind == VALUE_INT && nodes->imds.hop_limit->integer == 1) {
        Diag *diag = plan_report(rules->session, subject, subject_key(subject, NODES_ADDON_POLICIES),
                                 DIAG(eksctl_policies), "addon_policies", "imds_hop_limit = 1");
        diag_label(rules->session, diag, nodes->imds.hop_limit->span, "keeps pods from the nodes' role");
        diag_help(rules->session, diag, "give the pods a role of their own, or leave `imds_hop_limit` out");
    }
    if (old != NULL && new != NULL) {
        Diag *diag = plan_report(rules->session, subject, old->span, DIAG(eksctl_policies), "alb_ingress",
                                 "aws_load_balancer_controller");
        diag_label(rules->session, diag, new->span, "has taken its place");
        diag_help(rules->session, diag, "leave `alb_ingress` out");
    }
}

// ---- drivers ---------------------------------------------------------------------------------------------------

// Whether another group before this one has said that the system has no drivers.
static bool is_said_before(const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    for (uint32_t i = 0; i < cluster->nodes.count && cluster->nodes.items[i]->head.subject != nodes->head.subject;
         i++) {
        const PlanNodes *other = cluster->nodes.items[i];
        if (plan_is_in_eksctl_file(other) && other->instance->accelerator == ACCELERATOR_NVIDIA &&
            !plan_allows(other->head.subject, DIAG_image_drivers)) {
            return true;
        }
    }
    return false;
}

static void report_neuron(const Rules *rules, const ImageUse *use, Str system, const char *help) {
    Diag *diag = plan_report_once(rules->session, use->subject, use->type_span, DIAG(neuron_on_eks), use->type->name,
                                  STR_ARG(system));
    diag_label(rules->session, diag, use->image, "has no Neuron driver");
    diag_help(rules->session, diag, "write %s", help);
}

void rule_eks_drivers(const Rules *rules, const PlanNodes *nodes) {
    const Value *os = nodes->cluster->os;
    if (!plan_is_in_eksctl_file(nodes) || operating_system(os->string)->eks_image != EKS_IMAGE_BARE) {
        return;
    }
    const InstanceRow *type = nodes->instance;
    if (type->accelerator == ACCELERATOR_NEURON) {
        const ImageUse use = {
            .subject = nodes->head.subject, .image = os->span, .type = type, .type_span = nodes->instance_value->span
        };
        report_neuron(rules, &use, os->string, "`os = al2023` or `bottlerocket`");
    } else if (type->accelerator == ACCELERATOR_NVIDIA &&
               (!is_said_before(nodes) || plan_allows(nodes->head.subject, DIAG_image_drivers))) {
        Diag *diag =
            plan_report_once(rules->session, nodes->head.subject, os->span, DIAG(image_drivers), type->name, "NVIDIA");
        diag_primary_label(rules->session, diag, "Ubuntu for EKS comes without");
        diag_label(rules->session, diag, nodes->instance_value->span, "%s %s", type->accelerator_vendor,
                   type->accelerator_name);
        diag_help(rules->session, diag, "write `os = al2023` or `bottlerocket`");
        diag_help(rules->session, diag,
                  "or have the NVIDIA GPU Operator install them, and write `allow DT0392, \"…\"`");
    }
}

static bool is_ubuntu(const PlanField *family) {
    return family->state == FIELD_KNOWN && str_starts_with(family->text, STR("Ubuntu"));
}

void rule_eksctl_neuron(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    const PlanType *type = own == NULL || group->types.count == 0 ? NULL : &group->types.items[0];
    if (type == NULL || !is_ubuntu(&own->family) || own->image.state != FIELD_ABSENT ||
        type->row->accelerator != ACCELERATOR_NEURON) {
        return;
    }
    const ImageUse use = {
        .subject = group->subject, .image = own->family.span, .type = type->row, .type_span = type->field.span
    };
    report_neuron(rules, &use, own->family.text, "`amiFamily: AmazonLinux2023` or `Bottlerocket`");
}

// The word of `os` that an `amiFamily` is; that of Amazon Linux 2023, as eksctl has it, where none is written.
static Str system_of(const PlanField *family) {
    static const char *const SYSTEMS[] = { "al2023", "al2", "bottlerocket" };
    if (family->state == FIELD_ABSENT) {
        return STR("al2023");
    }
    for (size_t i = 0; i < COUNT_OF(SYSTEMS) && family->state == FIELD_KNOWN; i++) {
        if (str_is(family->text, operating_system(str_of(SYSTEMS[i]))->eksctl)) {
            return str_of(SYSTEMS[i]);
        }
    }
    return STR_NONE;
}

static void check_branch(const Rules *rules, const PlanGroup *group, const PlanType *type, int minor) {
    const ImageUse use = {
        .subject = group->subject, .image = type->field.span, .type = type->row, .type_span = SPAN_NONE
    };
    Diag *diag =
        image_check_branch(rules, &use, image_word_of_eks(system_of(&group->eksctl->family), type->row), minor);
    if (diag == NULL) {
        return;
    }
    if (gpu_driver_at_odds(rules->session->arena, image_word_of_eks(STR("al2023"), type->row), minor, type->row) == 0) {
        diag_help(rules->session, diag, "write `amiFamily: AmazonLinux2023`");
    } else {
        diag_help(rules->session, diag, "build an image with such a driver, and name it by `ami`");
    }
}

void rule_eksctl_driver_branch(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    if (own == NULL || own->image.state != FIELD_ABSENT || own->has_template) {
        return;
    }
    const PlanField *version = &own->config->version;
    const int minor = version->state == FIELD_KNOWN ? plan_kubernetes_minor(version->text) : 0;
    for (uint32_t i = 0; i < group->types.count; i++) {
        if (group->types.items[i].row->accelerator == ACCELERATOR_NVIDIA) {
            check_branch(rules, group, &group->types.items[i], minor);
        }
    }
}

// ---- interfaces ------------------------------------------------------------------------------------------------

// What a launch template of its own says, eksctl leaves as it is.
static bool is_placed(const PlanGroup *group) {
    return group->eksctl != NULL && group->launch->efa.is_wanted && !group->eksctl->has_template;
}

void rule_eksctl_interfaces(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; is_placed(group) && i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        if (type->row->efa_max < 1 || plan_is_placed_by_eksctl(type->row)) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, group->subject, type->field.span, DIAG(places_of_eksctl), type->row->name);
        diag_note(rules->session, diag, "`dtc explain %s` shows its cards", type->row->name);
        diag_help(rules->session, diag,
                  "name a launch template of your own, by `launchTemplate`, in the place of `efaEnabled`");
    }
}

// eksctl gives a group one list of interfaces, of as many cards as the least of its types has.
void rule_eksctl_cards(const Rules *rules, const PlanGroup *group) {
    const PlanTypes *types = &group->types;
    const PlanType *fewest = types->count > 0 ? &types->items[0] : NULL;
    const PlanType *most = fewest;
    bool is_known = is_placed(group) && !group->has_other_types;
    for (uint32_t i = 0; i < types->count; i++) {
        const PlanType *type = &types->items[i];
        is_known = is_known && type->row->network_cards > 0 && type->row->efa_max > 0;
        fewest = type->row->network_cards < fewest->row->network_cards ? type : fewest;
        most = type->row->network_cards > most->row->network_cards ? type : most;
    }
    if (!is_known || fewest == most) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(&most->field), DIAG(cards_of_least),
                             most->row->name, fewest->row->network_cards, most->row->network_cards);
    diag_label(rules->session, diag, rule_span(&fewest->field), "has %d", fewest->row->network_cards);
    diag_help(rules->session, diag, "make a group for each of the two");
}
