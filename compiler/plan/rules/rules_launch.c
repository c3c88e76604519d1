// Rules about what a launch template says besides its interfaces: security groups, capacity, placement, user data.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

#include <strings.h>

// ---- security groups -------------------------------------------------------------------------------------------

static bool has_some(const PlanFields *fields) {
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!fields->items[i].may_be_null) {
            return true;
        }
    }
    return false;
}

void rule_launch_groups(const Rules *rules, const PlanLaunch *launch) {
    if (launch->interface_count == 0 || !has_some(&launch->groups)) {
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, launch->groups.key, DIAG(groups_beside_interfaces),
                             launch->groups.name);
    diag_label(rules->session, diag, launch->interfaces_key, "each of these names its own");
    diag_help(rules->session, diag, "write `Groups` in each interface, and remove `%s`", launch->groups.name);
}

static void check_efa_group(const Rules *rules, const PlanSecurityGroup *group, Span use) {
    bool has_ingress = group->allows_ingress != ANSWER_NO;
    bool has_egress = group->allows_egress != ANSWER_NO;
    if (has_ingress && has_egress) {
        return;
    }
    const char *missing = has_ingress ? "egress" : has_egress ? "ingress" : "ingress and no egress";
    Diag *diag = plan_report(rules->session, group->subject, group->span, DIAG(efa_security_group),
                             STR_ARG(group->name), missing);
    diag_label(rules->session, diag, use, "carries EFA here");
    if (!has_egress && !span_is_none(group->open_egress)) {
        diag_label(rules->session, diag, group->open_egress, "covers no EFA");
    }
    Str name = group->name;
    if (!has_ingress) {
        rule_help_resource(
            rules, diag, group->subject,
            "add a resource \"AWS::EC2::SecurityGroupIngress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
            "`SourceSecurityGroupId = %.*s`",
            STR_ARG(name), STR_ARG(name));
    }
    if (!has_egress) {
        rule_help_resource(
            rules, diag, group->subject,
            "add a resource \"AWS::EC2::SecurityGroupEgress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
            "`DestinationSecurityGroupId = %.*s`",
            STR_ARG(name), STR_ARG(name));
    }
}

void rule_launch_efa_groups(const Rules *rules, const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->efa_groups.count; i++) {
        check_efa_group(rules, launch->efa_groups.items[i].group, launch->efa_groups.items[i].span);
    }
}

// ---- capacity and place ----------------------------------------------------------------------------------------

static void check_target(const Rules *rules, const PlanLaunch *launch) {
    const PlanReservation *source = &launch->reservation;
    bool may_be_ultraserver = launch->types.count == 0;
    for (uint32_t i = 0; i < launch->types.count; i++) {
        may_be_ultraserver = may_be_ultraserver || strcmp(launch->types.items[i].row->status, "ultraserver-only") == 0;
    }
    if (!source->has_target) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&source->field), DIAG(block_target),
                                 STR_ARG(source->field.text), "without the reservation of the block");
        rule_label_use(rules, diag, &source->field);
        switch (launch->form) {
        case FORM_DECLARED:
        case FORM_RESOURCE:
            rule_help_resource(rules, diag, launch->subject,
                               "write `CapacityReservationSpecification = { CapacityReservationTarget = { "
                               "CapacityReservationId = … } }`");
            break;
        case FORM_PCLUSTER:
            diag_help(rules->session, diag,
                      "write `CapacityReservationTarget`, with the block's CapacityReservationId");
            break;
        case FORM_EKSCTL:
            diag_help(rules->session, diag,
                      "write `capacityReservation: {capacityReservationTarget: {capacityReservationID: …}}`");
            break;
        }
    } else if (field_is_there(&source->group) && !may_be_ultraserver) {
        Diag *diag = plan_report(rules->session, launch->subject, source->group.key, DIAG(block_target),
                                 STR_ARG(source->field.text), "with a resource group");
        diag_label(rules->session, diag, rule_span(&launch->types.items[0].field), "no UltraServer");
        diag_help(rules->session, diag, "write the block's own id, as `CapacityReservationId`");
    }
}

void rule_launch_block(const Rules *rules, const PlanLaunch *launch) {
    if (launch->reservation.is_block) {
        check_target(rules, launch);
    }
}

// A reservation brings the place of its instances with it: a new group beside it finds no capacity
// (eksctl-io/eksctl#7949). A Capacity Block goes with no group at all.
void rule_launch_stands(const Rules *rules, const PlanLaunch *launch) {
    const PlanReservation *source = &launch->reservation;
    for (uint32_t i = 0; i < launch->placement_groups.count; i++) {
        const PlanField *group = &launch->placement_groups.items[i].field;
        const bool is_new = launch->placement_groups.items[i].is_new;
        if (!source->is_block && !(is_new && source->is_reserved)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, launch->maker, rule_span(group), DIAG(placement_beside_reservation),
                                 is_new ? "a new" : "a", str_c(rules->session->arena, source->field.text));
        rule_refuse(diag, launch);
        rule_label_use(rules, diag, group);
        diag_label(rules->session, diag, rule_span(&source->field), "brings the place of its instances");
        const char *rest = source->takes_named ? ", or name the group that the reservation was made in" : "";
        switch (launch->form) {
        case FORM_DECLARED:
            diag_help(rules->session, diag, "leave `%s` out%s", group->name, rest);
            break;
        case FORM_RESOURCE:
            diag_help(rules->session, diag, "remove `%s`%s", group->name, rest);
            break;
        case FORM_PCLUSTER:
            diag_help(rules->session, diag, "write `Enabled: false` in `%s`%s", group->name, rest);
            break;
        case FORM_EKSCTL:
            diag_help(rules->session, diag, "move the group to `managedNodeGroups`: there eksctl makes none%s", rest);
            break;
        }
    }
}

