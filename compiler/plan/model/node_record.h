// The record of a node group: what each node must find true of itself. stdlib/node/contract.h describes its form. Every
// number comes from the schema and has a source. A fact without a source is left out, with its key.
#pragma once

#include "compiler/plan/model/plan.h"

enum { BITS_OF_GIGABIT = 1000 * 1000 * 1000 }; // rates stand in it in whole Gb/s

// The record of a group whose `validate` is planned: text that ends with a line end, the same for the same plan. What
// an author gave stands in it as it is, so that a rule can say what is wrong with it.
Str node_record_write(Arena *arena, const PlanNodes *nodes, const PlanValidate *validate);

// Where the first byte stands that a record cannot hold; the length of the text where there is none.
size_t node_record_bad_byte(Str text);

// What a link between two nodes of the group carries at least, in Gb/s; 0 where the schema does not know it.
int node_record_link_gbps(const PlanNodes *nodes);
