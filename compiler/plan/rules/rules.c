// Runs the rules of rules.def over a Plan. A rule looks at one thing and reports what it finds; which things there are
// is decided here alone, and so is that a mistake in a loop, or one that `like` copies, is said once.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/rules/check.h"

#include <stdarg.h>

static void check_networks(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->networks.count; i++) {
        const PlanNetwork *network = rules->plan->networks.items[i];
        if (network->is_used_module) {
            continue;
        }
        const uint32_t outer = diags_begin_turn(rules->session);
#define RULE_NETWORK(name, about) rule_##name(rules, network);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(rules->session, outer);
    }
}

// ---- one after the other -----------------------------------------------------------------------------------------

enum { COMES_FIRST_MAX = 2 };

typedef enum {
    RULE_NONE,
    RULE_all_parts, // no rule: whether the Plan lacks a group or a job of the cluster, for a mistake of its own
#define RULE_CLUSTER(name, about, ...) RULE_##name,
#define RULE_STORAGE(name, about, ...) RULE_##name,
#define RULE_NODES(name, about, ...) RULE_##name,
#define RULE_JOB(name, about, ...) RULE_##name,
#define RULE_SETTING(name, about, ...) RULE_##name,
#define RULE_LAUNCH(name, about, ...) RULE_##name,
#define RULE_ENVIRONMENT(name, about, ...) RULE_##name,
#define RULE_CONTAINER(name, about, ...) RULE_##name,
#include "compiler/plan/rules/rules.def"
    RULE_COUNT
} RuleId;

static const RuleId COMES_FIRST[RULE_COUNT][COMES_FIRST_MAX] = {
#define RULE_CLUSTER(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_STORAGE(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_NODES(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_JOB(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_SETTING(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_LAUNCH(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_ENVIRONMENT(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_CONTAINER(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#include "compiler/plan/rules/rules.def"
};

typedef enum { NOT_ASKED, FOUND_NOTHING, FOUND_SOMETHING } Answer;

// What the rules about one thing have answered.
typedef struct Thing {
    const Rules *rules;
    const struct Thing *outer; // the cluster that it is part of; NULL: of none
    bool is_by_hand;           // rules about declared things are not asked, and so find nothing
    Answer answers[RULE_COUNT];
} Thing;

static Answer answer_of(const Thing *thing, RuleId id) {
    for (; thing->outer != NULL && thing->answers[id] == NOT_ASKED; thing = thing->outer) {}
    return thing->answers[id];
}

// Whether none of those that come first has found something. A rule that is not asked counts as one that has: what
// comes behind it would say the same.
static bool is_next(Thing *thing, RuleId id) {
    bool is_silent = false;
    for (int i = 0; i < COMES_FIRST_MAX && COMES_FIRST[id][i] != RULE_NONE; i++) {
        const Answer answer = answer_of(thing, COMES_FIRST[id][i]);
        assert((answer != NOT_ASKED || thing->is_by_hand) && "a row stands above those that it comes before");
        is_silent = is_silent || answer == FOUND_SOMETHING;
    }
    thing->answers[id] = is_silent ? FOUND_SOMETHING : FOUND_NOTHING;
    return !is_silent;
}

// Reports so far that no `allow` silenced. What another report has said before is one of them.
static uint32_t found_so_far(const Thing *thing) {
    const Diags *diags = &thing->rules->session->diags;
    return diags->report_count - diags->allowed_count;
}

static void note_answer(Thing *thing, RuleId id, uint32_t before) {
    thing->answers[id] = found_so_far(thing) > before ? FOUND_SOMETHING : FOUND_NOTHING;
}

typedef void ClusterRule(const Rules *rules, const PlanCluster *cluster);
typedef void StorageRule(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage);
typedef void NodesRule(const Rules *rules, const PlanNodes *nodes);
typedef void JobRule(const Rules *rules, const PlanJob *job);
typedef void SettingRule(const Rules *rules, const PlanSetting *setting);
typedef void LaunchRule(const Rules *rules, const PlanLaunch *launch);
typedef void EnvironmentRule(const Rules *rules, const PlanEnvironment *environment);
typedef void ContainerRule(const Rules *rules, const PlanContainer *container);

// A rule that is NULL is about things of another target.
static void ask_of_cluster(Thing *thing, RuleId id, ClusterRule *rule, const PlanCluster *cluster) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id) && rule != NULL) {
        rule(thing->rules, cluster);
        note_answer(thing, id, before);
    }
}

