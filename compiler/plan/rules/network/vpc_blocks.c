// Rules about the blocks of addresses of a VPC and of its subnets: what is a block, and which blocks EC2 takes together.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/cidr.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/network_layout.h"
#include "schema/limits.h"

enum { BLOCKS_COMPARED_MAX = 500 }; // a template has no more resources

// A block that EC2 takes, and where it is written.
typedef struct {
    const PlanVpcBlock *written;
    Cidr cidr;
} AddressBlock;

typedef VEC(AddressBlock) AddressBlocks;

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

static bool is_within(Cidr block, const char *range) {
    Cidr whole;
    bool is_block = cidr_parse(str_of(range), &whole);
    assert(is_block);
    return is_block && cidr_is_within(block, whole);
}

// ---- one block -------------------------------------------------------------------------------------------------------

// Who takes a block, of which sizes.
typedef struct {
    const char *owner;
    int least; // length of the prefix
    int most;
} Taker;

static const Taker OF_VPC = { "a VPC", LIMIT_VPC_PREFIX_MIN, LIMIT_VPC_PREFIX_MAX };
static const Taker OF_SUBNET = { "a subnet", LIMIT_VPC_PREFIX_MIN, LIMIT_VPC_PREFIX_MAX };

// It cuts the block into subnets.
// source: eksctl-io/eksctl@99984adb pkg/vpc/vpc.go, validateVPCCIDR, 2026-08-21, read 2026-11-26
static const Taker OF_EKSCTL = { "a VPC that eksctl cuts into subnets", LIMIT_VPC_PREFIX_MIN, LIMIT_EKSCTL_PREFIX_MAX };

// Whose `allow` counts; NULL: where dtc cuts the block into subnets, nothing can be planned behind a fault.
static const Subject *allowing(const PlanVpcBlock *block) {
    return block->is_cut ? NULL : block->subject;
}

static Diag *report_block(const Rules *rules, const PlanVpcBlock *block, const Taker *taker, Str why) {
    Diag *diag = plan_report(rules->session, allowing(block), rule_span(&block->block), DIAG(cidr_block),
                             STR_ARG(block->block.text), taker->owner, STR_ARG(why));
    diag->can_be_allowed = !block->is_cut;
    return diag;
}

static void help_block(const Rules *rules, Diag *diag, const Taker *taker) {
    diag_help(rules->session, diag, "write a block from /%d to /%d whose address is its first, such as `10.0.0.0/16`",
              taker->least, taker->most);
}

// How large it is to be, its author alone knows: a help, and no fix.
static void bad_size(const Rules *rules, const PlanVpcBlock *block, const Taker *taker, Cidr cidr) {
    const bool is_large = cidr.prefix < taker->least;
    Diag *diag = report_block(rules, block, taker,
                              str_format(rules->session->arena, "/%d is %s than /%d", cidr.prefix,
                                         is_large ? "larger" : "smaller", is_large ? taker->least : taker->most));
    if (taker != &OF_EKSCTL) {
        help_block(rules, diag, taker);
        return;
    }
    Cidr near = cidr; // with the address that its author wrote
    (void)cidr_parse(block->block.text, &near);
    near.prefix = is_large ? taker->least : taker->most;
    diag_help(rules->session, diag, "write `%.*s`, or another block from /%d to /%d",
              STR_ARG(cidr_print(rules->session->arena, cidr_trim(near))), taker->least, taker->most);
}

// False where no `taker` can have the block, which is reported.
static bool is_block(const Rules *rules, const PlanVpcBlock *block, const Taker *taker, Cidr cidr) {
    if (cidr.prefix < taker->least || cidr.prefix > taker->most) {
        bad_size(rules, block, taker, cidr);
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(RANGE_ROWS); i++) {
        if (RANGE_ROWS[i].kind == REFUSED && is_within(cidr, RANGE_ROWS[i].range)) {
            Diag *diag = report_block(rules, block, taker, str_of(RANGE_ROWS[i].other));
            help_block(rules, diag, taker);
            return false;
        }
    }
    return true;
}

// Bits behind the prefix EC2 takes away (EC2 API Reference, CreateVpc and CreateSubnet, 2026-11), and eksctl does; what dtc
// lays out is written as it is meant.
static bool has_no_bits(const Rules *rules, const PlanVpcBlock *block, const Taker *taker, Cidr cidr) {
    if (cidr_trim(cidr).address == cidr.address || !block->is_cut) {
        return true;
    }
    Diag *diag = report_block(rules, block, taker, STR("its address is not the first of the block"));
    diag_help(rules->session, diag, "write `\"%.*s\"`", STR_ARG(cidr_print(rules->session->arena, cidr_trim(cidr))));
    return false;
}

