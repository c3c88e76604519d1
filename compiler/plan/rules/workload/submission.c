// Rules about a job that is submitted to AWS Batch, where its definition stands in a file beside it: what the job changes has
// to be there. Batch finds most of it out when the job is submitted, and some when it runs.
// Source: AWS Batch API Reference, SubmitJob, NodeOverrides and ContainerOverrides; aws/aws-parallelcluster#964, nextflow-io/nextflow#5817,
// aws/aws-cdk#29415; read 2026-11.
#include "compiler/plan/rules/together_submissions.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/rules/node_range.h"
#include "compiler/plan/rules/rule_field.h"
#include "schema/limits.h"

typedef struct {
    Session *session;
    const PlanResource *job;
    const Plan *const *beside;
    uint32_t count;
    const PlanResource *definition;
    Str name; // of the definition
} SubmissionCheck;

static const Value *property(const PlanResource *resource, const char *name) {
    const Value *value = resource_property(resource->resource, name);
    return value != NULL && value->kind != VALUE_NULL ? value : NULL;
}

static Span key_of(const PlanResource *resource, const char *name) {
    const ValueEntry *entry = value_entry(resource->resource->properties, resource->resource->property_count, name);
    return entry == NULL ? resource->resource->span : entry->key_span;
}

// ---- names -----------------------------------------------------------------------------------------------------------

// What jobs name.
typedef struct {
    const char *key;   // of the job
    const char *type;  // of the resource
    const char *named; // its property
    const char *arn;   // what stands before the name in an ARN
    const char *what;
} PlaceRow;

static const PlaceRow DEFINITION = { "JobDefinition", "AWS::Batch::JobDefinition", "JobDefinitionName",
                                     "job-definition/", "job definition" };
static const PlaceRow QUEUE = { "JobQueue", "AWS::Batch::JobQueue", "JobQueueName", "job-queue/", "job queue" };

bool submissions_have_place(const Plan *plan) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->resources.count; k++) {
            const Str type = raw->resources.items[k]->resource->type;
            if (str_is(type, DEFINITION.type) || str_is(type, QUEUE.type)) {
                return true;
            }
        }
    }
    return false;
}

// "train" of "train:3" and of "arn:aws:batch:us-east-1:100000000001:job-definition/train:3".
static Str name_in(Str text, const PlaceRow *row) {
    const size_t at = str_find(text, str_of(row->arn), 0);
    const Str name = at < text.len ? str_slice(text, at + strlen(row->arn), text.len) : text;
    return str_slice(name, 0, str_find(name, STR(":"), 0));
}

// What is known of the name that a job says.
typedef struct {
    const PlanResource *found;
    const PlanResource *unnamed; // a resource that is called so in its template alone
    Suggestion suggestion;
    bool has_others; // whose names only the deployment knows
} Named;

static void look_at(const PlanResource *resource, const PlaceRow *row, Named *named) {
    const Value *own = property(resource, row->named);
    const Str text = object_text(own);
    if (text.len == 0) {
        const bool is_called = own == NULL && str_equal(resource->resource->name, named->suggestion.name);
        named->unnamed = is_called ? resource : named->unnamed;
        named->has_others = named->has_others || own != NULL;
    } else if (str_equal(text, named->suggestion.name)) {
        named->found = resource;
    } else {
        suggest_offer(&named->suggestion, text);
    }
}

static Named look_up(const SubmissionCheck *check, const PlaceRow *row, Str name) {
    Named named = { .suggestion = suggest_for(check->session, name) };
    for (uint32_t i = 0; i < check->count && named.found == NULL; i++) {
        for (uint32_t k = 0; k < check->beside[i]->raw.count; k++) {
            const PlanRaw *raw = check->beside[i]->raw.items[k];
            for (uint32_t n = 0; n < raw->resources.count && named.found == NULL; n++) {
                if (str_is(raw->resources.items[n]->resource->type, row->type)) {
                    look_at(raw->resources.items[n], row, &named);
                }
            }
        }
    }
    return named;
}

