// Walks the chain of alternatives to the one whose reservation is given.
#include "emitters/plain/plain_group.h"

PlainGroup plain_group(Plain *plain, const PlanNodes *nodes) {
    const PlanCapacity *capacity = nodes->capacity;
    while (capacity->otherwise != NULL && plain_is_null(plain, capacity->id)) {
        capacity = capacity->otherwise;
    }
    PlainGroup group = { .capacity = capacity };
    const PlanNetwork *network = nodes->cluster->network;
    if (network != NULL && !plain_is_null(plain, network->security_group)) {
        group.security_group = network->security_group; // of a network that is given by its ids
    }
    if (capacity->kind == CAPACITY_BLOCK) {
        return group; // a Capacity Block brings its own place
    }
    if (!plain_is_null(plain, nodes->placement.name)) {
        group.name = nodes->placement.name;
    } else {
        group.is_new = nodes->placement.is_new && (capacity->id == NULL || nodes->capacity->otherwise == NULL);
    }
    return group;
}