// The blocks of a list, without those that nobody can have, which are reported. What is no block of IPv4 is left out.
static AddressBlocks read_blocks(const Rules *rules, const PlanVpcBlock *list, uint32_t count, const Taker *taker) {
    AddressBlocks blocks = { 0 };
    for (uint32_t i = 0; i < count && i < BLOCKS_COMPARED_MAX; i++) {
        const PlanVpcBlock *block = &list[i];
        Cidr cidr;
        const bool has_form =
            block->block.state == FIELD_KNOWN && (cidr_parse(block->block.text, &cidr) || cidr.address != 0);
        if (has_form && is_block(rules, block, taker, cidr_trim(cidr)) && has_no_bits(rules, block, taker, cidr)) {
            vec_push(rules->session->arena, &blocks, ((AddressBlock){ .written = block, .cidr = cidr_trim(cidr) }));
        }
    }
    return blocks;
}

// EC2 takes it; containers with a network of their own do not reach what is in it.
static void check_docker(const Rules *rules, const AddressBlock *block) {
    if (is_within(block->cidr, "172.17.0.0/16")) {
        Diag *diag = plan_report(rules->session, block->written->subject, rule_span(&block->written->block),
                                 DIAG(cidr_of_docker), STR_ARG(block->written->block.text));
        diag_help(rules->session, diag, "take another block, such as 10.0.0.0/16");
    }
}

// ---- two blocks ------------------------------------------------------------------------------------------------------

