// Runs the rules of rules.def over a Plan. A rule looks at one thing and reports what it finds; which things there are
// is decided here alone, and so is that a mistake in a loop, or one that `like` copies, is said once.
#include "compiler/plan/rules.h"

#include <stdarg.h>

static void check_networks(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->networks.count; i++) {
        const PlanNetwork *network = rules->plan->networks.items[i];
        if (network->is_used_module) {
            continue;
        }
        const uint32_t count = rules->session->diags.items.count;
#define RULE_NETWORK(name, about) rule_##name(rules, network);
#include "compiler/plan/rules.def"
        diags_forget_repeats(rules->session, count);
    }
}

static void check_nodes(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const uint32_t count = rules->session->diags.items.count;
#define RULE_NODES(name, about) rule_##name(rules, nodes);
#include "compiler/plan/rules.def"
        diags_forget_repeats(rules->session, count);
    }
}

static void check_jobs(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        const uint32_t count = rules->session->diags.items.count;
#define RULE_JOB(name, about) rule_##name(rules, job);
#include "compiler/plan/rules.def"
        diags_forget_repeats(rules->session, count);
    }
}

void plan_check(Session *session, const Plan *plan) {
    const Rules rules = { .session = session, .plan = plan };
    check_networks(&rules);
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        check_nodes(&rules, plan->clusters.items[i]);
        check_jobs(&rules, plan->clusters.items[i]);
    }
#define RULE_STACKS(name, about) rule_##name(&rules);
#include "compiler/plan/rules.def"
}

// ---- allow -----------------------------------------------------------------------------------------------------

static const BlockAllow *find_allow(const Block *block, const char *code) {
    for (; block != NULL; block = block->parent) {
        for (uint32_t i = 0; i < block->allows.count; i++) {
            if (str_is(block->allows.items[i].code, code)) {
                return &block->allows.items[i];
            }
        }
    }
    return NULL;
}

Diag *plan_report(Session *session, const Block *block, Span span, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = report_list(session, span, id, format, arguments);
    va_end(arguments);
    const BlockAllow *allow = find_allow(block, diag_row(id)->code);
    if (allow != NULL) {
        *allow->was_used = true;
        diag_allow(session, diag);
    }
    return diag;
}

static void check_allows(Session *session, const Block *block) {
    for (uint32_t i = 0; i < block->allows.count; i++) {
        const BlockAllow *allow = &block->allows.items[i];
        if (!*allow->was_used) {
            report(session, allow->span, DIAG(allow_unused), STR_ARG(allow->code));
        }
    }
    for (uint32_t i = 0; i < block->children.count; i++) {
        check_allows(session, block->children.items[i]);
    }
}

void plan_check_allows(Session *session, const Plan *plan) {
    for (uint32_t i = 0; i < plan->program->blocks.count; i++) {
        if (!plan->program->blocks.items[i]->is_used) {
            check_allows(session, plan->program->blocks.items[i]);
        }
    }
}
