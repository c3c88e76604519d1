// Runs the rules of rules.def over a Plan. A rule looks at one thing and reports what it finds; which things there are
// is decided here alone, and so is that a mistake in a loop, or one that `like` copies, is said once.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/object.h"

#include "compiler/plan/rules/check.h"

#include <stdarg.h>

static void check_vpc(const Rules *rules, const PlanVpc *vpc) {
#define RULE_VPC(name, about) rule_##name(rules, vpc);
#include "compiler/plan/rules/rules.def"
}

static void check_control_plane(const Rules *rules, const PlanControlPlane *plane) {
#define RULE_CONTROL_PLANE(name, about) rule_##name(rules, plane);
#include "compiler/plan/rules/rules.def"
}

static void check_controller(const Rules *rules, const PlanPcsController *controller) {
#define RULE_CONTROLLER(name, about) rule_##name(rules, controller);
#include "compiler/plan/rules/rules.def"
}

static void check_networks(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->networks.count; i++) {
        const PlanNetwork *network = rules->plan->networks.items[i];
        if (network->is_used_module) {
            continue;
        }
        const uint32_t outer = diags_begin_turn(rules->session);
#define RULE_NETWORK(name, about) rule_##name(rules, network);
#include "compiler/plan/rules/rules.def"
        check_vpc(rules, network->vpc);
        diags_end_turn(rules->session, outer);
    }
}

// ---- one after the other -----------------------------------------------------------------------------------------

enum { COMES_FIRST_MAX = 2 };

typedef enum {
    RULE_NONE,
    RULE_all_parts, // no rule: whether the Plan lacks a group or a job of the cluster, for a mistake of its own
#define RULE_CLUSTER(name, about, ...) RULE_##name,
#define RULE_QUEUE(name, about, ...) RULE_##name,
#define RULE_CLUSTER_STORAGE(name, about, ...) RULE_##name,
#define RULE_STORAGE(name, about, ...) RULE_##name,
#define RULE_FILE_SYSTEM(name, about, ...) RULE_##name,
#define RULE_NODES(name, about, ...) RULE_##name,
#define RULE_JOB(name, about, ...) RULE_##name,
#define RULE_SETTING(name, about, ...) RULE_##name,
#define RULE_GROUP(name, about, ...) RULE_##name,
#define RULE_LAUNCH(name, about, ...) RULE_##name,
#define RULE_CONTAINER(name, about, ...) RULE_##name,
#define RULE_WORKLOAD(name, about, ...) RULE_##name,
#define RULE_OBJECT(name, about, ...) RULE_##name,
#include "compiler/plan/rules/rules.def"
    RULE_COUNT
} RuleId;

static const RuleId COMES_FIRST[RULE_COUNT][COMES_FIRST_MAX] = {
#define RULE_CLUSTER(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_QUEUE(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_STORAGE(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_NODES(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_JOB(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_SETTING(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_GROUP(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_LAUNCH(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_CONTAINER(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_WORKLOAD(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#define RULE_OBJECT(name, about, ...) [RULE_##name] = { __VA_ARGS__ },
#include "compiler/plan/rules/rules.def"
};

typedef enum { NOT_ASKED, FOUND_NOTHING, FOUND_SOMETHING } Answer;

// What the rules about one thing have answered.
typedef struct Asked {
    const Rules *rules;
    const struct Asked *outer; // the cluster that it is part of; NULL: of none
    bool is_raw;               // rules about declared things are not asked, and so find nothing
    Answer answers[RULE_COUNT];
} Asked;

static Answer answer_of(const Asked *asked, RuleId id) {
    for (; asked->outer != NULL && asked->answers[id] == NOT_ASKED; asked = asked->outer) {}
    return asked->answers[id];
}

// Whether a rule that comes first has found something. One that was not asked counts as one that has: what comes behind
// it would say the same.
static bool is_preceded(const Asked *asked, RuleId id) {
    bool is_silent = false;
    for (int i = 0; i < COMES_FIRST_MAX && COMES_FIRST[id][i] != RULE_NONE; i++) {
        const Answer answer = answer_of(asked, COMES_FIRST[id][i]);
        assert((answer != NOT_ASKED || asked->is_raw) && "a row stands above those that it comes before");
        is_silent = is_silent || answer == FOUND_SOMETHING;
    }
    return is_silent;
}