static bool is_apart(Cidr first, Cidr other) {
    for (size_t i = 0; i < COUNT_OF(RANGE_ROWS); i++) {
        const RangeRow *row = &RANGE_ROWS[i];
        if (row->kind == APART && is_within(first, row->range) && is_within(other, row->other)) {
            return true;
        }
    }
    return !cidr_is_private(first) && cidr_is_private(other);
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

// NULL where they have no address in common.
static Diag *check_overlap(const Rules *rules, const AddressBlock *block, const AddressBlock *other) {
    if (!cidr_overlaps(block->cidr, other->cidr)) {
        return NULL;
    }
    Diag *diag =
        plan_report(rules->session, allowing(block->written), rule_span(&block->written->block), DIAG(cidr_overlap),
                    STR_ARG(block->written->block.text), STR_ARG(other->written->block.text));
    diag->can_be_allowed = !block->written->is_cut;
    diag_label(rules->session, diag, rule_span(&other->written->block), "the other one");
    return diag;
}

// `other` was there before, and may be the first.
static void check_pair(const Rules *rules, const AddressBlock *block, const AddressBlock *other, bool is_first) {
    if (check_overlap(rules, block, other) == NULL &&
        (is_apart_from_any(other->cidr, block->cidr) || (is_first && is_apart(other->cidr, block->cidr)))) {
        Diag *diag =
            plan_report(rules->session, block->written->subject, rule_span(&block->written->block), DIAG(cidr_apart),
                        STR_ARG(block->written->block.text), STR_ARG(other->written->block.text));
        diag_label(rules->session, diag, rule_span(&other->written->block),
                   is_first ? "the first block decides" : "comes before it");
        diag_help(rules->session, diag, "take both from one range, such as 10.1.0.0/16 and 10.2.0.0/16");
    }
}

// ---- all blocks ------------------------------------------------------------------------------------------------------

static void check_count(const Rules *rules, const PlanVpc *vpc) {
    const uint32_t count = vpc->blocks.count;
    if (count <= LIMIT_VPC_BLOCKS_USUAL) {
        return;
    }
    const bool is_refused = count > LIMIT_VPC_BLOCKS_MAX;
    const PlanVpcBlock *beyond = &vpc->blocks.items[is_refused ? LIMIT_VPC_BLOCKS_MAX : LIMIT_VPC_BLOCKS_USUAL];
    const Span span = span_is_none(rule_span(&beyond->block)) ? beyond->span : rule_span(&beyond->block);
    Diag *diag = NULL;
    if (is_refused) {
        diag = plan_report(rules->session, allowing(beyond), span, DIAG(blocks_refused), STR_ARG(vpc->name), count,
                           LIMIT_VPC_BLOCKS_MAX);
        diag->can_be_allowed = !beyond->is_cut;
        diag_help(rules->session, diag, "write fewer blocks: the largest is a /%d", LIMIT_VPC_PREFIX_MIN);
        return;
    }
    diag = plan_report(rules->session, beyond->subject, span, DIAG(blocks_many), STR_ARG(vpc->name), count,
                       LIMIT_VPC_BLOCKS_USUAL);
    diag_help(rules->session, diag, "write fewer blocks: the largest is a /%d", LIMIT_VPC_PREFIX_MIN);
    diag_help(rules->session, diag, "or ask AWS for a higher quota, and write %.*s",
              STR_ARG(rule_way_to_allow(rules, beyond->subject, "DT1391")));
}

void rule_vpc_blocks(const Rules *rules, const PlanVpc *vpc) {
    if (vpc->maker == VPC_OF_OTHERS) {
        return;
    }
    const AddressBlocks blocks =
        read_blocks(rules, vpc->blocks.items, vpc->blocks.count, vpc->maker == VPC_BY_EKSCTL ? &OF_EKSCTL : &OF_VPC);
    check_count(rules, vpc);
    for (uint32_t i = 0; i < blocks.count; i++) {
        check_docker(rules, &blocks.items[i]);
        for (uint32_t k = 0; k < i; k++) {
            check_pair(rules, &blocks.items[i], &blocks.items[k], blocks.items[k].written == &vpc->blocks.items[0]);
        }
    }
}

// ---- subnets ---------------------------------------------------------------------------------------------------------

static bool is_in_one_of(const AddressBlock *block, const AddressBlocks *blocks) {
    for (uint32_t i = 0; i < blocks->count; i++) {
        if (cidr_is_within(block->cidr, blocks->items[i].cidr)) {
            return true;
        }
    }
    return false;
}

static void check_place(const Rules *rules, const AddressBlock *subnet, const AddressBlocks *blocks) {
    if (is_in_one_of(subnet, blocks)) {
        return;
    }
    const AddressBlock *first = &blocks->items[0];
    Diag *diag = plan_report(rules->session, subnet->written->subject, rule_span(&subnet->written->block),
                             DIAG(subnet_outside), STR_ARG(subnet->written->block.text));
    for (uint32_t i = 0; i < blocks->count && i < 3; i++) {
        diag_label(rules->session, diag, rule_span(&blocks->items[i].written->block), "a block of the VPC");
    }
    if (subnet->cidr.prefix < first->cidr.prefix) {
        diag_help(rules->session, diag, "write a smaller block, from /%d on", first->cidr.prefix);
    } else {
        const Cidr inside = { .address = first->cidr.address, .prefix = subnet->cidr.prefix };
        diag_help(rules->session, diag, "write a block such as `%.*s`, or add this one to the VPC",
                  STR_ARG(cidr_print(rules->session->arena, inside)));
    }
}

// Of a block that EC2 does not take, rule vpc_blocks speaks.
static AddressBlocks known_blocks(const Rules *rules, const PlanVpc *vpc) {
    AddressBlocks blocks = { 0 };
    for (uint32_t i = 0; i < vpc->blocks.count; i++) {
        const PlanVpcBlock *block = &vpc->blocks.items[i];
        Cidr cidr;
        const bool has_form = cidr_parse(block->block.text, &cidr) || cidr.address != 0;
        if (has_form && cidr.prefix >= LIMIT_VPC_PREFIX_MIN && cidr.prefix <= LIMIT_VPC_PREFIX_MAX) {
            vec_push(rules->session->arena, &blocks, ((AddressBlock){ .written = block, .cidr = cidr_trim(cidr) }));
        }
    }
    return blocks;
}

void rule_vpc_subnets(const Rules *rules, const PlanVpc *vpc) {
    const AddressBlocks subnets = read_blocks(rules, vpc->subnets.items, vpc->subnets.count, &OF_SUBNET);
    const AddressBlocks blocks = known_blocks(rules, vpc);
    const bool are_all_known = !vpc->has_other_blocks && blocks.count == vpc->blocks.count && blocks.count > 0;
    for (uint32_t i = 0; i < subnets.count; i++) {
        if (are_all_known) {
            check_place(rules, &subnets.items[i], &blocks);
        }
        Diag *diag = NULL;
        for (uint32_t k = 0; k < i && diag == NULL; k++) {
            diag = check_overlap(rules, &subnets.items[i], &subnets.items[k]);
        }
        if (diag != NULL) {
            diag_help(rules->session, diag, "give each subnet addresses of its own");
        }
    }
}

// ---- what dtc cuts ---------------------------------------------------------------------------------------------------

void rule_room_for_subnets(const Rules *rules, const PlanNetwork *network) {
    if (network->mode != NETWORK_MADE) {
        return;
    }
    if (network->made.cidr->list.count == 0 && network->zones->list.count > 0) {
        Diag *none = report(rules->session, network->made.cidr->span, DIAG(cidr_few), UINT32_C(0), UINT32_C(1));
        diag_help(rules->session, none, "leave `cidr` out: dtc has blocks of its own");
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
