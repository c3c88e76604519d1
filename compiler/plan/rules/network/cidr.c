// Rules about the blocks of addresses of a VPC that is made: what EC2 takes as a block, and which blocks it takes
// together.
#include "compiler/plan/rules/network/cidr.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/network_layout.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_field.h"

// A range that no VPC's block may be in, and why. Or a range of the first block or of the earlier one, and the range
// where others may not lie then.
typedef struct {
    enum { REFUSED, APART, APART_FROM_ANY } kind;
    const char *range;
    const char *other;
} RangeRow;

static const RangeRow RANGE_ROWS[] = {
#define BLOCK_REFUSED(range, why) { REFUSED, range, why },
#define BLOCK_APART(first, other) { APART, first, other },
#define BLOCK_APART_FROM_ANY(earlier, other) { APART_FROM_ANY, earlier, other },
#include "schema/address_blocks.def"
#undef BLOCK_REFUSED
#undef BLOCK_APART
#undef BLOCK_APART_FROM_ANY
};

// RFC 1918, 1996-02.
static const char *const PRIVATE[] = { "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16" };

static bool is_within(Cidr block, const char *range) {
    Cidr whole;
    bool is_block = cidr_parse(str_of(range), &whole);
    assert(is_block);
    return is_block && block.prefix >= whole.prefix && cidr_overlaps(block, whole);
}

// Whose `allow` counts; NULL: where dtc cuts the block into subnets, nothing can be planned behind a fault.
static const Subject *allowing(const RuleBlock *block) {
    return block->is_planned ? NULL : block->subject;
}

static void bad_block(const Rules *rules, const RuleBlock *block, const char *owner, Str why, Str better) {
    Diag *diag = plan_report(rules->session, allowing(block), block->span, DIAG(cidr_block), STR_ARG(block->text),
                             owner, STR_ARG(why));
    diag->can_be_allowed = !block->is_planned;
    if (better.len > 0) {
        diag_help(rules->session, diag, "write `\"%.*s\"`", STR_ARG(better));
    } else {
        diag_help(rules->session, diag,
                  "write a block from /%d to /%d whose address is its first, such as `10.0.0.0/16`",
                  LIMIT_VPC_PREFIX_MIN, LIMIT_VPC_PREFIX_MAX);
    }
}

bool rules_block(const Rules *rules, const RuleBlock *block, const char *owner) {
    const int prefix = block->cidr.prefix;
    if (prefix < LIMIT_VPC_PREFIX_MIN || prefix > LIMIT_VPC_PREFIX_MAX) {
        bad_block(rules, block, owner,
                  str_format(rules->session->arena, "/%d is %s than /%d", prefix,
                             prefix < LIMIT_VPC_PREFIX_MIN ? "larger" : "smaller",
                             prefix < LIMIT_VPC_PREFIX_MIN ? LIMIT_VPC_PREFIX_MIN : LIMIT_VPC_PREFIX_MAX),
                  STR_NONE);
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(RANGE_ROWS); i++) {
        if (RANGE_ROWS[i].kind == REFUSED && is_within(block->cidr, RANGE_ROWS[i].range)) {
            bad_block(rules, block, owner, str_of(RANGE_ROWS[i].other), STR_NONE);
            return false;
        }
    }
    return true;
}

// EC2 takes bits behind the prefix away (EC2 API Reference, CreateVpc, 2026-11); what dtc lays out is written as it is meant.
static bool is_block(const Rules *rules, const Subject *subject, const Value *value, RuleBlock *block) {
    *block = (RuleBlock){ .subject = subject, .is_planned = true, .text = value->string, .span = value->span };
    const bool has_no_bits = cidr_parse(value->string, &block->cidr);
    const bool is_good = rules_block(rules, block, "a VPC");
    if (is_good && !has_no_bits) {
        bad_block(rules, block, "a VPC", STR("its address is not the first of the block"),
                  cidr_print(rules->session->arena, cidr_trim(block->cidr)));
    }
    return is_good && has_no_bits;
}

static bool is_private(Cidr block) {
    for (size_t i = 0; i < COUNT_OF(PRIVATE); i++) {
        if (is_within(block, PRIVATE[i])) {
            return true;
        }
    }
    return false;
}

