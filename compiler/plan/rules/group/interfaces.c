// Rules about network interfaces: those that a launch template lists, and those that a group asks for. Each instance
// type of the launch is compared with its row, until one has a fault. The next type would have the same fault.
#include "compiler/plan/rules/group/spelling.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

typedef struct {
    const Rules *rules;
    const PlanGroup *group;
    const PlanLaunch *launch;
    const InstanceRow *row;
    const PlanField *type;
} InterfacesCheck;

static bool is_efa(const PlanInterface *interface) {
    NicKind kind = NIC_INTERFACE;
    return launch_nic_kind(interface, &kind) && kind != NIC_INTERFACE;
}

// A field that was not written stands for the whole interface.
static Span span_of(const PlanLaunch *launch, const PlanInterface *interface, const PlanField *field) {
    const Span span = field->state == FIELD_ABSENT ? interface->span : rule_span(field);
    return span_is_none(span) ? launch->interfaces_key : span;
}

// ---- against the type's row ------------------------------------------------------------------------------------

static const CardRun *run_of(const InstanceRow *row, int64_t card) {
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        if (card >= run->first && card < run->first + run->count) {
            return run;
        }
    }
    return NULL;
}

static void label_type(const InterfacesCheck *check, Diag *diag) {
    diag_label(check->rules->session, diag, rule_span(check->type), "%d network card%s", check->row->network_cards,
               check->row->network_cards == 1 ? "" : "s");
}

static const char *indices_of(const InterfacesCheck *check, int count) {
    Arena *arena = check->rules->session->arena;
    return count == 1 ? "0 alone" : str_c(arena, str_format(arena, "0 to %d", count - 1));
}

// How many of the interfaces from `first` on have the card's number as their index, beyond what the card takes: one
// misunderstanding, said once.
static int follow_card(const InterfacesCheck *check, uint32_t first) {
    int count = 0;
    for (uint32_t i = first; i < check->launch->interface_count; i++) {
        const PlanInterface *interface = &check->launch->interfaces[i];
        const CardRun *run = run_of(check->row, interface->card_index);
        count += run != NULL && run->interfaces_max > 0 && interface->device_index == interface->card_index &&
                 interface->device_index >= run->interfaces_max;
    }
    return count;
}

// Writes in the place of a field of an interface what alone can stand there; not where types of other groups may differ.
static void fix_field(const Rules *rules, Diag *diag, const PlanGroup *group, const PlanField *field, Str word) {
    if (field->state == FIELD_KNOWN && group->types.count == 1 && group->launch->subject->is_foreign &&
        group_owns(group, field->span)) {
        rule_replace(rules, diag, field->span, field->text, word);
    }
}

// The one card that has no interface yet, where there are as many interfaces as cards; else -1.
static int64_t only_free_card(const PlanGroup *group, const InstanceRow *row) {
    const PlanLaunch *launch = group->launch;
    bool is_taken[CARDS_MAX] = { false };
    int64_t free_card = -1;
    if (launch->interfaces_state != FIELD_KNOWN || row->network_cards > CARDS_MAX ||
        launch->interface_count != (uint32_t)row->network_cards) {
        return -1;
    }
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const int64_t card = launch->interfaces[i].card_index;
        if (card < 0) {
            return -1;
        }
        is_taken[card < CARDS_MAX ? card : 0] = true;
    }
    for (int card = 0; card < row->network_cards; card++) {
        if (!is_taken[card]) {
            if (free_card >= 0) {
                return -1;
            }
            free_card = card;
        }
    }
    return free_card;
}

static void fix_card(const Rules *rules, Diag *diag, const PlanGroup *group, const InstanceRow *row,
                     const PlanInterface *interface) {
    const int64_t card = row == NULL ? -1 : only_free_card(group, row);
    if (card > 0) {
        fix_field(rules, diag, group, &interface->card, str_format(rules->session->arena, "%" PRId64, card));
    }
}

