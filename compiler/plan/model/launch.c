// Questions about the interfaces of a launch.
#include "compiler/plan/model/launch.h"

bool launch_nic_kind(const PlanInterface *interface, NicKind *kind) {
    static const NicKind KINDS[] = { NIC_INTERFACE, NIC_EFA, NIC_EFA_ONLY };
    *kind = NIC_INTERFACE;
    if (interface->type.state == FIELD_ABSENT) {
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (field_is(&interface->type, nic_kind_name(KINDS[i]))) {
            *kind = KINDS[i];
            return true;
        }
    }
    return false;
}

const PlanType *types_for_efa(const PlanTypes *types, bool has_others) {
    for (uint32_t i = 0; i < types->count; i++) {
        if (!nics_efa_is_the_point(types->items[i].row)) {
            return NULL;
        }
    }
    return types->count > 0 && !has_others ? &types->items[0] : NULL;
}

int launch_efa_count(const PlanLaunch *launch) {
    int count = 0;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        NicKind kind = NIC_INTERFACE;
        if (!launch_nic_kind(&launch->interfaces[i], &kind)) {
            return -1;
        }
        count += kind == NIC_INTERFACE ? 0 : 1;
    }
    return launch->interfaces_state == FIELD_LATE ? -1 : count;
}

int64_t launch_address_count(const PlanLaunch *launch) {
    int64_t count = 0;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        NicKind kind = NIC_INTERFACE;
        if (!launch_nic_kind(&launch->interfaces[i], &kind)) {
            return -1;
        }
        count += kind != NIC_EFA_ONLY;
    }
    return launch->interfaces_state == FIELD_KNOWN ? count : -1;
}

bool launch_has_efa(const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        NicKind kind = NIC_INTERFACE;
        if (launch_nic_kind(&launch->interfaces[i], &kind) && kind != NIC_INTERFACE) {
            return true;
        }
    }
    return false;
}

bool launch_has_no_efa(const PlanLaunch *launch) {
    bool has_one = launch->types.count == 0;
    for (uint32_t i = 0; i < launch->types.count; i++) {
        has_one = has_one || launch->types.items[i].row->efa_max != 0;
    }
    return !has_one;
}