static bool is_apart(Cidr first, Cidr other) {
    for (size_t i = 0; i < COUNT_OF(RANGE_ROWS); i++) {
        const RangeRow *row = &RANGE_ROWS[i];
        if (row->kind == APART && is_within(first, row->range) && is_within(other, row->other)) {
            return true;
        }
    }
    return !is_private(first) && is_private(other);
}

// Whichever of them is the first one.
static bool is_apart_from_any(Cidr earlier, Cidr other) {
    for (size_t i = 0; i < COUNT_OF(RANGE_ROWS); i++) {
        const RangeRow *row = &RANGE_ROWS[i];
        if (row->kind == APART_FROM_ANY && is_within(earlier, row->range) && is_within(other, row->other)) {
            return true;
        }
    }
    return false;
}

Diag *rules_overlap(const Rules *rules, const RuleBlock *block, const RuleBlock *other) {
    if (!cidr_overlaps(block->cidr, other->cidr)) {
        return NULL;
    }
    Diag *diag = plan_report(rules->session, allowing(block), block->span, DIAG(cidr_overlap), STR_ARG(block->text),
                             STR_ARG(other->text));
    diag->can_be_allowed = !block->is_planned;
    diag_label(rules->session, diag, other->span, "the other one");
    return diag;
}

void rules_two_blocks(const Rules *rules, const RuleBlock *block, const RuleBlock *other, bool is_first) {
    if (rules_overlap(rules, block, other) == NULL &&
        (is_apart_from_any(other->cidr, block->cidr) || (is_first && is_apart(other->cidr, block->cidr)))) {
        Diag *diag = plan_report(rules->session, block->subject, block->span, DIAG(cidr_apart), STR_ARG(block->text),
                                 STR_ARG(other->text));
        diag_label(rules->session, diag, other->span, is_first ? "the first block decides" : "comes before it");
        diag_help(rules->session, diag, "take both from one range, such as 10.1.0.0/16 and 10.2.0.0/16");
    }
}

// EC2 takes it; containers with a network of their own do not reach what is in it.
void rules_docker_block(const Rules *rules, const RuleBlock *block) {
    if (is_within(block->cidr, "172.17.0.0/16")) {
        Diag *diag =
            plan_report(rules->session, block->subject, block->span, DIAG(cidr_of_docker), STR_ARG(block->text));
        diag_help(rules->session, diag, "take another block, such as 10.0.0.0/16");
    }
}

// ---- services of Kubernetes ------------------------------------------------------------------------------------

static const char *service_fault(const Rules *rules, Str text, Cidr *range) {
    if (!cidr_parse(text, range)) {
        return range->prefix > 0 && range->address > 0 ? "its address is not the first of the block" : "it is no block";
    }
    if (range->prefix < LIMIT_EKS_SERVICE_PREFIX_MIN || range->prefix > LIMIT_EKS_SERVICE_PREFIX_MAX) {
        return str_c(rules->session->arena, str_format(rules->session->arena, "/%d to /%d are taken",
                                                       LIMIT_EKS_SERVICE_PREFIX_MIN, LIMIT_EKS_SERVICE_PREFIX_MAX));
    }
    return is_private(*range) ? NULL : "it is not in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16";
}

// Who has a range of services, and the blocks of its VPC, as far as they are known.
typedef struct {
    const Subject *subject;
    const Value *const *blocks;
    uint32_t block_count;
    const char *where; // the blocks stand
} Services;

static void check_services(const Rules *rules, const Services *services, const Value *value) {
    Cidr range = { 0 };
    const char *fault = service_fault(rules, value->string, &range);
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, services->subject, value->span, DIAG(service_range),
                                 STR_ARG(value->string), fault);
        diag_help(rules->session, diag, "write a range such as `10.100.0.0/16`");
        return;
    }
    for (uint32_t i = 0; i < services->block_count; i++) {
        const Value *block = services->blocks[i];
        Cidr other;
        if (block->kind == VALUE_STRING && cidr_parse(block->string, &other) && cidr_overlaps(range, other)) {
            fault = str_c(rules->session->arena,
                          str_format(rules->session->arena, "it overlaps `%.*s` of the VPC", STR_ARG(block->string)));
            Diag *diag = plan_report(rules->session, services->subject, value->span, DIAG(service_range),
                                     STR_ARG(value->string), fault);
            if (!span_is_none(block->span)) {
                diag_label(rules->session, diag, block->span, "addresses of the VPC");
            }
            diag_help(rules->session, diag, "write a range outside of %s", services->where);
            return;
        }
    }
}