// Reports so far that no `allow` silenced. What another report has said before is one of them.
static uint32_t found_so_far(const Asked *asked) {
    const Diags *diags = &asked->rules->session->diags;
    return diags->report_count - diags->allowed_count;
}

// Asks rule_NAME, with these arguments, where `applies`; else it is about things of another target.
#define ASK(asked, name, applies, ...)                                               \
    do {                                                                             \
        const uint32_t before = found_so_far(asked);                                 \
        const bool is_silent = is_preceded(asked, RULE_##name);                      \
        if (!is_silent && (applies)) {                                               \
            rule_##name((asked)->rules, __VA_ARGS__);                                \
        }                                                                            \
        const bool has_found = is_silent || found_so_far(asked) > before;            \
        (asked)->answers[RULE_##name] = has_found ? FOUND_SOMETHING : FOUND_NOTHING; \
    } while (false)

// Asks rule_NAME of a group with each of its types.
static void ask_types(Asked *asked, RuleId id, void (*rule)(const Rules *, const PlanNodes *), bool applies,
                      const PlanNodes *nodes) {
    const uint32_t before = found_so_far(asked);
    const bool is_silent = is_preceded(asked, id);
    if (!is_silent && applies) {
        rule(asked->rules, nodes);
        for (uint32_t i = 0; i < nodes->with_other_types.count; i++) {
            rule(asked->rules, nodes->with_other_types.items[i]);
        }
    }
    const bool has_found = is_silent || found_so_far(asked) > before;
    asked->answers[id] = has_found ? FOUND_SOMETHING : FOUND_NOTHING;
}

// ---- a cluster and what it is made of ----------------------------------------------------------------------------

// NULL: of no volume of EBS.
static void check_volume(const Rules *rules, const PlanVolume *volume) {
#define RULE_VOLUME(name, about)    \
    if (volume != NULL) {           \
        rule_##name(rules, volume); \
    }
#include "compiler/plan/rules/rules.def"
}

static void check_storages(const Asked *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        Asked asked = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_STORAGE(name, about, ...) ASK(&asked, name, true, cluster, storage);
#define RULE_FILE_SYSTEM(name, about, ...) ASK(&asked, name, true, storage->system);
#include "compiler/plan/rules/rules.def"
        check_volume(outer->rules, storage->system->volume);
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_queues(const Asked *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        const PlanQueue *queue = cluster->queues.items[i];
        Asked asked = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_QUEUE(name, about, ...) ASK(&asked, name, true, cluster, queue);
#define RULE_BATCH_QUEUE(name, about, ...) ASK(&asked, name, cluster->batch != NULL, cluster, queue);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_nodes(const Asked *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        Asked asked = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_NODES(name, about, ...) ask_types(&asked, RULE_##name, rule_##name, true, nodes);
#define RULE_SLURM_NODES(name, about, ...) ask_types(&asked, RULE_##name, rule_##name, nodes->slurm != NULL, nodes);
#define RULE_EKS_NODES(name, about, ...) ask_types(&asked, RULE_##name, rule_##name, nodes->eks != NULL, nodes);
#define RULE_PCS_NODES(name, about, ...) ask_types(&asked, RULE_##name, rule_##name, nodes->maker == MAKER_PCS, nodes);
#define RULE_GROUP(name, about, ...) ASK(&asked, name, nodes->group != NULL, nodes->group);
#define RULE_LAUNCH(name, about, ...) ASK(&asked, name, nodes->launch != NULL, nodes->launch);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_jobs(const Asked *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        Asked asked = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_JOB(name, about, ...) ASK(&asked, name, true, job);
#define RULE_CONTAINER(name, about, ...) ASK(&asked, name, job->needs != NULL, job->needs);
#define RULE_WORKLOAD(name, about, ...) ASK(&asked, name, job->workload != NULL, job->workload);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

static void check_settings(const Asked *outer, const PlanCluster *cluster) {
    for (uint32_t i = 0; cluster->slurm != NULL && i < cluster->slurm->all_settings.count; i++) {
        const PlanSetting *setting = &cluster->slurm->all_settings.items[i];
        Asked asked = { .rules = outer->rules, .outer = outer };
        const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_SETTING(name, about, ...) ASK(&asked, name, true, setting);
#include "compiler/plan/rules/rules.def"
        diags_end_turn(outer->rules->session, turn);
    }
}

// Of an object, a definition or a file.
static void check_workload(const Rules *rules, const PlanWorkload *workload) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_WORKLOAD(name, about, ...) ASK(&asked, name, workload != NULL, workload);
#include "compiler/plan/rules/rules.def"
}

// Of a resource, a class of volumes or a file.
static void check_file_system(const Rules *rules, const PlanFileSystem *system) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_FILE_SYSTEM(name, about, ...) ASK(&asked, name, system != NULL, system);
#include "compiler/plan/rules/rules.def"
    check_volume(rules, system == NULL ? NULL : system->volume);
}

static void check_object(const Asked *outer, const PlanObject *object) {
    Asked asked = { .rules = outer->rules, .outer = outer };
    const uint32_t turn = diags_begin_turn(outer->rules->session);
#define RULE_OBJECT(name, about, ...) ASK(&asked, name, true, object);
#include "compiler/plan/rules/rules.def"
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_workload(outer->rules, object->workloads.items[i]);
    }
    check_file_system(outer->rules, object->system);
    diags_end_turn(outer->rules->session, turn);
}

// eksctl makes the VPC of a cluster without a network.
static void check_eks(const Rules *rules, const PlanCluster *cluster) {
    const PlanControlPlane *plane = cluster->control_plane;
    if (plane != NULL) {
        check_control_plane(rules, plane);
    }
    if (plane != NULL && plane->vpc != NULL && cluster->network == NULL) {
        check_vpc(rules, plane->vpc);
    }
}

static void check_cluster(const Rules *rules, const PlanCluster *cluster) {
    Asked asked = { .rules = rules };
    asked.answers[RULE_all_parts] = cluster->lacks_parts ? FOUND_SOMETHING : FOUND_NOTHING;
    const uint32_t turn = diags_begin_turn(rules->session);
#define RULE_CLUSTER(name, about, ...) ASK(&asked, name, true, cluster);
#define RULE_BATCH(name, about, ...) ASK(&asked, name, cluster->batch != NULL, cluster);
#define RULE_SLURM(name, about, ...) ASK(&asked, name, cluster->slurm != NULL, cluster);
#define RULE_EKS(name, about, ...) ASK(&asked, name, cluster->eks != NULL, cluster);
#define RULE_PCS(name, about, ...) ASK(&asked, name, cluster->pcs != NULL, cluster);
#define RULE_CLUSTER_STORAGE(name, about, ...) ASK(&asked, name, true, cluster->mounts);
#include "compiler/plan/rules/rules.def"
    check_eks(rules, cluster);
    if (cluster->pcs != NULL) {
        check_controller(rules, cluster->pcs->controller);
    }
    diags_end_turn(rules->session, turn);
    check_settings(&asked, cluster);
    check_storages(&asked, cluster);
    check_queues(&asked, cluster);
    check_nodes(&asked, cluster);
    check_jobs(&asked, cluster);
    for (uint32_t i = 0; cluster->eks != NULL && i < cluster->eks->objects.count; i++) {
        check_object(&asked, cluster->eks->objects.items[i]);
    }
}

static void check_objects(const Rules *rules) {
    const Asked none = { .rules = rules };
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        check_object(&none, rules->plan->objects.items[i]);
    }
}

