// A rule about what everybody reaches.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

// Ports behind which whoever comes in needs a password at most.
static const struct {
    int64_t port;
    const char *service;
} PORTS[] = {
    { 22, "ssh" },
    { 3389, "remote desktop" },
    { 2049, "NFS, which asks for no password" },
    { 988, "Lustre, which asks for no password" },
};

static bool takes_port(const PlanOpening *opening, int64_t port) {
    const bool is_tcp = field_is(&opening->protocol, "tcp") || field_is(&opening->protocol, "6");
    return is_tcp && opening->first_port >= 0 && opening->first_port <= port && port <= opening->last_port;
}

static Str opened(const Rules *rules, const PlanOpening *opening) {
    if (!str_ends_with(opening->range.text, STR("/0"))) { // of any address: EC2 keeps `10.0.0.0/0` as 0.0.0.0/0
        return STR_NONE;
    }
    Str what = opening->is_all_ports ? STR("all ports") : STR_NONE;
    for (size_t i = 0; i < COUNT_OF(PORTS) && what.len == 0; i++) {
        if (takes_port(opening, PORTS[i].port)) {
            what = str_format(rules->session->arena, "port %" PRId64 " (%s)", PORTS[i].port, PORTS[i].service);
        }
    }
    return what;
}

static bool has_label(const Diag *diag, Span span) {
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        if (span_equal(diag->labels.items[i].span, span)) {
            return true;
        }
    }
    return false;
}

// The default of a parameter opens all ports that take it: it is said once, where it is mended.
static void report_default(const Rules *rules, const PlanOpening *opening, const Data *initial, Str what) {
    Session *session = rules->session;
    Diag *diag = diag_at(session, DIAG_open_to_all, initial->span);
    if (diag == NULL) {
        diag = plan_report(session, opening->subject, initial->span, DIAG(open_to_all), STR_ARG(opening->range.text),
                           STR_ARG(what));
        diag_help(
            session, diag,
            "leave `Default` out, so that whoever deploys names addresses; AWS Systems Manager opens a shell without a "
            "port");
    }
    if (!has_label(diag, rule_span(&opening->range))) {
        diag_label(session, diag, rule_span(&opening->range), "%.*s", STR_ARG(what));
    }
}

// Whether load balancers alone wear the group: they take what their listeners name, and hand it on.
static bool is_of_balancers(const PlanTemplate *template, Str name) {
    bool has_balancer = false;
    for (uint32_t i = 0; template != NULL && name.len > 0 && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const Str from = use->from == NULL ? STR_NONE : use->from->type;
        const bool is_of_rule =
            use->kind == USE_DEPENDS_ON || str_starts_with(from, STR("AWS::EC2::SecurityGroup")); // who else comes in
        if (use->to == NULL || use->to->kind != NAMED_RESOURCE || !str_equal(use->to->name, name) || is_of_rule) {
            continue;
        }
        if (!str_starts_with(from, STR("AWS::ElasticLoadBalancing"))) {
            return false;
        }
        has_balancer = true;
    }
    return has_balancer;
}

void rule_open_to_all(const Rules *rules, const PlanSecurityGroup *group) {
    for (uint32_t i = 0; i < group->openings.count; i++) {
        const PlanOpening *opening = &group->openings.items[i];
        const Str what = opened(rules, opening);
        if (what.len == 0 || is_of_balancers(rules->plan->names, group->name)) {
            continue;
        }
        const Data *initial = use_default_at(rules->plan->names, rule_span(&opening->range));
        if (initial != NULL && !span_is_none(initial->span) && str_equal(initial->string, opening->range.text)) {
            report_default(rules, opening, initial, what);
            continue;
        }
        Diag *diag = plan_report(rules->session, opening->subject, rule_span(&opening->range), DIAG(open_to_all),
                                 STR_ARG(opening->range.text), STR_ARG(what));
        rule_label_use(rules, diag, &opening->range);
        diag_help(rules->session, diag,
                  "name the addresses that people come from, or %s; AWS Systems Manager opens a shell without a port",
                  group->others);
    }
}
