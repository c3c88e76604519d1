// Names of stacks and resources, as the tools spell them.
#include "compiler/plan/model/names.h"

static void add_pascal(StrBuf *out, Str name) {
    bool is_start = true;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (c == '-' || c == '_') {
            is_start = true;
            continue;
        }
        strbuf_add_char(out, is_start && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
        is_start = false;
    }
}

Str plan_logical_id(Arena *arena, Str block, Str group, const char *role) {
    StrBuf out = { .arena = arena };
    add_pascal(&out, block);
    add_pascal(&out, group);
    strbuf_add(&out, str_of(role));
    return strbuf_str(&out);
}

Str plan_group_path(Arena *arena, const PlanNodes *nodes) {
    return str_format(arena, "%.*s.%.*s", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id));
}

Str plan_eks_stack_name(Arena *arena, Str name) {
    StrBuf text = { .arena = arena };
    const bool begins_with_letter =
        name.len > 0 && ((name.data[0] >= 'a' && name.data[0] <= 'z') || (name.data[0] >= 'A' && name.data[0] <= 'Z'));
    strbuf_add(&text, begins_with_letter ? STR_NONE : STR("eks-"));
    for (size_t i = 0; i < name.len; i++) {
        strbuf_add_char(&text, name.data[i] == '_' ? '-' : name.data[i]);
    }
    return strbuf_str(&text);
}

const Value *plan_eks_name(const PlanCluster *cluster) {
    return cluster->eks->existing != NULL ? cluster->eks->existing : cluster->head.name;
}

const PlanCluster *plan_eks_maker(const Plan *plan, const PlanCluster *cluster) {
    const Value *name = plan_eks_name(cluster);
    const PlanCluster *maker = cluster->eks->existing == NULL ? cluster : NULL;
    for (uint32_t i = 0; maker == NULL && name->kind == VALUE_STRING && i < plan->clusters.count; i++) {
        const PlanCluster *other = plan->clusters.items[i];
        const bool is_own = other->eks != NULL && other->eks->existing == NULL && !other->head.part->is_used;
        const bool is_near = cluster->region.len == 0 || str_equal(cluster->region, other->region);
        if (is_own && is_near && other->head.name->kind == VALUE_STRING &&
            str_equal(other->head.name->string, name->string)) {
            maker = other;
        }
    }
    return maker;
}

bool plan_eks_is_made(const Plan *plan, const PlanCluster *cluster) {
    return plan_eks_maker(plan, cluster) != NULL;
}

Str plan_eksctl_stack(Arena *arena, Str cluster_name) {
    return str_format(arena, "eksctl-%.*s-cluster", STR_ARG(cluster_name));
}

int plan_kubernetes_minor(Str version) {
    enum { DIGITS_MAX = 4 };
    int number = 0;
    if (!str_starts_with(version, STR("1.")) || version.len > 2 + DIGITS_MAX) {
        return 0;
    }
    for (size_t i = 2; i < version.len; i++) {
        if (!char_is_digit(version.data[i])) {
            return 0;
        }
        number = number * 10 + (version.data[i] - '0');
    }
    return number;
}

// Extended support costs more and ends first, so that a version in it is no way out.
bool plan_kubernetes_is_way_out(const KubernetesRow *row) {
    return row->support == SUPPORT_STANDARD && row->standard_end != NULL;
}

Str plan_kubernetes_ways_out(Arena *arena) {
    StrBuf text = { .arena = arena };
    for (int i = 0; i < KUBERNETES_ROW_COUNT; i++) {
        const KubernetesRow *row = &KUBERNETES_ROWS[i];
        if (plan_kubernetes_is_way_out(row) && !row->ends_soon) {
            strbuf_add_format(&text, "%s%s (until %s)", text.len == 0 ? "" : ", ", row->version, row->standard_end);
        }
    }
    return strbuf_str(&text);
}