// Some types, burstable ones above all, are in no cluster placement group.
void rule_launch_placeable(const Rules *rules, const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->placement_groups.count; i++) {
        const PlanField *group = &launch->placement_groups.items[i].field;
        for (uint32_t k = 0; launch->placement_groups.items[i].is_cluster && k < launch->types.count; k++) {
            const PlanType *type = &launch->types.items[k];
            if (type->row->placement_cluster != 0) {
                continue;
            }
            Diag *diag = plan_report(rules->session, launch->maker, rule_span(group), DIAG(no_cluster_placement),
                                     type->row->name);
            rule_refuse(diag, launch);
            rule_label_use(rules, diag, group);
            switch (launch->form) {
            case FORM_DECLARED:
                diag_help(rules->session, diag, "leave `%s` out", group->name);
                break;
            case FORM_RESOURCE:
                diag_label(rules->session, diag, rule_span(&type->field), "launched as this");
                diag_help(rules->session, diag, "remove `%s`", group->name);
                break;
            case FORM_PCLUSTER:
                diag_label(rules->session, diag, rule_span(&type->field), "launched as this");
                diag_help(rules->session, diag, "write `Enabled: false` in `%s`", group->name);
                break;
            case FORM_EKSCTL:
                diag_label(rules->session, diag, rule_span(&type->field), "launched as this");
                diag_help(rules->session, diag, "remove `%s`", group->name);
                break;
            }
            break; // the next type has the same fault
        }
    }
}

static const char *shared_only(const PlanTypes *types) {
    for (uint32_t i = 0; i < types->count; i++) {
        const char *name = types->items[i].row->name;
        if (names_have(NAMES_EFA_SHARED_TENANCY, str_of(name))) {
            return name;
        }
    }
    return NULL;
}

void rule_launch_tenancy(const Rules *rules, const PlanLaunch *launch) {
    const PlanField *tenancy = &launch->tenancy;
    if (!field_is(tenancy, "dedicated") && !field_is(tenancy, "host")) {
        return;
    }
    const char *type = launch_has_efa(launch) ? shared_only(&launch->types) : NULL;
    bool is_block = launch->reservation.is_block;
    if (!is_block && type == NULL) {
        return;
    }
    Str what = is_block ? STR("for a Capacity Block") : str_format(rules->session->arena, "beside EFA on %s", type);
    Diag *diag = plan_report(rules->session, launch->subject, rule_span(tenancy), DIAG(tenancy_refused),
                             STR_ARG(tenancy->text), str_c(rules->session->arena, what));
    rule_label_use(rules, diag, tenancy);
    diag_help(rules->session, diag, "remove `Tenancy`");
}

// ---- user data -------------------------------------------------------------------------------------------------

void rule_launch_user_data(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    int64_t most = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    if (data->field.state != FIELD_ABSENT && data->bytes_min > (size_t)most) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_too_long),
                                 data->is_whole ? "" : "at least ", data->bytes_min, most);
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "put the script in the image or in S3, and run it from here");
    }
}

// The header's value in the lines before the first empty one, its name in any case; empty where there is none.
static Str header(Str text, const char *name) {
    Str wanted = str_of(name);
    for (size_t at = 0; at < text.len;) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, end);
        if (str_trim(line).len == 0) {
            break;
        }
        bool is_it = line.len > wanted.len && strncasecmp(line.data, wanted.data, wanted.len) == 0;
        if (is_it) {
            return str_trim(str_slice(line, wanted.len, line.len));
        }
        at = end + 1;
    }
    return STR_NONE;
}

static Str boundary_of(Str content_type) {
    const Str name = STR("boundary=");
    size_t found = str_find(content_type, name, 0);
    Str value = str_slice(content_type, found + name.len, content_type.len);
    if (str_starts_with(value, STR("\""))) {
        return str_slice(value, 1, str_find(value, STR("\""), 1));
    }
    return str_trim(str_slice(value, 0, str_find(value, STR(";"), 0)));
}

// What keeps a text from being MIME multipart, or NULL. Of one that is known in part, only what is known counts.
static const char *mime_fault(Arena *arena, const PlanUserData *data) {
    Str type = header(data->start, "Content-Type:");
    bool knows_headers = data->is_whole || str_find(data->start, STR("\n\n"), 0) < data->start.len;
    bool begins =
        str_starts_with(data->start, STR("MIME-Version:")) || str_starts_with(data->start, STR("Content-Type:"));
    if (!begins) {
        return data->start.len > 0 || data->is_whole ? "does not begin with MIME headers" : NULL;
    }
    if (!knows_headers) {
        return NULL;
    }
    if (!str_starts_with(type, STR("multipart/")) || boundary_of(type).len == 0) {
        return "names no boundary of its parts";
    }
    Str opening = str_format(arena, "\n--%.*s", STR_ARG(boundary_of(type)));
    bool has_part = str_find(data->start, opening, 0) < data->start.len;
    return has_part || !data->is_whole ? NULL : "has no part behind its boundary";
}

void rule_launch_mime(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    bool is_read = data->field.state == FIELD_KNOWN || data->start.len > 0;
    const char *fault = is_read && !span_is_none(launch->user_key) ? mime_fault(rules->session->arena, data) : NULL;
    if (fault != NULL) {
        Diag *diag =
            plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_not_mime), fault);
        rule_label_use(rules, diag, &data->field);
        diag_label(rules->session, diag, launch->user_key, "AWS Batch adds its own part");
    }
}
