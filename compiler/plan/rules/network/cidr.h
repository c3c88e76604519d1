// What the rules about blocks of addresses share: those of a network that dtc makes, and those of a VPC that somebody wrote.
#pragma once

#include "compiler/base/cidr.h"
#include "compiler/plan/rules/rules.h"

// A block, where it is written, and whose it is.
typedef struct {
    const Subject *subject;
    bool is_planned; // dtc cuts it into subnets: no `allow` helps where it cannot be
    Str text;
    Span span;
    Cidr cidr;
} RuleBlock;

// Reports a block that is no block of `owner`, "a VPC" or "a subnet"; false then. Bits behind its prefix are another rule's.
bool rules_block(const Rules *rules, const RuleBlock *block, const char *owner);

// Reports two blocks that have addresses in common; NULL where they have none.
Diag *rules_overlap(const Rules *rules, const RuleBlock *block, const RuleBlock *other);

// Reports two blocks of one VPC that it cannot both have; `other` was there before, and may be the first.
void rules_two_blocks(const Rules *rules, const RuleBlock *block, const RuleBlock *other, bool is_first);

// Reports addresses that containers do not reach.
void rules_docker_block(const Rules *rules, const RuleBlock *block);

// Reports more blocks than a VPC has in most accounts; `beyond` is the first of those that are too many.
void rules_block_count(const Rules *rules, const RuleBlock *beyond, Str name, uint32_t count);