// ---- raw resources -------------------------------------------------------------------------------------------

// What several groups have in common, such as a launch template, has each mistake once.
static void check_group(const Rules *rules, const PlanGroup *group) {
    Asked asked = { .rules = rules, .is_raw = true };
    const uint32_t outer = diags_begin_turn(rules->session);
#define RULE_GROUP(name, about, ...) ASK(&asked, name, group != NULL, group);
#include "compiler/plan/rules/rules.def"
    diags_end_turn(rules->session, outer);
}

static void check_launch(const Rules *rules, const PlanLaunch *launch) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_LAUNCH(name, about, ...) ASK(&asked, name, launch != NULL, launch);
#include "compiler/plan/rules/rules.def"
}

static void check_security_group(const Rules *rules, const PlanSecurityGroup *group) {
#define RULE_SECURITY_GROUP(name, about) rule_##name(rules, group);
#include "compiler/plan/rules/rules.def"
}

static void check_provisioning(const Rules *rules, const PlanProvisioning *provisioning) {
#define RULE_PROVISIONING(name, about) rule_##name(rules, provisioning);
#include "compiler/plan/rules/rules.def"
}

static void check_roles(const Rules *rules, const PlanTemplate *template) {
    for (uint32_t i = 0; template != NULL && i < template->roles.count; i++) {
        const PlanRole *role = template->roles.items[i];
#define RULE_ROLE(name, about) rule_##name(rules, role);
#include "compiler/plan/rules/rules.def"
    }
}