static void ask_of_storage(Thing *thing, RuleId id, StorageRule *rule, const PlanCluster *cluster,
                           const PlanStorage *storage) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id)) {
        rule(thing->rules, cluster, storage);
        note_answer(thing, id, before);
    }
}

static void ask_of_nodes(Thing *thing, RuleId id, NodesRule *rule, const PlanNodes *nodes) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id) && rule != NULL) {
        rule(thing->rules, nodes);
        note_answer(thing, id, before);
    }
}

static void ask_of_job(Thing *thing, RuleId id, JobRule *rule, const PlanJob *job) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id)) {
        rule(thing->rules, job);
        note_answer(thing, id, before);
    }
}

static void ask_of_setting(Thing *thing, RuleId id, SettingRule *rule, const PlanSetting *setting) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id)) {
        rule(thing->rules, setting);
        note_answer(thing, id, before);
    }
}

static void ask_of_launch(Thing *thing, RuleId id, LaunchRule *rule, const PlanLaunch *launch) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id) && launch != NULL) {
        rule(thing->rules, launch);
        note_answer(thing, id, before);
    }
}

static void ask_of_environment(Thing *thing, RuleId id, EnvironmentRule *rule, const PlanEnvironment *environment) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id) && environment != NULL) {
        rule(thing->rules, environment);
        note_answer(thing, id, before);
    }
}

static void ask_of_container(Thing *thing, RuleId id, ContainerRule *rule, const PlanContainer *container) {
    const uint32_t before = found_so_far(thing);
    if (is_next(thing, id) && container != NULL) {
        rule(thing->rules, container);
        note_answer(thing, id, before);
    }
}

// ---- a cluster and what it is made of ----------------------------------------------------------------------------

