// The rules, one function each, and what they share.
#pragma once

#include "compiler/plan/model/provisioning.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/plan.h"
#include "compiler/plan/model/role.h"
#include "compiler/plan/model/slurm_script.h"
#include "compiler/plan/model/workload.h"

typedef struct {
    Session *session;
    const Plan *plan;
} Rules;

// What is wrong with the shape of a mount path. NULL if it is right.
const char *rules_path_fault(const Rules *rules, Str path);

// What is wrong with a path at which user data mounts a file system. NULL if nothing is.
const char *rules_place_fault(const Rules *rules, Str path);

// What is wrong with the user of a container. NULL if nothing is.
const char *rules_user_fault(Str text);

// Whether a shell would have to fill the text in, which is no script: `$NAME` or `${NAME}` at its beginning, behind `=`,
// `:` or as a part of a path.
bool rules_has_variable(Str text);

// Calls a function for every text of an attribute: in lists, maps and arguments. Of a late text it takes what is known,
// such as the default of a late param.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    Str region; // that the subject is for; empty where nothing says, or nobody asks
    const char *attribute;
    bool is_of_any_region; // an ARN of another region than that may be meant
} RuleTexts;

typedef void RuleOfText(const RuleTexts *texts, const Value *text);
void rules_each_text(const RuleTexts *texts, const Value *value, RuleOfText *check);

#define RULE_NETWORK(name, about) void rule_##name(const Rules *rules, const PlanNetwork *network);
#define RULE_CLUSTER(name, about, ...) void rule_##name(const Rules *rules, const PlanCluster *cluster);
#define RULE_NODES(name, about, ...) void rule_##name(const Rules *rules, const PlanNodes *nodes);
#define RULE_QUEUE(name, about, ...) \
    void rule_##name(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue);
#define RULE_STORAGE(name, about, ...) \
    void rule_##name(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage);
#define RULE_JOB(name, about, ...) void rule_##name(const Rules *rules, const PlanJob *job);
#define RULE_SETTING(name, about, ...) void rule_##name(const Rules *rules, const PlanSetting *setting);
#define RULE_GROUP(name, about, ...) void rule_##name(const Rules *rules, const PlanGroup *group);
#define RULE_LAUNCH(name, about, ...) void rule_##name(const Rules *rules, const PlanLaunch *launch);
#define RULE_SECURITY_GROUP(name, about) void rule_##name(const Rules *rules, const PlanSecurityGroup *group);
#define RULE_ROLE(name, about) void rule_##name(const Rules *rules, const PlanRole *role);
#define RULE_POLICY(name, about) void rule_##name(const Rules *rules, const PlanPolicy *policy);
#define RULE_VPC(name, about) void rule_##name(const Rules *rules, const PlanVpc *vpc);
#define RULE_CONTROLLER(name, about) void rule_##name(const Rules *rules, const PlanPcsController *controller);
#define RULE_CONTROL_PLANE(name, about) void rule_##name(const Rules *rules, const PlanControlPlane *plane);
#define RULE_PROVISIONING(name, about) void rule_##name(const Rules *rules, const PlanProvisioning *provisioning);
#define RULE_FILE_SYSTEM(name, about, ...) void rule_##name(const Rules *rules, const PlanFileSystem *system);
#define RULE_CLUSTER_STORAGE(name, about, ...) void rule_##name(const Rules *rules, const PlanClusterStorage *mounts);
#define RULE_VOLUME(name, about) void rule_##name(const Rules *rules, const PlanVolume *volume);
#define RULE_CONTAINER(name, about, ...) void rule_##name(const Rules *rules, const PlanContainer *container);
#define RULE_WORKLOAD(name, about, ...) void rule_##name(const Rules *rules, const PlanWorkload *workload);
#define RULE_CONFIGURATION(name, about) void rule_##name(const Rules *rules, const PlanConfiguration *configuration);
#define RULE_CLUSTER_CONFIG(name, about) void rule_##name(const Rules *rules, const PlanClusterConfig *config);
#define RULE_OBJECT(name, about, ...) void rule_##name(const Rules *rules, const PlanObject *object);
#define RULE_RESOURCE(name, about) void rule_##name(const Rules *rules, const PlanResource *resource);
#define RULE_FILE(name, about) void rule_##name(const Rules *rules, const PlanFile *file);
#define RULE_SCRIPT(name, about) void rule_##name(const Rules *rules, const PlanSlurmScript *script);
#define RULE_STEP(name, about) \
    void rule_##name(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step);
#define RULE_DOCKERFILE(name, about) void rule_##name(const Rules *rules, const PlanDockerfile *file);
#define RULE_IMAGE(name, about) void rule_##name(const Rules *rules, const PlanImage *image);
#define RULE_PART(name, about) void rule_##name(const Rules *rules, const PlanPart *part);
#define RULE_OBJECTS(name, about) void rule_##name(const Rules *rules);
#define RULE_STACKS(name, about) void rule_##name(const Rules *rules);
#include "compiler/plan/rules/rules.def"