// The block that eksctl gives a VPC without another one. eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/vpc.go,
// DefaultCIDR, read 2026-11.
static const char EKSCTL_BLOCK[] = "192.168.0.0/16";

void rule_cluster_config_services(const Rules *rules, const PlanClusterConfig *config) {
    const Value usual = { .kind = VALUE_STRING, .string = str_of(EKSCTL_BLOCK), .span = SPAN_NONE };
    const Value *block = config->block == NULL && config->makes_vpc ? &usual : config->block;
    const Services services = { .subject = config->file.subject,
                                .blocks = &block,
                                .block_count = block != NULL,
                                .where = block == &usual ? "the block that eksctl gives a VPC, or another `vpc.cidr`"
                                                         : "`vpc.cidr`" };
    if (config->services != NULL && config->services->kind == VALUE_STRING) {
        check_services(rules, &services, config->services);
    }
}

// What is filled in, or refers to something, has other letters.
static bool is_range(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is = is && (char_is_digit(text.data[i]) || text.data[i] == '.' || text.data[i] == '/');
    }
    return is;
}

void rule_services_of_resource(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const bool is_cluster = str_is(raw->type, "AWS::EKS::Cluster");
    const Value *network = is_cluster ? resource_property(raw, "KubernetesNetworkConfig") : NULL;
    const Value *value = object_get(network, "ServiceIpv4Cidr");
    if (is_range(object_text(value))) {
        check_services(rules, &(Services){ .subject = resource->subject }, value);
    }
}

void rule_services_of_eks(const Rules *rules, const PlanCluster *cluster) {
    const BlockPatches *patches = &cluster->head.part->patches;
    const PlanNetwork *network = cluster->network;
    const bool is_known = network != NULL && network->mode == NETWORK_MADE && network->made.cidr != NULL;
    const Services services = { .subject = cluster->head.subject,
                                .blocks = is_known ? network->made.cidr->list.items : NULL,
                                .block_count = is_known ? network->made.cidr->list.count : 0,
                                .where = "the network's `cidr`" };
    for (uint32_t i = 0; i < patches->count; i++) {
        const BlockPatch *patch = &patches->items[i];
        const bool is_outer = str_is(patch->path, "kubernetesNetworkConfig") && patch->value->kind == VALUE_MAP;
        const bool is_range = str_is(patch->path, "kubernetesNetworkConfig.serviceIPv4CIDR");
        const Value *value = is_outer ? value_get(patch->value, "serviceIPv4CIDR") : is_range ? patch->value : NULL;
        if (value != NULL && value->kind == VALUE_STRING) {
            check_services(rules, &services, value);
        }
    }
}

// ---- blocks of a VPC -------------------------------------------------------------------------------------------

typedef VEC(Span) Spans;

// Whether a value is the VPC that a network makes.
static bool is_vpc_of(const Plan *plan, const PlanNetwork *network, const Value *vpc) {
    return vpc != NULL && vpc->kind == VALUE_LATE && vpc->late->kind == LATE_OUTPUT &&
           plan_network(plan, vpc->late->block) == network && str_is(vpc->late->name, "vpc");
}

// Where each IPv4 block of the VPC is written: in `cidr`, and by hand.
static Spans blocks_of(const Rules *rules, const PlanNetwork *network) {
    Spans spans = { 0 };
    for (uint32_t i = 0; i < network->made.cidr->list.count; i++) {
        vec_push(rules->session->arena, &spans, network->made.cidr->list.items[i]->span);
    }
    const Resources *resources = &network->head.part->resources;
    for (uint32_t i = 0; i < resources->count; i++) {
        const Resource *resource = resources->items[i];
        const bool is_block =
            str_is(resource->type, "AWS::EC2::VPCCidrBlock") &&
            (resource_property(resource, "CidrBlock") != NULL || resource_property(resource, "Ipv4IpamPoolId") != NULL);
        if (is_block && is_vpc_of(rules->plan, network, resource_property(resource, "VpcId"))) {
            vec_push(rules->session->arena, &spans, resource->span);
        }
    }
    return spans;
}