static const PlanResource *check_name(const SubmissionCheck *check, const PlaceRow *row) {
    const Value *value = property(check->job, row->key);
    const Str name = name_in(object_text(value), row);
    if (name.len == 0) {
        return NULL;
    }
    Named named = look_up(check, row, name);
    const bool is_near = !named.has_others && suggest_is_sure(&named.suggestion);
    if (named.found != NULL || (named.unnamed == NULL && !is_near)) {
        return named.found;
    }
    Diag *diag = plan_report(check->session, check->job->subject, value->span, DIAG(submitted_to_nothing), row->what,
                             STR_ARG(name));
    if (named.unnamed != NULL) {
        diag_help(check->session, diag, "write `%s: %.*s` into the template: CloudFormation makes up a name without it",
                  row->named, STR_ARG(name));
    } else if (!suggest_say(check->session, diag, &named.suggestion, value->span)) {
        diag_help(check->session, diag, "did you mean `%.*s`?", STR_ARG(named.suggestion.best));
    }
    return NULL;
}

// ---- parameters ------------------------------------------------------------------------------------------------------

typedef struct {
    StrMap used;      // names behind `Ref::`
    const Value *own; // `Parameters` of the definition; NULL
    const Value *given;
    bool is_known; // all commands are
} Parameters;

static void read_command(Parameters *parameters, const Value *command) {
    const Str start = STR("Ref::");
    for (uint32_t i = 0; i < object_count(command); i++) {
        const Value *word = command->list.items[i];
        const Str text = object_text(word);
        parameters->is_known = parameters->is_known && word->kind != VALUE_LATE;
        if (str_starts_with(text, start)) {
            str_map_add(&parameters->used, str_slice(text, start.len, text.len), word);
        }
    }
    parameters->is_known = parameters->is_known && (command == NULL || command->kind == VALUE_LIST);
}

// The containers that a job changes.
static const Value *override_of(const PlanResource *job, uint32_t i) {
    const Value *own = property(job, "ContainerOverrides");
    const Value *list = object_get(property(job, "NodeOverrides"), "NodePropertyOverrides");
    return own != NULL ? (i == 0 ? own : NULL)
                       : (i < object_count(list) ? object_get(list->list.items[i], "ContainerOverrides") : NULL);
}

static bool has_parameter(const Value *map, Str name) {
    return map != NULL && map->kind == VALUE_MAP && value_find(map, name) != NULL;
}

// A name that nobody gives a value goes to the program as it stands.
static void check_unfilled(const SubmissionCheck *check, const Parameters *parameters, const Value *command) {
    const Str start = STR("Ref::");
    for (uint32_t i = 0; i < object_count(command); i++) {
        const Str text = object_text(command->list.items[i]);
        const Str name = str_slice(text, start.len, text.len);
        if (!str_starts_with(text, start) || has_parameter(parameters->own, name) ||
            has_parameter(parameters->given, name)) {
            continue;
        }
        const Span place =
            parameters->given != NULL ? key_of(check->job, "Parameters") : property(check->job, "JobDefinition")->span;
        Diag *diag = plan_report(check->session, check->job->subject, place, DIAG(job_parameter_unfilled),
                                 STR_ARG(text), STR_ARG(check->name));
        diag_help(check->session, diag, "add `\"%.*s\": \"…\"` to `parameters`", STR_ARG(name));
    }
}

