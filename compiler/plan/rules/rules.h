// The rules, one function each, and what they share.
#pragma once

#include "compiler/plan/given/raw.h"

typedef struct {
    Session *session;
    const Plan *plan;
} Rules;

// What is wrong with the shape of an absolute path where something is mounted; NULL where nothing is.
const char *rules_path_fault(const Rules *rules, Str path);

// Every text that an attribute holds: in lists, maps and arguments, and what is known of a late one, the default of a
// late param among it.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const PlanCluster *cluster; // that the subject is for; NULL where nothing says, or nobody asks
    const char *attribute;
} RuleTexts;

typedef void RuleOfText(const RuleTexts *texts, const Value *text);
void rules_each_text(const RuleTexts *texts, const Value *value, RuleOfText *check);

// Where a subnet stands in the network's list of private ones; -1 where nothing says.
int64_t rules_place_of_subnet(const PlanNetwork *network, const Value *subnet);

// The one subnet of a group; NULL where there are several.
const Value *rules_one_subnet(const PlanNodes *nodes);

// The zone of a subnet as the network lists its own; NULL where nothing says.
const Value *rules_zone_of_subnet(const PlanNetwork *network, const Value *subnet);

#define RULE_NETWORK(name, about) void rule_##name(const Rules *rules, const PlanNetwork *network);
#define RULE_CLUSTER(name, about, ...) void rule_##name(const Rules *rules, const PlanCluster *cluster);
#define RULE_NODES(name, about, ...) void rule_##name(const Rules *rules, const PlanNodes *nodes);
#define RULE_STORAGE(name, about, ...) \
    void rule_##name(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage);
#define RULE_JOB(name, about, ...) void rule_##name(const Rules *rules, const PlanJob *job);
#define RULE_TEMPLATE(name, about) \
    void rule_##name(const Rules *rules, const RawStack *stack, const RawLaunchTemplate *template);
#define RULE_ENVIRONMENT(name, about) \
    void rule_##name(const Rules *rules, const RawStack *stack, const RawEnvironment *environment);
#define RULE_CONTAINER(name, about) \
    void rule_##name(const Rules *rules, const RawStack *stack, const RawContainer *container);
#define RULE_BLOCK(name, about) void rule_##name(const Rules *rules, const Block *block);
#define RULE_STACKS(name, about) void rule_##name(const Rules *rules);
#include "compiler/plan/rules/rules.def"