void rules_block_count(const Rules *rules, const RuleBlock *beyond, Str name, uint32_t count) {
    if (count > LIMIT_VPC_BLOCKS_MAX) {
        Diag *diag = plan_report(rules->session, allowing(beyond), beyond->span, DIAG(blocks_refused), STR_ARG(name),
                                 count, LIMIT_VPC_BLOCKS_MAX);
        diag->can_be_allowed = !beyond->is_planned;
        diag_help(rules->session, diag, "write fewer blocks: the largest is a /%d", LIMIT_VPC_PREFIX_MIN);
        return;
    }
    Diag *diag = plan_report(rules->session, beyond->subject, beyond->span, DIAG(blocks_many), STR_ARG(name), count,
                             LIMIT_VPC_BLOCKS_USUAL);
    diag_help(rules->session, diag, "write fewer blocks: the largest is a /%d", LIMIT_VPC_PREFIX_MIN);
    diag_help(rules->session, diag, "or ask AWS for a higher quota, and write %.*s",
              STR_ARG(rule_way_to_allow(rules, beyond->subject, "DT1391")));
}

static void check_count(const Rules *rules, const PlanNetwork *network) {
    const Spans blocks = blocks_of(rules, network);
    if (blocks.count > LIMIT_VPC_BLOCKS_USUAL) {
        const bool is_refused = blocks.count > LIMIT_VPC_BLOCKS_MAX;
        const RuleBlock beyond = {
            .subject = network->head.subject,
            .is_planned = true,
            .span = blocks.items[is_refused ? LIMIT_VPC_BLOCKS_MAX : LIMIT_VPC_BLOCKS_USUAL],
        };
        rules_block_count(rules, &beyond, network->head.id, blocks.count);
    }
}

void rule_blocks_of_vpc(const Rules *rules, const PlanNetwork *network) {
    if (network->mode != NETWORK_MADE || network->is_used_module) {
        return;
    }
    const uint32_t count = network->made.cidr->list.count;
    if (count == 0 && network->zones->list.count > 0) {
        Diag *diag = report(rules->session, network->made.cidr->span, DIAG(cidr_few), UINT32_C(0), UINT32_C(1));
        diag_help(rules->session, diag, "leave `cidr` out: dtc has blocks of its own");
    }
    check_count(rules, network);
    RuleBlock *blocks = arena_new_array(rules->session->arena, RuleBlock, count);
    bool *is_good = arena_new_array(rules->session->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        is_good[i] = is_block(rules, network->head.subject, network->made.cidr->list.items[i], &blocks[i]);
        if (is_good[i]) {
            rules_docker_block(rules, &blocks[i]);
        }
        for (uint32_t k = 0; k < i && is_good[i]; k++) {
            if (is_good[k]) {
                rules_two_blocks(rules, &blocks[i], &blocks[k], k == 0);
            }
        }
    }
}

// ---- subnets ---------------------------------------------------------------------------------------------------

void rule_room_for_subnets(const Rules *rules, const PlanNetwork *network) {
    if (network->mode != NETWORK_MADE) {
        return;
    }
    const PlanLayout layout = plan_layout(rules->session->arena, network);
    const Value *const *blocks = network->made.cidr->list.items;
    Diag *diag;
    switch (layout.fault) {
    case LAYOUT_FITS:
    case LAYOUT_WRONG:
        break;
    case LAYOUT_FEW:
        diag = report(rules->session, network->made.cidr->span, DIAG(cidr_few), layout.block_count,
                      plan_blocks_needed(layout.zone_count));
        diag_label(rules->session, diag, network->zones->span, "%" PRIu32 " zones", layout.zone_count);
        break;
    case LAYOUT_SMALL:
        report(rules->session, blocks[layout.small_block]->span, DIAG(cidr_small),
               STR_ARG(blocks[layout.small_block]->string), layout.small_parts, LIMIT_VPC_PREFIX_MAX);
        break;
    }
}
