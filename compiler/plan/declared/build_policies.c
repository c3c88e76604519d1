// Policies of a role. A name of AWS's own becomes an ARN when the build runs, so that a value which the deployment gives
// must be an ARN already: a raw resource, which has its ARN when its stack is made, or a text that begins as one.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"

// Whether a value is known, or an ARN as soon as it is.
static bool is_policy(const Value *value) {
    if (value->kind == VALUE_NULL || value_is_known(value)) {
        return true;
    }
    if (value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_REF:
    case LATE_ATTRIBUTE:
        return true;
    case LATE_WRITTEN_OUTPUT:
        return is_policy(late->parts[0]);
    case LATE_TEXT:
        return late->parts[0]->kind == VALUE_STRING && str_starts_with(late->parts[0]->string, STR("arn:"));
    case LATE_IF:
        return is_policy(late->parts[1]) && is_policy(late->parts[2]);
    case LATE_DEFAULT:
        return is_policy(late->parts[0]) && is_policy(late->parts[1]);
    case LATE_PARAM:
    case LATE_PSEUDO:
    case LATE_OUTPUT:
    case LATE_ITEM:
        break;
    }
    return false;
}

const Value *build_policies(Builder *builder, const Block *block, int attribute) {
    const Value *list = block_value(block, attribute);
    const Value *unknown = list == NULL || list->kind == VALUE_LIST ? NULL : list;
    for (uint32_t i = 0; list != NULL && list->kind == VALUE_LIST && unknown == NULL && i < list->list.count; i++) {
        unknown = is_policy(list->list.items[i]) ? NULL : list->list.items[i];
    }
    if (unknown == NULL && list != NULL) {
        return list;
    }
    if (unknown != NULL) {
        Diag *diag = report(builder->session, unknown->span, DIAG(late_shape), block->kind->attributes[attribute].name);
        diag_help(builder->session, diag,
                  "give the name with -p: a `param` without `late`; or write the ARN as a text, `\"arn:…${…}\"`");
    }
    return value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
}