// Whether no interface of the card has the first device index.
static bool is_first_free(const PlanLaunch *launch, int64_t card) {
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanInterface *interface = &launch->interfaces[i];
        const bool may_be_it = interface->card_index < 0 || interface->card_index == card;
        if (may_be_it && interface->device_index <= 0) {
            return false;
        }
    }
    return true;
}

static void report_device(const InterfacesCheck *check, const PlanInterface *interface, const CardRun *run, int more) {
    const Rules *rules = check->rules;
    int64_t device = interface->device_index;
    int64_t card = interface->card_index;
    Diag *diag =
        plan_report(rules->session, check->launch->subject, span_of(check->launch, interface, &interface->device),
                    DIAG(device_index), device, card, check->row->name, indices_of(check, run->interfaces_max));
    rule_label_use(rules, diag, &interface->device);
    label_type(check, diag);
    if (run->interfaces_max == 1 && is_first_free(check->launch, card)) {
        fix_field(rules, diag, check->group, &interface->device, STR("0"));
    }
    if (device == card) {
        diag_help(rules->session, diag, "the index counts the interfaces of one card: it is no number of a card");
    }
    if (more > 0) {
        diag_note(rules->session, diag, "%d more interface%s %s the number of the card as the index", more,
                  more == 1 ? "" : "s", more == 1 ? "has" : "have");
    }
}

static bool check_devices(const InterfacesCheck *check) {
    bool is_found = false;
    bool is_pattern_said = false;
    for (uint32_t i = 0; i < check->launch->interface_count; i++) {
        const PlanInterface *interface = &check->launch->interfaces[i];
        const CardRun *run = run_of(check->row, interface->card_index);
        if (run == NULL || run->interfaces_max < 1 || interface->device_index < run->interfaces_max) {
            continue;
        }
        bool is_pattern = interface->device_index == interface->card_index;
        if (!is_pattern || !is_pattern_said) {
            report_device(check, interface, run, is_pattern ? follow_card(check, i + 1) : 0);
        }
        is_pattern_said = is_pattern_said || is_pattern;
        is_found = true;
    }
    return is_found;
}

// The first interface that stands on no card; NULL where there is none.
static const PlanInterface *first_beyond(const InterfacesCheck *check) {
    for (uint32_t i = 0; i < check->launch->interface_count; i++) {
        const PlanInterface *interface = &check->launch->interfaces[i];
        if (interface->card_index >= 0 && run_of(check->row, interface->card_index) == NULL) {
            return interface;
        }
    }
    return NULL;
}

static void label_efa(const InterfacesCheck *check, Diag *diag) {
    const int cards = check->row->network_cards;
    const int all = group_efa_most(check->group, check->row);
    diag_label(check->rules->session, diag, rule_span(check->type), "%d network card%s, %d EFA interface%s", cards,
               cards == 1 ? "" : "s", all, all == 1 ? "" : "s");
}

static bool check_no_efa(const InterfacesCheck *check) {
    const PlanEfaWish *efa = &check->launch->efa;
    if (!efa->is_wanted || group_efa_most(check->group, check->row) != 0) {
        return false;
    }
    Diag *diag = group_refuse(check->rules, check->group, rule_span(&efa->field), DIAG(no_efa), check->row->name);
    rule_label_use(check->rules, diag, &efa->field);
    label_efa(check, diag);
    rule_write(check->rules, diag, check->group, SPELL_EFA_NONE, &efa->field,
               " a type that has EFA: `dtc instances efa`");
    return true;
}

// More EFA interfaces than the type has, at their number, or at the first that stands on no card.
static bool check_too_many(const InterfacesCheck *check) {
    const PlanEfaWish *efa = &check->launch->efa;
    const PlanInterface *beyond = efa->is_listed ? first_beyond(check) : NULL;
    const int all = group_efa_most(check->group, check->row);
    if (all < 1 || efa->count <= all || (efa->is_listed && beyond == NULL)) {
        return false;
    }
    Session *session = check->rules->session;
    const PlanField *field = beyond != NULL ? &beyond->card : &efa->field;
    Diag *diag = group_refuse(check->rules, check->group,
                              beyond != NULL ? span_of(check->launch, beyond, field) : rule_span(field),
                              DIAG(too_many_efa), check->row->name, all, all == 1 ? "" : "s", efa->count);
    rule_label_use(check->rules, diag, field);
    label_efa(check, diag);
    if (beyond != NULL) {
        diag_primary_label(session, diag, "no such network card");
    } else {
        diag_primary_label(session, diag, "asks for %" PRId64, efa->count);
        rule_write(check->rules, diag, check->group, SPELL_EFA_ALL, field, ", or leave it out");
    }
    return true;
}