static void check_policies(const Rules *rules, const PlanFile *file) {
    for (uint32_t i = 0; i < file->policies.count; i++) {
        const PlanPolicy *policy = file->policies.items[i];
#define RULE_POLICY(name, about) rule_##name(rules, policy);
#include "compiler/plan/rules/rules.def"
    }
}

static void check_container(const Rules *rules, const PlanContainer *container) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_CONTAINER(name, about, ...) ASK(&asked, name, container != NULL, container);
#include "compiler/plan/rules/rules.def"
}

static void check_setting_of_file(const Rules *rules, const PlanSetting *setting) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_SETTING(name, about, ...) ASK(&asked, name, true, setting);
#include "compiler/plan/rules/rules.def"
}

static void check_configuration(const Rules *rules, const PlanConfiguration *configuration) {
    Asked asked = { .rules = rules, .is_raw = true };
#define RULE_CONFIGURATION(name, about) rule_##name(rules, configuration);
#define RULE_CLUSTER_STORAGE(name, about, ...) ASK(&asked, name, true, configuration->mounts);
#include "compiler/plan/rules/rules.def"
    for (uint32_t i = 0; i < configuration->settings.count; i++) {
        check_setting_of_file(rules, &configuration->settings.items[i]);
    }
}

static void check_cluster_config(const Rules *rules, const PlanClusterConfig *config) {
#define RULE_CLUSTER_CONFIG(name, about) rule_##name(rules, config);
#include "compiler/plan/rules/rules.def"
}

static void check_resource(const Rules *rules, const PlanResource *resource) {
#define RULE_RESOURCE(name, about) rule_##name(rules, resource);
#include "compiler/plan/rules/rules.def"
}

static void check_raw(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->raw.count; i++) {
        const PlanRaw *stack = rules->plan->raw.items[i];
        const uint32_t outer = diags_begin_turn(rules->session);
        for (uint32_t k = 0; k < stack->resources.count; k++) {
            check_resource(rules, stack->resources.items[k]);
        }
        for (uint32_t k = 0; k < stack->launches.count; k++) {
            check_launch(rules, stack->launches.items[k]);
        }
        for (uint32_t k = 0; k < stack->groups.count; k++) {
            check_group(rules, stack->groups.items[k]);
        }
        for (uint32_t k = 0; k < stack->security_groups.count; k++) {
            check_security_group(rules, stack->security_groups.items[k]);
        }
        for (uint32_t k = 0; k < stack->provisionings.count; k++) {
            check_provisioning(rules, stack->provisionings.items[k]);
        }
        for (uint32_t k = 0; k < stack->vpcs.count; k++) {
            check_vpc(rules, stack->vpcs.items[k]);
        }
        for (uint32_t k = 0; k < stack->control_planes.count; k++) {
            check_control_plane(rules, stack->control_planes.items[k]);
        }
        for (uint32_t k = 0; k < stack->controllers.count; k++) {
            check_controller(rules, stack->controllers.items[k]);
        }
        for (uint32_t k = 0; k < stack->file_systems.count; k++) {
            check_file_system(rules, stack->file_systems.items[k]);
        }
        for (uint32_t k = 0; k < stack->volumes.count; k++) {
            check_volume(rules, stack->volumes.items[k]);
        }
        for (uint32_t k = 0; k < stack->containers.count; k++) {
            check_container(rules, stack->containers.items[k]);
        }
        for (uint32_t k = 0; k < stack->workloads.count; k++) {
            check_workload(rules, stack->workloads.items[k]);
        }
        for (uint32_t k = 0; k < stack->configurations.count; k++) {
            check_configuration(rules, stack->configurations.items[k]);
        }
        for (uint32_t k = 0; k < stack->cluster_configs.count; k++) {
            check_cluster_config(rules, stack->cluster_configs.items[k]);
        }
        diags_end_turn(rules->session, outer);
    }
}

