// The instance types of a group. All of them have what the group counts by, and what its nodes are told of each other,
// so that no job sees which one it got. Memory, disks and networks without EFA may differ.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"

static void add_type(Builder *builder, PlanNodes *nodes, const Value *name) {
    const InstanceRow *row = build_instance(builder, name);
    if (row != NULL) {
        vec_push(builder->arena, &nodes->types, (PlanGroupType){ .row = row, .name = name });
    }
}

// ---- what is the same --------------------------------------------------------------------------------------------

static Diag *report_difference(Builder *builder, const PlanGroupType *first, const PlanGroupType *other,
                               const char *what, Str of_first, Str of_other) {
    Diag *diag = report(builder->session, other->name->span, DIAG(types_differ), first->row->name, other->row->name,
                        what, STR_ARG(of_first), STR_ARG(of_other));
    diag_label(builder->session, diag, first->name->span, "%.*s", STR_ARG(of_first));
    diag_primary_label(builder->session, diag, "%.*s", STR_ARG(of_other));
    diag_help(builder->session, diag, "put `%s` into a group of its own; a `queue` orders several groups",
              other->row->name);
    return diag;
}

static Str number(Builder *builder, int number) {
    return number == UNKNOWN ? STR("not known") : str_format(builder->arena, "%d", number);
}

static const char *vendor(const InstanceRow *row) {
    return row->accelerator_vendor == NULL ? "none" : row->accelerator_vendor;
}

static const char *share(const InstanceRow *row) {
    return row->accelerator_share == NULL ? "whole" : row->accelerator_share;
}

static bool is_alike(Builder *builder, const PlanGroupType *first, const PlanGroupType *other) {
    const InstanceRow *one = first->row;
    const InstanceRow *two = other->row;
    if (one->architecture != two->architecture) {
        report_difference(builder, first, other, "architecture", str_of(schema_architecture_name(one->architecture)),
                          str_of(schema_architecture_name(two->architecture)));
    } else if (one->vcpus != two->vcpus) {
        report_difference(builder, first, other, "vCPUs", number(builder, one->vcpus), number(builder, two->vcpus));
    } else if (one->accelerator != two->accelerator) {
        report_difference(builder, first, other, "accelerators", str_of(vendor(one)), str_of(vendor(two)));
    } else if (one->accelerators != two->accelerators) {
        report_difference(builder, first, other, "accelerators", number(builder, one->accelerators),
                          number(builder, two->accelerators));
    } else if (strcmp(share(one), share(two)) != 0) {
        report_difference(builder, first, other, "shares of an accelerator", str_of(share(one)), str_of(share(two)));
    } else {
        return true;
    }
    return false;
}

// ---- the types ---------------------------------------------------------------------------------------------------

bool build_types(Builder *builder, PlanNodes *nodes) {
    const Value *written = read_known(builder, nodes->head.block, NODES_INSTANCE);
    if (written == NULL) {
        return false; // missing or late, and reported
    }
    const bool is_list = written->kind == VALUE_LIST;
    const uint32_t count = is_list ? written->list.count : 1;
    for (uint32_t i = 0; i < count; i++) {
        add_type(builder, nodes, is_list ? written->list.items[i] : written);
    }
    if (count == 0) {
        Diag *diag = report(builder->session, written->span, DIAG(no_types), STR_ARG(nodes->head.id));
        diag_help(builder->session, diag, "write one type or more, as in `[\"g5.12xlarge\", \"g6.12xlarge\"]`");
    }
    bool is_good = count > 0 && nodes->types.count == count;
    for (uint32_t i = 1; i < nodes->types.count; i++) {
        is_good = is_alike(builder, &nodes->types.items[0], &nodes->types.items[i]) && is_good;
    }
    for (uint32_t i = 0; is_good && i < count; i++) {
        const PlanGroupType *type = &nodes->types.items[i];
        if (nodes->instance == NULL || type->row->memory_mib < nodes->instance->memory_mib) {
            nodes->instance = type->row;
            nodes->instance_value = type->name;
        }
    }
    return is_good;
}

// ---- interfaces --------------------------------------------------------------------------------------------------

static bool is_same_nics(const Nics *one, const Nics *two) {
    bool is_same = one->count == two->count;
    for (int i = 0; is_same && i < one->count; i++) {
        is_same = one->items[i].card == two->items[i].card && one->items[i].device == two->items[i].device &&
                  one->items[i].kind == two->items[i].kind;
    }
    return is_same;
}

static Str interfaces(Builder *builder, const InstanceRow *row) {
    return row->efa_max == UNKNOWN ? STR("not known")
                                   : str_format(builder->arena, "%d of EFA on %d network card%s", row->efa_max,
                                                row->network_cards, row->network_cards == 1 ? "" : "s");
}

// Who makes the nodes writes one launch template for all types, or none. So with EFA on one of them all are the same.
bool build_same_interfaces(Builder *builder, const PlanNodes *nodes) {
    const PlanGroupType own = { .row = nodes->instance, .name = nodes->instance_value };
    const bool is_written = subject_value(nodes->head.subject, NODES_EFA) != NULL;
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        const PlanGroupType *type = &nodes->types.items[i];
        const bool has_default = !is_written && nodes->count.high->integer > 1 && nics_efa_is_default(type->row);
        if (type->row == nodes->instance || (nodes->fabric.efa_count == 0 && !has_default)) {
            continue;
        }
        Nics nics;
        const bool is_same =
            nodes->fabric.efa_count > 0 && type->row->efa_max == nodes->instance->efa_max &&
            nics_place(type->row, nodes->fabric.layout, nodes->fabric.efa_count, &nics) == NICS_PLACED &&
            is_same_nics(&nics, &nodes->fabric.nics);
        if (!is_same) {
            Diag *diag = report_difference(builder, &own, type, "network interfaces", interfaces(builder, own.row),
                                           interfaces(builder, type->row));
            if (!is_written) {
                diag_help(builder->session, diag, "or write `efa = none`, if each node works alone");
            }
            return false;
        }
    }
    return true;
}

// ---- for rules ---------------------------------------------------------------------------------------------------

void build_others(Builder *builder, PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        const PlanGroupType *type = &nodes->types.items[i];
        if (type->row == nodes->instance) {
            continue;
        }
        PlanNodes *other = arena_new(builder->arena, PlanNodes);
        *other = *nodes;
        other->instance = type->row;
        other->instance_value = type->name;
        other->with_other_types = (PlanOthers){ 0 };
        vec_push(builder->arena, &nodes->with_other_types, (const PlanNodes *)other);
    }
}