// The first card that is not there: those behind it are the same mistake.
static bool check_cards(const InterfacesCheck *check) {
    const PlanInterface *interface = first_beyond(check);
    if (interface == NULL) {
        return false;
    }
    const Span span = span_of(check->launch, interface, &interface->card);
    Diag *diag = plan_report(check->rules->session, check->launch->subject, span, DIAG(no_such_card),
                             interface->card_index, check->row->name, check->row->network_cards);
    plan_tell_sharers(check->rules->session, check->group, diag, span, DIAG_no_such_card);
    rule_label_use(check->rules, diag, &interface->card);
    label_type(check, diag);
    fix_card(check->rules, diag, check->group, check->row, interface);
    return true;
}

static unsigned needs_of(NicKind kind) {
    switch (kind) {
    case NIC_INTERFACE:
        return CARD_ENA;
    case NIC_EFA:
        return CARD_ENA | CARD_EFA;
    case NIC_EFA_ONLY:
        return CARD_EFA;
    }
    return 0;
}

static bool check_kinds(const InterfacesCheck *check) {
    bool is_found = false;
    for (uint32_t i = 0; i < check->launch->interface_count; i++) {
        const PlanInterface *interface = &check->launch->interfaces[i];
        const CardRun *run = run_of(check->row, interface->card_index);
        NicKind kind = NIC_INTERFACE;
        if (run == NULL || !launch_nic_kind(interface, &kind) || (needs_of(kind) & ~run->takes) == 0) {
            continue;
        }
        const Span span = span_of(check->launch, interface, &interface->type);
        Diag *diag = plan_report(check->rules->session, check->launch->subject, span, DIAG(card_takes_other),
                                 interface->card_index, check->row->name, nic_kind_name(kind));
        plan_tell_sharers(check->rules->session, check->group, diag, span, DIAG_card_takes_other);
        rule_label_use(check->rules, diag, &interface->type);
        const char *word = run->takes == CARD_ENA ? "interface" : "efa-only";
        diag_help(check->rules->session, diag, "this card takes `%s` alone", word);
        fix_field(check->rules, diag, check->group, &interface->type, str_of(word));
        is_found = true;
    }
    return is_found;
}

// Where the target places the interfaces, rules efa_is_placed and interfaces_of_eksctl refuse a number.
static bool check_fewer(const InterfacesCheck *check) {
    static const char *const NOUNS[] = {
        [FORM_DECLARED] = "group",
        [FORM_RESOURCE] = "launch template",
        [FORM_PCLUSTER] = "compute resource",
        [FORM_EKSCTL] = "group",
    };
    const PlanLaunch *launch = check->launch;
    const int all = nics_efa_all(check->row, launch->layout);
    if (launch->efa.count < 0 || launch->efa.count >= all || launch->interfaces_state != FIELD_KNOWN) {
        return false;
    }
    Diag *diag = group_report(check->rules, check->group, launch->efa.span, DIAG(fewer_efa), check->row->name, all,
                              NOUNS[launch->form], launch->efa.count);
    diag_label(check->rules->session, diag, rule_span(check->type), "has %d", all);
    rule_write(check->rules, diag, check->group, SPELL_EFA_ALL, NULL,
               rule_or_allow(check->rules, diag, check->group, launch->efa.span));
    return true;
}

static bool check_type(const InterfacesCheck *check) {
    if (!nics_has_cards(check->row)) {
        return false; // nobody knows its cards
    }
    if (check_no_efa(check)) {
        return true;
    }
    bool has_cards = check_too_many(check) || check_cards(check);
    bool has_kinds = check_kinds(check);
    bool has_devices = check_devices(check);
    return has_cards || has_kinds || has_devices || check_fewer(check);
}