static void check_idle(const SubmissionCheck *check, const Parameters *parameters) {
    for (uint32_t i = 0; i < parameters->given->map.count; i++) {
        const ValueEntry *entry = &parameters->given->map.entries[i];
        if (has_parameter(parameters->own, entry->key) || str_map_get(&parameters->used, entry->key) != NULL) {
            continue;
        }
        Diag *diag = plan_report(check->session, check->job->subject, entry->key_span, DIAG(parameter_of_nothing),
                                 STR_ARG(entry->key));
        Suggestion suggestion = suggest_for(check->session, entry->key);
        for (uint32_t k = 0; parameters->own != NULL && k < parameters->own->map.count; k++) {
            suggest_offer(&suggestion, parameters->own->map.entries[k].key);
        }
        if (suggestion.best.len > 0) {
            diag_help(check->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
        } else {
            diag_help(check->session, diag, "leave it out, or use `Ref::%.*s` in the command of `%.*s`",
                      STR_ARG(entry->key), STR_ARG(check->name));
        }
    }
}

static void check_parameters(const SubmissionCheck *check) {
    const JobContainers containers = job_containers(check->session->arena, check->definition->resource);
    Parameters parameters = { .used = { .arena = check->session->arena },
                              .own = property(check->definition, "Parameters"),
                              .given = property(check->job, "Parameters"),
                              .is_known = containers.count > 0 };
    const bool are_maps = (parameters.own == NULL || parameters.own->kind == VALUE_MAP) &&
                          (parameters.given == NULL || parameters.given->kind == VALUE_MAP);
    bool has_own_command = false;
    for (uint32_t i = 0; i < containers.count; i++) {
        read_command(&parameters, object_get(containers.items[i].container, "Command"));
    }
    for (uint32_t i = 0; override_of(check->job, i) != NULL; i++) {
        const Value *command = object_get(override_of(check->job, i), "Command");
        has_own_command = has_own_command || command != NULL;
        read_command(&parameters, command);
        if (are_maps) {
            check_unfilled(check, &parameters, command);
        }
    }
    for (uint32_t i = 0; are_maps && !has_own_command && i < containers.count; i++) {
        check_unfilled(check, &parameters, object_get(containers.items[i].container, "Command"));
    }
    if (are_maps && parameters.is_known && parameters.given != NULL) {
        check_idle(check, &parameters);
    }
}

// ---- what is changed -------------------------------------------------------------------------------------------------

static Diag *say(const SubmissionCheck *check, Span span, Str fault) {
    return plan_report(check->session, check->job->subject, span, DIAG(submission_does_not_fit), STR_ARG(check->name),
                       STR_ARG(fault));
}

// What is in the place of a job's overrides.
static void check_kind(const SubmissionCheck *check, const char *key, const char *has, const char *kind,
                       const char *instead) {
    if (property(check->job, key) != NULL && property(check->definition, has) != NULL) {
        Diag *diag = say(check, key_of(check->job, key), str_of(kind));
        diag_help(check->session, diag, "write `%s` instead, or leave it out", instead);
    }
}

static void check_kinds(const SubmissionCheck *check) {
    static const char CONTAINER[] = "ContainerOverrides";
    static const char NODES[] = "NodeOverrides";
    check_kind(check, CONTAINER, "NodeProperties", "is for several nodes, each range of which has its own container",
               "nodeOverrides");
    check_kind(check, NODES, "ContainerProperties", "is for one node", "containerOverrides");
    check_kind(check, CONTAINER, "EksProperties", "is for a pod", "eksPropertiesOverride");
    check_kind(check, NODES, "EksProperties", "is for a pod", "eksPropertiesOverride");
    check_kind(check, CONTAINER, "EcsProperties", "is for a task", "ecsPropertiesOverride");
}

static bool are_same(Str left, Str right, int64_t last) {
    NodeRange a = { 0 };
    NodeRange b = { 0 };
    return str_equal(left, right) || (node_range_read(left, last, &a) && node_range_read(right, last, &b) &&
                                      a.first == b.first && a.last == b.last);
}

static void check_target(const SubmissionCheck *check, const Value *target, const Value *ranges, int64_t last) {
    StrBuf text = { .arena = check->session->arena };
    for (uint32_t i = 0; i < object_count(ranges); i++) {
        const Value *own = object_get(ranges->list.items[i], "TargetNodes");
        if (object_text(own).len == 0 || are_same(target->string, own->string, last)) {
            return;
        }
        strbuf_add_format(&text, "%s`%.*s`", i == 0 ? "" : ", ", STR_ARG(own->string));
    }
    Diag *diag =
        say(check, target->span, str_format(check->session->arena, "has no range `%.*s`", STR_ARG(target->string)));
    diag_help(check->session, diag, "name a range as the definition has it: %.*s", STR_ARG(strbuf_str(&text)));
}

// The first node of an open range; -1: none is open, or nobody knows.
static int64_t open_range(const Value *ranges, bool *is_known) {
    int64_t first = -1;
    for (uint32_t i = 0; i < object_count(ranges); i++) {
        const Str text = object_text(object_get(ranges->list.items[i], "TargetNodes"));
        NodeRange range = { 0 };
        *is_known = *is_known && node_range_read(text, INT32_MAX, &range);
        first = range.last == INT32_MAX ? range.first : first;
    }
    return first;
}

static void check_nodes(const SubmissionCheck *check, const Value *nodes, const Value *count, const Value *ranges) {
    int64_t number = 0;
    int64_t own = 0;
    int64_t main = 0;
    bool is_known = object_count(ranges) > 0;
    const int64_t first = open_range(ranges, &is_known);
    const bool is_main = rule_number(object_get(nodes, "MainNode"), &main);
    if (!rule_number(count, &number) || (rule_number(object_get(nodes, "NumNodes"), &own) && own == number)) {
        return;
    }
    if (is_known && first < 0) {
        Diag *diag = say(
            check, count->span,
            str_format(check->session->arena, "has no open range such as `0:`, so that its number of nodes is fixed"));
        diag_help(check->session, diag, "leave `numNodes` out, or open the last range of the definition");
    } else if (is_known && number <= first) {
        Diag *diag = say(check, count->span,
                         str_format(check->session->arena,
                                    "has a range that begins with node %" PRId64 ", and %" PRId64 " node%s end before",
                                    first, number, number == 1 ? "" : "s"));
        diag_help(check->session, diag, "write %" PRId64 " or more", first + 1);
    } else if (is_main && number <= main) {
        Diag *diag = say(check, count->span,
                         str_format(check->session->arena,
                                    "has node %" PRId64 " as its main one, and %" PRId64 " node%s end before", main,
                                    number, number == 1 ? "" : "s"));
        diag_help(check->session, diag, "write %" PRId64 " or more", main + 1);
    }
}

static void check_overrides_of_nodes(const SubmissionCheck *check) {
    const Value *overrides = property(check->job, "NodeOverrides");
    const Value *nodes = property(check->definition, "NodeProperties");
    const Value *ranges = object_get(nodes, "NodeRangeProperties");
    const Value *count = object_get(overrides, "NumNodes");
    const Value *list = object_get(overrides, "NodePropertyOverrides");
    int64_t number = 0;
    if (nodes == NULL || overrides == NULL) {
        return;
    }
    check_nodes(check, nodes, count, ranges);
    const bool is_known = rule_number(count, &number) || rule_number(object_get(nodes, "NumNodes"), &number);
    for (uint32_t i = 0; object_count(ranges) <= LIMIT_NODE_GROUPS_MAX && i < object_count(list); i++) {
        const Value *target = object_get(list->list.items[i], "TargetNodes");
        if (object_count(ranges) > 0 && object_text(target).len > 0) {
            check_target(check, target, ranges, is_known ? number - 1 : INT32_MAX);
        }
    }
}

// `vcpus` and `memory` of a job change those of the definition, and not what it says in `resourceRequirements`.
static void check_old_words(const SubmissionCheck *check) {
    static const char *const WORDS[][2] = { { "Vcpus", "VCPU" }, { "Memory", "MEMORY" } };
    const JobContainers containers = job_containers(check->session->arena, check->definition->resource);
    const Value *wanted =
        containers.count == 0 ? NULL : object_get(containers.items[0].container, "ResourceRequirements");
    for (uint32_t n = 0; wanted != NULL && override_of(check->job, n) != NULL; n++) {
        for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
            const Value *old = object_get(override_of(check->job, n), WORDS[i][0]);
            for (uint32_t k = 0; old != NULL && k < object_count(wanted); k++) {
                if (str_is(object_text(object_get(wanted->list.items[k], "Type")), WORDS[i][1])) {
                    Diag *diag = say(check, old->span,
                                     str_format(check->session->arena,
                                                "has an entry `%s` of `resourceRequirements`, which this does not "
                                                "change",
                                                WORDS[i][1]));
                    diag_help(check->session, diag,
                              "write `\"resourceRequirements\": [{\"type\": \"%s\", \"value\": …}]`", WORDS[i][1]);
                }
            }
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static void check_job(Session *session, const PlanResource *job, const Plan *const *beside, uint32_t count) {
    SubmissionCheck check = { .session = session, .job = job, .beside = beside, .count = count };
    (void)check_name(&check, &QUEUE);
    check.definition = check_name(&check, &DEFINITION);
    if (check.definition != NULL) {
        check.name = name_in(object_text(property(job, DEFINITION.key)), &DEFINITION);
        check_parameters(&check);
        check_kinds(&check);
        check_overrides_of_nodes(&check);
        check_old_words(&check);
    }
}

void submissions_check(Session *session, const Plan *plan, const Plan *const *beside, uint32_t count) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->resources.count; k++) {
            if (str_is(raw->resources.items[k]->resource->type, SUBMITTED_JOB)) {
                check_job(session, raw->resources.items[k], beside, count);
            }
        }
    }
}
