// Rules about what a launch template says besides its interfaces: security groups, capacity, placement, user data.
#include "compiler/plan/rules/rules_raw.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

#include <strings.h>

// ---- security groups -------------------------------------------------------------------------------------------

static bool has_some(const RawFields *fields) {
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!fields->items[i].may_be_null) {
            return true;
        }
    }
    return false;
}

void rule_template_groups(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    (void)stack;
    if (template->interface_count == 0 || !has_some(&template->groups)) {
        return;
    }
    Diag *diag = plan_report(rules->session, template->resource->subject, template->groups.key,
                             DIAG(groups_beside_interfaces), template->groups.name);
    diag_label(rules->session, diag, template->interfaces_key, "each of these names its own");
    diag_help(rules->session, diag, "write `Groups` in each interface, and remove `%s`", template->groups.name);
}

// The security groups of this stack that a field names, whether they let EFA traffic pass.
static const RawSecurityGroup *find_group(const RawStack *stack, const RawField *field) {
    for (uint32_t i = 0; i < stack->groups.count; i++) {
        if (raw_refers(field, stack->groups.items[i]->resource)) {
            return stack->groups.items[i];
        }
    }
    return NULL;
}

static void check_group(const Rules *rules, const RawSecurityGroup *group, const RawField *use) {
    bool has_ingress = group->allows_ingress != RAW_NO;
    bool has_egress = group->allows_egress != RAW_NO;
    if (has_ingress && has_egress) {
        return;
    }
    const char *missing = has_ingress ? "egress" : has_egress ? "ingress" : "ingress and no egress";
    Diag *diag = plan_report(rules->session, group->resource->subject, group->resource->span, DIAG(efa_security_group),
                             STR_ARG(group->resource->name), missing);
    diag_label(rules->session, diag, use->span, "carries EFA here");
    if (!has_egress && !span_is_none(group->open_egress)) {
        diag_label(rules->session, diag, group->open_egress, "covers no EFA");
    }
    Str name = group->resource->name;
    if (!has_ingress) {
        diag_help(rules->session, diag,
                  "add a resource \"AWS::EC2::SecurityGroupIngress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
                  "`SourceSecurityGroupId = %.*s`",
                  STR_ARG(name), STR_ARG(name));
    }
    if (!has_egress) {
        diag_help(rules->session, diag,
                  "add a resource \"AWS::EC2::SecurityGroupEgress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
                  "`DestinationSecurityGroupId = %.*s`",
                  STR_ARG(name), STR_ARG(name));
    }
}

// A group is said once for a template, however many interfaces name it; another template says the same of it, at the
// same place, which is kept once.
typedef VEC(const RawSecurityGroup *) SeenGroups;

static void check_uses(const Rules *rules, const RawStack *stack, const RawFields *uses, SeenGroups *seen) {
    for (uint32_t i = 0; i < uses->count; i++) {
        const RawSecurityGroup *group = find_group(stack, &uses->items[i]);
        bool is_seen = group == NULL;
        for (uint32_t k = 0; k < seen->count; k++) {
            is_seen = is_seen || seen->items[k] == group;
        }
        if (!is_seen) {
            check_group(rules, group, &uses->items[i]);
            vec_push(rules->session->arena, seen, group);
        }
    }
}

void rule_template_efa_groups(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    SeenGroups seen = { 0 };
    for (uint32_t i = 0; i < template->interface_count; i++) {
        NicKind kind = NIC_INTERFACE;
        if (raw_nic_kind(&template->interfaces[i], &kind) && kind != NIC_INTERFACE) {
            check_uses(rules, stack, &template->interfaces[i].groups, &seen);
        }
    }
}

// ---- capacity and place ----------------------------------------------------------------------------------------

static const char BLOCK_MARKET[] = "capacity-block";

static void check_target(const Rules *rules, const RawLaunchTemplate *template) {
    Diag *diag = NULL;
    const RawTypes types = rule_types(rules, template);
    bool may_be_ultraserver = types.count == 0;
    for (uint32_t i = 0; i < types.count; i++) {
        may_be_ultraserver = may_be_ultraserver || strcmp(types.items[i].row->status, "ultraserver-only") == 0;
    }
    if (template->target_state == RAW_ABSENT ||
        (template->reservation.state == RAW_ABSENT && template->reservation_group.state == RAW_ABSENT)) {
        diag = plan_report(rules->session, template->resource->subject, rule_span(&template->market_type),
                           DIAG(block_target), "without the reservation of the block");
        rule_label_use(rules, diag, &template->market_type);
        diag_help(
            rules->session, diag,
            "write `CapacityReservationSpecification = { CapacityReservationTarget = { CapacityReservationId = … } }`");
    } else if (template->reservation_group.state != RAW_ABSENT && !template->reservation_group.may_be_null &&
               !may_be_ultraserver) {
        diag = plan_report(rules->session, template->resource->subject, template->reservation_group.key,
                           DIAG(block_target), "with a resource group");
        diag_label(rules->session, diag, rule_span(types.items[0].field), "no UltraServer");
        diag_help(rules->session, diag, "write the block's own id, as `CapacityReservationId`");
    }
}