// ---- among themselves ------------------------------------------------------------------------------------------

static void report_shared(const Rules *rules, const PlanGroup *group, uint32_t index, uint32_t other,
                          bool is_same_device) {
    const PlanLaunch *launch = group->launch;
    const PlanInterface *interface = &launch->interfaces[index];
    const PlanField *field = is_same_device ? &interface->device : &interface->card;
    Str what = is_same_device ? str_format(rules->session->arena, "two interfaces at device index %" PRId64,
                                           interface->device_index)
                              : STR("two EFA interfaces");
    Diag *diag = plan_report(rules->session, launch->subject, span_of(launch, interface, field), DIAG(card_shared),
                             interface->card_index, str_c(rules->session->arena, what));
    rule_label_use(rules, diag, field);
    const PlanInterface *first = &launch->interfaces[other];
    diag_label(rules->session, diag,
               is_same_device ? span_of(launch, first, &first->device) : span_of(launch, first, &first->card),
               "the first one");
    fix_card(rules, diag, group, group->types.count == 1 ? group->types.items[0].row : NULL, interface);
}

static bool check_pair(const Rules *rules, const PlanGroup *group, uint32_t index) {
    const PlanLaunch *launch = group->launch;
    const PlanInterface *interface = &launch->interfaces[index];
    const int64_t card = interface->card_index;
    const int64_t device = interface->device_index;
    for (uint32_t i = 0; card >= 0 && i < index; i++) {
        const PlanInterface *other = &launch->interfaces[i];
        if (other->card_index != card) {
            continue;
        }
        const bool is_same_device = device >= 0 && other->device_index == device;
        if (is_same_device || (is_efa(interface) && is_efa(other))) {
            report_shared(rules, group, index, i, is_same_device);
            return true;
        }
    }
    return false;
}

static bool check_pairs(const Rules *rules, const PlanGroup *group) {
    bool is_found = false;
    for (uint32_t i = 0; i < group->launch->interface_count; i++) {
        is_found = check_pair(rules, group, i) || is_found;
    }
    return is_found;
}

static bool has_late_place(const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        if (launch->interfaces[i].card_index < 0 || launch->interfaces[i].device_index < 0) {
            return true;
        }
    }
    return launch->interfaces_state != FIELD_KNOWN || launch->interface_count == 0;
}

// Where an interface may not be `efa-only` at all, rule group_efa_only says what stands in its place.
static bool is_without_efa_only(const PlanLaunch *launch) {
    return launch->target != NULL && names_have(NAMES_TARGETS_WITHOUT_EFA_ONLY, str_of(launch->target));
}

static bool check_primary(const Rules *rules, const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanInterface *interface = &launch->interfaces[i];
        if (interface->card_index != 0 || interface->device_index != 0) {
            continue;
        }
        if (!field_is(&interface->type, nic_kind_name(NIC_EFA_ONLY)) || is_without_efa_only(launch)) {
            return false;
        }
        Diag *diag = plan_report(rules->session, launch->subject, span_of(launch, interface, &interface->type),
                                 DIAG(primary_interface), "an `efa-only`");
        rule_label_use(rules, diag, &interface->type);
        diag_help(rules->session, diag,
                  "the primary is a plain interface; its EFA stands beside it, at device index 1");
        return true;
    }
    if (has_late_place(launch)) {
        return false;
    }
    Diag *diag = plan_report(rules->session, launch->subject, launch->interfaces_key, DIAG(primary_interface), "no");
    diag_help(rules->session, diag, "the primary stands there, plain or an `efa`");
    return true;
}

void rule_group_interfaces(const Rules *rules, const PlanGroup *group) {
    const PlanLaunch *launch = group->launch;
    bool is_found = check_pairs(rules, group);
    for (uint32_t i = 0; i < group->types.count && !is_found; i++) {
        const PlanType *type = &group->types.items[i];
        is_found = check_type(&(InterfacesCheck){
            .rules = rules, .group = group, .launch = launch, .row = type->row, .type = &type->field });
    }
    if (!is_found) {
        check_primary(rules, launch);
    }
}