static void check_storages(const Thing *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        Thing thing = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_STORAGE(name, about, ...) ask_of_storage(&thing, RULE_##name, rule_##name, cluster, storage);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_nodes(const Thing *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const PlanEnvironment *environment = nodes->batch == NULL ? NULL : nodes->batch->environment;
        Thing thing = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_NODES(name, about, ...) ask_of_nodes(&thing, RULE_##name, rule_##name, nodes);
#define RULE_BATCH_NODES(name, about, ...) \
    ask_of_nodes(&thing, RULE_##name, nodes->batch != NULL ? rule_##name : NULL, nodes);
#define RULE_SLURM_NODES(name, about, ...) \
    ask_of_nodes(&thing, RULE_##name, nodes->slurm != NULL ? rule_##name : NULL, nodes);
#define RULE_EKS_NODES(name, about, ...) \
    ask_of_nodes(&thing, RULE_##name, nodes->eks != NULL ? rule_##name : NULL, nodes);
#define RULE_PCS_NODES(name, about, ...) \
    ask_of_nodes(&thing, RULE_##name, nodes->maker == MAKER_PCS ? rule_##name : NULL, nodes);
#define RULE_LAUNCH(name, about, ...) ask_of_launch(&thing, RULE_##name, rule_##name, nodes->launch);
#define RULE_ENVIRONMENT(name, about, ...) ask_of_environment(&thing, RULE_##name, rule_##name, environment);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_jobs(const Thing *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        Thing thing = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_JOB(name, about, ...) ask_of_job(&thing, RULE_##name, rule_##name, job);
#define RULE_CONTAINER(name, about, ...) ask_of_container(&thing, RULE_##name, rule_##name, job->needs);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_settings(const Thing *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; cluster->slurm != NULL && i < cluster->slurm->all_settings.count; i++) {
        const PlanSetting *setting = &cluster->slurm->all_settings.items[i];
        Thing thing = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_SETTING(name, about, ...) ask_of_setting(&thing, RULE_##name, rule_##name, setting);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_cluster(const Rules *rules, const PlanCluster *cluster) {
    Thing thing = { .rules = rules };
    thing.answers[RULE_all_parts] = cluster->lacks_parts ? FOUND_SOMETHING : FOUND_NOTHING;
    const uint32_t turn = diags_begin_turn(rules->session);
#define RULE_CLUSTER(name, about, ...) ask_of_cluster(&thing, RULE_##name, rule_##name, cluster);
#define RULE_BATCH(name, about, ...) \
    ask_of_cluster(&thing, RULE_##name, cluster->batch != NULL ? rule_##name : NULL, cluster);
#define RULE_SLURM(name, about, ...) \
    ask_of_cluster(&thing, RULE_##name, cluster->slurm != NULL ? rule_##name : NULL, cluster);
#define RULE_EKS(name, about, ...) \
    ask_of_cluster(&thing, RULE_##name, cluster->eks != NULL ? rule_##name : NULL, cluster);
#define RULE_PCS(name, about, ...) \
    ask_of_cluster(&thing, RULE_##name, cluster->pcs != NULL ? rule_##name : NULL, cluster);
#include "compiler/plan/rules/rules.def"
    diags_end_turn(rules->session, turn);
    check_settings(&thing, cluster);
    check_storages(&thing, cluster);
    check_nodes(&thing, cluster);
    check_jobs(&thing, cluster);
}

// ---- what is written by hand -------------------------------------------------------------------------------------

static void check_launch(const Rules *rules, const PlanLaunch *launch) {
    Thing thing = { .rules = rules, .is_by_hand = true };
#define RULE_LAUNCH(name, about, ...) ask_of_launch(&thing, RULE_##name, rule_##name, launch);
#include "compiler/plan/rules/rules.def"
}

static void check_environment(const Rules *rules, const PlanEnvironment *environment) {
    Thing thing = { .rules = rules, .is_by_hand = true };
#define RULE_ENVIRONMENT(name, about, ...) ask_of_environment(&thing, RULE_##name, rule_##name, environment);
#include "compiler/plan/rules/rules.def"
}

static void check_container(const Rules *rules, const PlanContainer *container) {
    Thing thing = { .rules = rules, .is_by_hand = true };
#define RULE_CONTAINER(name, about, ...) ask_of_container(&thing, RULE_##name, rule_##name, container);
#include "compiler/plan/rules/rules.def"
}

static void check_handwritten(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->handwritten.count; i++) {
        const PlanHandwritten *stack = rules->plan->handwritten.items[i];
        const uint32_t outer = diags_begin_turn(rules->session);
        for (uint32_t k = 0; k < stack->launches.count; k++) {
            check_launch(rules, stack->launches.items[k]);
        }
        for (uint32_t k = 0; k < stack->environments.count; k++) {
            check_environment(rules, stack->environments.items[k]);
        }
        for (uint32_t k = 0; k < stack->containers.count; k++) {
            check_container(rules, stack->containers.items[k]);
        }
        diags_end_turn(rules->session, outer);
    }
}

// ---- images, and parts of all kinds ------------------------------------------------------------------------------

static void check_images(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->images.count; i++) {
        const PlanImage *image = rules->plan->images.items[i];
        if (!image->head.part->is_used) {
#define RULE_IMAGE(name, about) rule_##name(rules, image);
#include "compiler/plan/rules/rules.def"
        }
    }
}

static void check_parts(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        if (!part->is_used) {
#define RULE_PART(name, about) rule_##name(rules, part);
#include "compiler/plan/rules/rules.def"
        }
    }
}

void rules_each_text(const RuleTexts *texts, const Value *value, RuleOfText *check) {
    if (value->kind == VALUE_STRING) {
        check(texts, value);
    }
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        rules_each_text(texts, part, check);
    }
    if (value_by_default(value) != value) {
        rules_each_text(texts, value_by_default(value), check);
    }
}

// ---- allow -----------------------------------------------------------------------------------------------------

// An `allow` of a code that keeps the plan from being made.
static void explain_allows(Session *session, const Subject *subject) {
    for (uint32_t i = 0; i < subject->allows.count; i++) {
        const SubjectAllow *allow = &subject->allows.items[i];
        for (uint32_t k = 0; k < session->diags.items.count; k++) {
            Diag *diag = session->diags.items.items[k];
            if (!diag->can_be_allowed && str_is(allow->code, diag_row(diag->id)->code)) {
                diag_label(session, diag, allow->span, "does not help: nothing can be planned behind it");
                diag->can_be_allowed = true; // is said
            }
        }
    }
}

// ---- all of them ----------------------------------------------------------------------------------------------

void plan_check(Session *session, const Plan *plan) {
    const Rules rules = { .session = session, .plan = plan };
    check_networks(&rules);
    check_handwritten(&rules);
    check_images(&rules);
    check_parts(&rules);
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        check_cluster(&rules, plan->clusters.items[i]);
    }
#define RULE_STACKS(name, about) rule_##name(&rules);
#include "compiler/plan/rules/rules.def"
    for (uint32_t i = 0; has_errors(session) && i < plan->parts.count; i++) {
        if (!plan->parts.items[i]->is_used) {
            explain_allows(session, plan->parts.items[i]->subject);
        }
    }
}