static bool is_reserved(const RawLaunchTemplate *template) {
    return (template->reservation.state != RAW_ABSENT && !template->reservation.may_be_null) ||
           (template->reservation_group.state != RAW_ABSENT && !template->reservation_group.may_be_null);
}

// A placement group beside a reservation: beside a block any, else one that this stack makes, unless it makes the
// reservation too.
static void check_place(const Rules *rules, const RawLaunchTemplate *template, const RawField *group) {
    if (group->state == RAW_ABSENT || group->may_be_null) {
        return;
    }
    const RawField *reservation =
        template->reservation.state != RAW_ABSENT ? &template->reservation : &template->reservation_group;
    bool is_block = raw_is(&template->market_type, BLOCK_MARKET);
    bool is_new = group->resource != NULL && str_is(group->resource->type, "AWS::EC2::PlacementGroup");
    if (!is_block && !(is_new && is_reserved(template) && reservation->resource == NULL)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, template->resource->subject, rule_span(group), DIAG(placement_beside_reservation),
                    is_new ? "a new" : "a", is_block ? BLOCK_MARKET : "reservation");
    rule_label_use(rules, diag, group);
    diag_label(rules->session, diag, is_block ? rule_span(&template->market_type) : rule_span(reservation),
               "brings the place of its instances");
    diag_help(rules->session, diag,
              is_block ? "remove `%s`" : "remove `%s`, or name the group that the reservation was made in",
              group->name);
}

void rule_template_capacity(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    (void)stack;
    if (raw_is(&template->market_type, BLOCK_MARKET)) {
        check_target(rules, template);
    }
    check_place(rules, template, &template->placement_group);
    for (uint32_t i = 0; i < template->users.count; i++) {
        check_place(rules, template, &template->users.items[i]->placement_group);
    }
}

static const char *shared_only(const RawTypes *types) {
    for (uint32_t i = 0; i < types->count; i++) {
        const char *name = types->items[i].row->name;
        if (names_have(NAMES_EFA_SHARED_TENANCY, str_of(name))) {
            return name;
        }
    }
    return NULL;
}

void rule_template_tenancy(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    (void)stack;
    if (!raw_is(&template->tenancy, "dedicated") && !raw_is(&template->tenancy, "host")) {
        return;
    }
    const RawTypes types = rule_types(rules, template);
    const char *type = raw_has_efa(template) ? shared_only(&types) : NULL;
    bool is_block = raw_is(&template->market_type, BLOCK_MARKET);
    if (!is_block && type == NULL) {
        return;
    }
    Str what = is_block ? STR("for a Capacity Block") : str_format(rules->session->arena, "beside EFA on %s", type);
    Diag *diag =
        plan_report(rules->session, template->resource->subject, rule_span(&template->tenancy), DIAG(tenancy_refused),
                    STR_ARG(template->tenancy.text), str_c(rules->session->arena, what));
    rule_label_use(rules, diag, &template->tenancy);
    diag_help(rules->session, diag, "remove `Tenancy`");
}

// ---- user data -------------------------------------------------------------------------------------------------

void rule_template_user_data(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    (void)stack;
    const RawUserData *data = &template->user_data;
    int64_t most = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    if (data->field.state != RAW_ABSENT && data->bytes_min > (size_t)most) {
        Diag *diag = plan_report(rules->session, template->resource->subject, rule_span(&data->field),
                                 DIAG(user_data_too_long), data->is_whole ? "" : "at least ", data->bytes_min, most);
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
static const char *mime_fault(Arena *arena, const RawUserData *data) {
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

void rule_template_mime(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template) {
    (void)stack;
    const RawUserData *data = &template->user_data;
    bool is_read = data->field.state == RAW_KNOWN || data->start.len > 0;
    const char *fault = is_read && template->users.count > 0 ? mime_fault(rules->session->arena, data) : NULL;
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, template->resource->subject, rule_span(&data->field),
                                 DIAG(user_data_not_mime), fault);
        rule_label_use(rules, diag, &data->field);
        const RawEnvironment *user = template->users.items[0];
        diag_label(rules->session, diag, user->template_key, "AWS Batch adds its own part");
    }
}