// ---- batch scripts -----------------------------------------------------------------------------------------------

static void check_script(const Rules *rules, const PlanSlurmScript *script) {
#define RULE_SCRIPT(name, about) rule_##name(rules, script);
#include "compiler/plan/rules/rules.def"
    for (uint32_t i = 0; i < script->steps.count; i++) {
        const PlanSlurmStep *step = &script->steps.items[i];
#define RULE_STEP(name, about) rule_##name(rules, script, step);
#include "compiler/plan/rules/rules.def"
    }
}

// ---- images, and parts of all kinds ------------------------------------------------------------------------------

static void check_images(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->images.count; i++) {
        const PlanImage *image = rules->plan->images.items[i];
        const uint32_t outer = diags_begin_turn(rules->session);
        if (!image->head.part->is_used) {
#define RULE_IMAGE(name, about) rule_##name(rules, image);
#include "compiler/plan/rules/rules.def"
        }
        diags_end_turn(rules->session, outer);
    }
}

static void check_resources(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const PlanResource resource = { .subject = part->subject,
                                        .resource = part->resources.items[i],
                                        .part = part,
                                        .attributes = part->resources.items[i]->properties,
                                        .attribute_count = part->resources.items[i]->property_count,
                                        .is_object = plan_is_object(part, part->resources.items[i]),
                                        .region = part->cluster == NULL ? STR_NONE : part->cluster->region };
        check_resource(rules, &resource);
    }
}

static void check_parts(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        if (!part->is_used) {
#define RULE_PART(name, about) rule_##name(rules, part);
#include "compiler/plan/rules/rules.def"
            check_resources(rules, part);
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
            if (!diag->can_be_allowed && !diag->is_explained && str_is(allow->code, diag_row(diag->id)->code)) {
                diag_label(session, diag, allow->span, "does not help: nothing can be planned behind it");
                diag->is_explained = true;
            }
        }
    }
}

// ---- all of them ----------------------------------------------------------------------------------------------

void plan_check(Session *session, const Plan *plan) {
    const Rules rules = { .session = session, .plan = plan };
    check_networks(&rules);
    check_raw(&rules);
    check_objects(&rules);
    if (plan->file != NULL) {
        check_roles(&rules, plan->file->names);
        check_policies(&rules, plan->file);
#define RULE_FILE(name, about) rule_##name(&rules, plan->file);
#include "compiler/plan/rules/rules.def"
    }
    if (plan->script != NULL) {
        check_script(&rules, plan->script);
    }
    if (plan->dockerfile != NULL) {
#define RULE_DOCKERFILE(name, about) rule_##name(&rules, plan->dockerfile);
#include "compiler/plan/rules/rules.def"
    }
    check_images(&rules);
    check_parts(&rules);
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        check_cluster(&rules, plan->clusters.items[i]);
    }
#define RULE_OBJECTS(name, about) rule_##name(&rules);
#define RULE_STACKS(name, about) rule_##name(&rules);
#include "compiler/plan/rules/rules.def"
    for (uint32_t i = 0; has_errors(session) && i < plan->parts.count; i++) {
        if (!plan->parts.items[i]->is_used) {
            explain_allows(session, plan->parts.items[i]->subject);
        }
    }
}
