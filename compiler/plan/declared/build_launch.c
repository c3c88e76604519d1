// What rules ask of the instances of a group: the interfaces that dtc writes for them, and what the author asked for.
// Raw launch templates have the same: raw/raw_ec2.c.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/maker.h"

enum { LAYOUTS_MAX = 200 }; // of interfaces, that groups share: few files have more than two

// Of a number that is written behind its `=`, the text is what stands there: a fix may replace it.
static PlanEfaWish wish_of(Builder *builder, const PlanNodes *nodes) {
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    if (efa == NULL || (efa->kind != VALUE_WORD && efa->kind != VALUE_INT)) {
        return (PlanEfaWish){ .count = -1 };
    }
    const bool is_number = efa->kind == VALUE_INT;
    PlanField field = field_known("efa", efa->span, source_text(builder->session, efa->span));
    field.is_own = is_number && read_is_written_there(builder, nodes->head.block, NODES_EFA);
    return (PlanEfaWish){ .count = is_number ? efa->integer : -1,
                          .is_wanted = is_number ? efa->integer > 0 : str_is(efa->string, "all"),
                          .field = field,
                          .span = efa->span };
}

static bool has_same_nics(const PlanNodes *nodes, const PlanNodes *other) {
    bool is_same = nodes->fabric.nics.count == other->fabric.nics.count;
    for (int i = 0; is_same && i < nodes->fabric.nics.count; i++) {
        const Nic *nic = &nodes->fabric.nics.items[i];
        const Nic *same = &other->fabric.nics.items[i];
        is_same = nic->card == same->card && nic->device == same->device && nic->kind == same->kind;
    }
    return is_same;
}

// Groups share their interfaces: 32 of them take as much memory as the rest of a group.
static const PlanInterface *interfaces_of(Builder *builder, const PlanNodes *nodes) {
    for (uint32_t i = 0; i < builder->launched.count; i++) {
        if (has_same_nics(nodes, builder->launched.items[i])) {
            return builder->launched.items[i]->launch->interfaces;
        }
    }
    if (builder->launched.count < LAYOUTS_MAX) {
        vec_push(builder->arena, &builder->launched, nodes);
    }
    PlanInterface *interfaces = arena_new_array(builder->arena, PlanInterface, (size_t)nodes->fabric.nics.count);
    for (int i = 0; i < nodes->fabric.nics.count; i++) {
        const Nic *nic = &nodes->fabric.nics.items[i];
        interfaces[i] = (PlanInterface){
            .card = field_known("NetworkCardIndex", SPAN_NONE, STR_NONE),
            .device = field_known("DeviceIndex", SPAN_NONE, STR_NONE),
            .card_index = nic->card,
            .device_index = nic->device,
            .type = field_known("InterfaceType", SPAN_NONE, str_of(nic_kind_name(nic->kind))),
        };
    }
    return interfaces;
}

PlanLaunch *build_launch(Builder *builder, const PlanNodes *nodes) {
    PlanLaunch *launch = arena_new(builder->arena, PlanLaunch);
    *launch = (PlanLaunch){
        .form = FORM_DECLARED,
        .subject = nodes->head.subject,
        .layout = nodes->fabric.layout,
        .efa = wish_of(builder, nodes),
        .interfaces_state = FIELD_LATE, // where another tool places them
        .target = schema_target_name(nodes->cluster->target),
        .target_key = SPAN_NONE,
    };
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        const PlanGroupType *own = &nodes->types.items[i];
        const PlanType type = { .row = own->row, .field = field_known("instance", own->name->span, own->name->string) };
        vec_push(builder->arena, &launch->types, type);
    }
    if (plan_has_own_template(nodes)) {
        launch->interfaces = interfaces_of(builder, nodes);
        launch->interface_count = (uint32_t)nodes->fabric.nics.count;
        launch->interfaces_state = FIELD_KNOWN;
        launch->interfaces_key = nodes->instance_value->span;
    }
    return launch;
}
