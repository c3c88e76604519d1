// Walks the chain of alternatives to the one whose reservation is given.
#include "emitters/tool/tool_group.h"

#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_values.h"

ToolGroup tool_group(ToolFile *file, const PlanNodes *nodes) {
    const PlanCapacity *capacity = nodes->capacity;
    while (capacity->otherwise != NULL && tool_is_null(file, capacity->id)) {
        capacity = capacity->otherwise;
    }
    ToolGroup group = { .capacity = capacity };
    const PlanNetwork *network = nodes->cluster->network;
    if (network != NULL && !tool_is_null(file, network->given.security_group)) {
        group.security_group = network->given.security_group; // of a network that is given by its ids
    }
    if (capacity->kind == CAPACITY_BLOCK) {
        return group; // a Capacity Block brings its own place
    }
    if (!tool_is_null(file, nodes->placement.name)) {
        group.name = nodes->placement.name;
    } else {
        group.is_new = nodes->placement.is_new && (capacity->id == NULL || nodes->capacity->otherwise == NULL);
    }
    return group;
}