// ---- on a target -----------------------------------------------------------------------------------------------

// Where the author chooses it; a declared group has no interfaces of its own.
static Span span_of_choice(const PlanLaunch *launch, const PlanInterface *first) {
    const Value *layout = launch->form == FORM_DECLARED ? subject_value(launch->subject, NODES_EFA_LAYOUT) : NULL;
    return layout != NULL ? layout->span : span_of(launch, first, &first->type);
}

// What stands in place of those: the combined interfaces of all_ip, if the type has that layout.
static void help_on_target(const Rules *rules, const PlanGroup *group, Diag *diag) {
    const InstanceRow *row = group->types.count > 0 ? group->types.items[0].row : NULL;
    const bool is_known = row != NULL && nics_has_cards(row);
    const bool has_one = is_known && nics_efa_all(row, LAYOUT_ALL_IP) != UNKNOWN;
    if (group->form == GROUP_DECLARED) {
        diag_help(rules->session, diag,
                  has_one ? "leave `efa_layout` out" : "write `efa = none`, or take another type");
    } else if (has_one) {
        diag_help(rules->session, diag, "write one `efa` for each card, as `all_ip` of `dtc explain %s` has them",
                  row->name);
    } else if (is_known) {
        diag_help(rules->session, diag, "%s has no layout without them: take another type", row->name);
    } else {
        diag_help(rules->session, diag, "write one `efa` for each card with EFA");
    }
}

void rule_group_efa_only(const Rules *rules, const PlanGroup *group) {
    const PlanLaunch *launch = group->launch;
    int count = 0;
    const PlanInterface *first = NULL;
    for (uint32_t i = 0; is_without_efa_only(launch) && i < launch->interface_count; i++) {
        if (field_is(&launch->interfaces[i].type, nic_kind_name(NIC_EFA_ONLY))) {
            first = count == 0 ? &launch->interfaces[i] : first;
            count++;
        }
    }
    if (first == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, span_of_choice(launch, first), DIAG(efa_only_of_pcs),
                             count, count == 1 ? "" : "s");
    rule_label_use(rules, diag, &first->type);
    if (!span_is_none(launch->target_key)) {
        diag_label(rules->session, diag, launch->target_key, "nodes of AWS PCS are launched from it");
    }
    help_on_target(rules, group, diag);
}

// ---- addresses -------------------------------------------------------------------------------------------------

static void check_efa_only(const Rules *rules, const PlanLaunch *launch, const PlanInterface *interface) {
    const PlanField *field = interface->address.state != FIELD_ABSENT ? &interface->address : &interface->public_ip;
    if (!field_is(&interface->type, nic_kind_name(NIC_EFA_ONLY)) || field->state != FIELD_KNOWN) {
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, field->key, DIAG(efa_only_address), field->name);
    diag_label(rules->session, diag, rule_span(&interface->type), "has no address");
    diag_help(rules->session, diag, "remove `%s`", field->name);
    rule_remove(rules, diag, field->key, false);
}

void rule_launch_addresses(const Rules *rules, const PlanLaunch *launch) {
    bool is_said = false;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanInterface *interface = &launch->interfaces[i];
        check_efa_only(rules, launch, interface);
        bool is_asked = field_is(&interface->public_ip, "true") && launch->interface_count > 1 &&
                        !field_is(&interface->type, nic_kind_name(NIC_EFA_ONLY));
        if (is_asked && !is_said) {
            Diag *diag = plan_report(rules->session, launch->subject, rule_span(&interface->public_ip),
                                     DIAG(public_ip_of_several), launch->interface_count);
            rule_label_use(rules, diag, &interface->public_ip);
            diag_help(rules->session, diag, "write `false`, and put the nodes in a private subnet with a NAT gateway");
            rule_fix(rules, diag, &interface->public_ip, STR("false"));
            is_said = true;
        }
    }
}
