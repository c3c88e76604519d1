// Answers about a part, from the row of its kind and the parts around it.
#include "compiler/plan/model/part.h"

bool part_is(const PlanPart *part, int kind) {
    return part->kind == &KIND_ROWS[kind];
}

const char *part_attribute(const PlanPart *part, int attribute) {
    return part->kind->attributes[attribute].name;
}

const PlanPart *part_root(const PlanPart *part) {
    while (part->outer != NULL) {
        part = part->outer;
    }
    return part;
}
