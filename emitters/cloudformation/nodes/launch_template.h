// The launch template of a node group: the part that does not depend on who starts the nodes.
#pragma once

#include "emitters/cloudformation/nodes/capacity_chain.h"

// The list of security groups of one interface.
typedef DocNode *LaunchTemplateGroups(Stack *stack, const PlanNodes *nodes);

// Adds the template and returns its data, an unfinished map. The caller adds the rest, such as user data and image, and
// then the tags. `market` makes InstanceMarketOptions of a link of the capacity chain.
DocNode *launch_template_add(Stack *stack, const PlanNodes *nodes, LaunchTemplateGroups *groups, CapacityNode *market);

// Puts the group's template into a map that names one, by its newest version: `$Latest` would not say when it has changed.
void launch_template_name(Stack *stack, DocNode *map, const char *key, const PlanNodes *nodes, Why reason);

// The same under `LaunchTemplate`, in the properties of whatever starts the nodes.
void launch_template_refer(Stack *stack, DocNode *properties, const PlanNodes *nodes, Why reason);

// Where whoever starts the nodes buys Spot by itself: a Capacity Block's market alone.
DocNode *launch_template_block_market(Stack *stack, const PlanCapacity *capacity);

// Tags of instances, and the same of their volumes. The name says cluster and group, unless the tags do.
void launch_template_add_tags(Stack *stack, DocNode *data, const PlanNodes *nodes);
