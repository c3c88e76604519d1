// Says what a stack is, with the type of each group.
#include "emitters/cloudformation/nodes/nodes_description.h"

#include "compiler/plan/model/declared_group.h"

Str nodes_description(Stack *stack, const PlanCluster *cluster, const char *service, const Origin **reason) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add_format(&text, "Cluster %.*s on %s", STR_ARG(cluster->head.id), service);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        strbuf_add_format(&text, "%s %.*s (%.*s)", i == 0 ? ":" : ",", STR_ARG(nodes->head.id),
                          STR_ARG(plan_type_names(stack->arena, nodes)));
        *reason = origin_join(stack->arena, *reason, nodes->instance_value->origin);
    }
    return strbuf_str(&text);
}
