// Rules about a VPC that somebody wrote: the blocks that EC2 takes into it, and those of its subnets.
#include "compiler/plan/rules/network/cidr.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/vpc.h"
#include "compiler/plan/rules/rule_field.h"
#include "schema/limits.h"

enum { SUBNETS_COMPARED_MAX = 500 }; // a template has no more resources

typedef VEC(RuleBlock) Blocks;

// The blocks among `list`, without those that no `owner` can have, which are reported. What is no block of IPv4 is left
// out. EC2 takes bits behind the prefix away (EC2 API Reference, CreateVpc and CreateSubnet, 2026-11).
static Blocks read_blocks(const Rules *rules, const PlanVpcBlock *list, uint32_t count, const char *owner) {
    Blocks blocks = { 0 };
    for (uint32_t i = 0; i < count && i < SUBNETS_COMPARED_MAX; i++) {
        const PlanField *field = &list[i].block;
        RuleBlock block = { .subject = list[i].subject, .text = field->text, .span = rule_span(field) };
        const bool has_form = cidr_parse(field->text, &block.cidr) || block.cidr.address != 0;
        block.cidr = cidr_trim(block.cidr);
        if (has_form && rules_block(rules, &block, owner)) {
            vec_push(rules->session->arena, &blocks, block);
        }
    }
    return blocks;
}

static void check_blocks(const Rules *rules, const PlanVpc *vpc, const Blocks *blocks) {
    if (blocks->count > LIMIT_VPC_BLOCKS_USUAL) {
        const bool is_refused = blocks->count > LIMIT_VPC_BLOCKS_MAX;
        rules_block_count(rules, &blocks->items[is_refused ? LIMIT_VPC_BLOCKS_MAX : LIMIT_VPC_BLOCKS_USUAL], vpc->name,
                          blocks->count);
    }
    for (uint32_t i = 0; i < blocks->count; i++) {
        rules_docker_block(rules, &blocks->items[i]);
        for (uint32_t k = 0; k < i; k++) {
            rules_two_blocks(rules, &blocks->items[i], &blocks->items[k], k == 0);
        }
    }
}

static bool is_within(const RuleBlock *block, const Blocks *blocks) {
    for (uint32_t i = 0; i < blocks->count; i++) {
        const Cidr whole = blocks->items[i].cidr;
        if (block->cidr.prefix >= whole.prefix && cidr_overlaps(block->cidr, whole)) {
            return true;
        }
    }
    return false;
}

static void check_place(const Rules *rules, const RuleBlock *subnet, const Blocks *blocks) {
    if (is_within(subnet, blocks)) {
        return;
    }
    const RuleBlock *first = &blocks->items[0];
    Diag *diag =
        plan_report(rules->session, subnet->subject, subnet->span, DIAG(subnet_outside), STR_ARG(subnet->text));
    for (uint32_t i = 0; i < blocks->count && i < 3; i++) {
        diag_label(rules->session, diag, blocks->items[i].span, "a block of the VPC");
    }
    if (subnet->cidr.prefix < first->cidr.prefix) {
        diag_help(rules->session, diag, "write a smaller block, from /%d on", first->cidr.prefix);
    } else {
        const Cidr inside = { .address = first->cidr.address, .prefix = subnet->cidr.prefix };
        diag_help(rules->session, diag, "write a block such as `%.*s`, or add this one to the VPC",
                  STR_ARG(cidr_print(rules->session->arena, inside)));
    }
}

void rule_vpc_blocks(const Rules *rules, const PlanVpc *vpc) {
    const Blocks blocks = read_blocks(rules, vpc->blocks.items, vpc->blocks.count, "a VPC");
    const Blocks subnets = read_blocks(rules, vpc->subnets.items, vpc->subnets.count, "a subnet");
    const bool are_all_known = !vpc->has_other_blocks && blocks.count == vpc->blocks.count && blocks.count > 0;
    check_blocks(rules, vpc, &blocks);
    for (uint32_t i = 0; i < subnets.count; i++) {
        if (are_all_known) {
            check_place(rules, &subnets.items[i], &blocks);
        }
        Diag *diag = NULL;
        for (uint32_t k = 0; k < i && diag == NULL; k++) {
            diag = rules_overlap(rules, &subnets.items[i], &subnets.items[k]);
        }
        if (diag != NULL) {
            diag_help(rules->session, diag, "give each subnet addresses of its own");
        }
    }
}
