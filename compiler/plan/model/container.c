// Variables of containers, as the values of infra.dt give them.
#include "compiler/plan/model/container.h"

#include "compiler/semantics/param.h"

bool container_variable(Arena *arena, Str name, Span name_span, const Value *value, PlanVariable *variable) {
    Str text;
    if (!value_text_by_default(arena, value, &text)) {
        return false;
    }
    const bool is_default = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    *variable = (PlanVariable){ .name = field_known("name", name_span, name),
                                .value = field_known("value", is_default ? name_span : value->span, text),
                                .initial = is_default ? value->late->param->initial->span : SPAN_NONE };
    return true;
}
