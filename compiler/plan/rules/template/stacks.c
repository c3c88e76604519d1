// Rules about whole stacks: their names in the account, and what an author adds to them.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/part_files.h"

// CloudFormation API Reference, CreateStack, StackName: a letter, then letters, digits and dashes.
static bool is_stack_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && (i == 0 || (c != '-' && (c < '0' || c > '9')))) {
            return false;
        }
    }
    return name.len > 0 && name.len <= LIMIT_STACK_NAME_MAX;
}

// ---- extras ----------------------------------------------------------------------------------------------------

static void report_extra(const Rules *rules, const PlanPart *part, Span span, const char *what) {
    plan_report(rules->session, part->subject, span, DIAG(no_stack_for_extras), STR_ARG(part->name), what);
}

static void check_patches(const Rules *rules, const PlanPart *part, unsigned files) {
    const unsigned plain = plan_files_of_plain_patch(files);
    const bool has_several = (plain & (plain - 1)) != 0;
    for (uint32_t k = 0; k < part->patches.count; k++) {
        const BlockPatch *patch = &part->patches.items[k];
        if (files == 0) {
            report_extra(rules, part, patch->path_span, "patch");
        } else if (patch->file.len > 0 && (plan_file_named(patch->file) & files) == 0) {
            plan_report(rules->session, part->subject, patch->file_span, DIAG(patch_file), STR_ARG(part->name),
                        STR_ARG(patch->file));
        } else if (patch->file.len == 0 && has_several) {
            Diag *diag = plan_report(rules->session, part->subject, patch->path_span, DIAG(patch_of_several),
                                     STR_ARG(part->name));
            diag_help(rules->session, diag, "write `patch eksctl { … }` or `patch cfn { … }`");
        }
    }
}

// A type of CloudFormation's has `::`, one of Kubernetes never.
static unsigned file_of(const Resource *resource, unsigned files) {
    const bool is_object = str_find(resource->type, STR("::"), 0) == resource->type.len;
    return is_object && (files & FILE_K8S) != 0 ? FILE_K8S : FILE_CFN;
}

// The file of a job is applied again for each run; what it needs beside itself is the cluster's, which is applied before.
static void report_object_of_job(const Rules *rules, const PlanPart *part, const Resource *resource) {
    const PlanHead *cluster = &part->cluster->head;
    Diag *diag = report(rules->session, resource->span, DIAG(object_of_job), STR_ARG(part_root(part)->name));
    diag_label(rules->session, diag, cluster->subject->name_span, "its cluster");
    diag_help(rules->session, diag, "put the `resource` into `cluster %.*s`: it is applied before the jobs",
              STR_ARG(cluster->id));
}

static void check_extras(const Rules *rules, const PlanPart *part, unsigned files) {
    for (uint32_t k = 0; k < part->outputs.count && (files & FILE_CFN) == 0; k++) {
        report_extra(rules, part, part->outputs.items[k].span, "output");
    }
    for (uint32_t k = 0; k < part->resources.count; k++) {
        const Resource *resource = part->resources.items[k];
        const unsigned file = file_of(resource, files);
        if ((file & files) == 0) {
            report_extra(rules, part, resource->span, "resource");
        } else if (file == FILE_K8S && part_is(part_root(part), KIND_JOB)) {
            report_object_of_job(rules, part, resource);
        }
    }
    check_patches(rules, part, files);
}

void rule_extras(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        const PlanPart *root = part_root(part);
        const PlanCluster *cluster = part_is(root, KIND_CLUSTER) ? root->cluster : NULL;
        // A group that is left out may bring a stack.
        const bool lacks_parts = cluster != NULL && cluster->target == TARGET_EKS && cluster->lacks_parts;
        // Which files a cluster has is asked of all its groups.
        const bool has_any = part->outputs.count + part->resources.count + part->patches.count > 0;
        if (has_any && !part->is_used && !lacks_parts) {
            check_extras(rules, part, plan_files_of(root));
        }
    }
}

// ---- parts -----------------------------------------------------------------------------------------------------

static bool are_too_many(const Rules *rules, const PlanPart *part, size_t count, const char *what,
                         enum ConstantId most) {
    if ((int64_t)count <= schema_constant(most)) {
        return false;
    }
    Diag *diag = plan_report(rules->session, part->subject, part->subject->name_span, DIAG(template_too_many),
                             STR_ARG(part->name), count, what, schema_constant(most));
    diag_help(rules->session, diag, "split the block into two, each with a stack of its own");
    return true;
}

// Each is a resource of the template, and most bring others along: what cannot fit is not worked out first.
void rule_parts(const Rules *rules, const PlanCluster *cluster) {
    const PlanPart *part = cluster->head.part;
    if (!are_too_many(rules, part, cluster->nodes.count, "groups of nodes", CONSTANT_TEMPLATE_RESOURCES_MAX)) {
        are_too_many(rules, part, cluster->jobs.count, "jobs", CONSTANT_TEMPLATE_RESOURCES_MAX);
    }
}

void rule_outputs_and_resources(const Rules *rules, const PlanPart *part) {
    are_too_many(rules, part, part->outputs.count, "outputs", CONSTANT_TEMPLATE_OUTPUTS_MAX);
    are_too_many(rules, part, part->resources.count, "resources", CONSTANT_TEMPLATE_RESOURCES_MAX);
}

// CloudFormation has no output that may be missing.
void rule_outputs_are_there(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->outputs.count; i++) {
        const BlockOutput *output = &part->outputs.items[i];
        if (value_may_be_null(output->value)) {
            Diag *diag =
                report(rules->session, output->span, DIAG(late_optional), str_c(rules->session->arena, output->name));
            diag_help(rules->session, diag, "say what the output is without it: `… ?? \"none\"`");
        }
    }
}

// ---- names -----------------------------------------------------------------------------------------------------

typedef struct {
    StrMap deployed; // stack in the account -> PlanHead
    StrMap clusters; // cluster on EKS -> PlanHead
    StrMap files;    // "lab.cfn.yaml" -> PlanHead
} Names;

static bool check_file(const Rules *rules, Names *names, const PlanHead *head, Str file) {
    const PlanHead *other = str_map_add(&names->files, file, head);
    if (other != NULL) {
        Diag *diag =
            plan_report(rules->session, head->subject, head->subject->name_span, DIAG(file_twice), STR_ARG(file));
        diag_label(rules->session, diag, other->subject->name_span, "first here");
        diag_help(rules->session, diag, "rename one of them");
    }
    return other == NULL;
}

static void check_deployed(const Rules *rules, StrMap *deployed, const PlanHead *head, Str name) {
    const PlanHead *other = str_map_add(deployed, name, head);
    if (other != NULL) {
        Diag *diag =
            plan_report(rules->session, head->subject, head->name->span, DIAG(stack_name_twice), STR_ARG(name));
        diag_label(rules->session, diag, other->name->span, "first here");
        diag_help(rules->session, diag, "give one of them another `name`");
    }
}

static const char NAME_HELP[] = "give the block a `name` of letters, digits and dashes, with a letter first";

// `stack` is what the stack is called, or would be.
static bool has_good_name(const Rules *rules, const PlanHead *head, Str stack, const char *help) {
    const bool is_good = is_stack_name(stack);
    if (!is_good) {
        Diag *diag = plan_report(rules->session, head->subject, head->name->span, DIAG(bad_stack_name),
                                 STR_ARG(head->name->string));
        diag_help(rules->session, diag, "%s", help);
    }
    return is_good;
}

// `suffix` is of the file and of the stack: "-nodes" of what follows a cluster on EKS, "-access" before ParallelCluster.
static void check_stack(const Rules *rules, Names *names, const PlanHead *head, Str name, const char *suffix) {
    Arena *arena = rules->session->arena;
    const Str file = str_format(arena, "%.*s%s.cfn.yaml", STR_ARG(head->id), suffix);
    const Str stack = str_format(arena, "%.*s%s", STR_ARG(name), suffix);
    if (check_file(rules, names, head, file) && has_good_name(rules, head, stack, NAME_HELP)) {
        check_deployed(rules, &names->deployed, head, stack);
    }
}

// What nodes of ParallelCluster read and write stands in a stack of its own, in front of the cluster.
static bool has_access_stack(Arena *arena, const PlanCluster *cluster) {
    bool has_access = false;
    for (uint32_t i = 0; cluster->target == TARGET_PARALLELCLUSTER && i < cluster->nodes.count; i++) {
        has_access = has_access || plan_nodes_have_policy(arena, cluster->nodes.items[i]);
    }
    return has_access;
}

// ParallelCluster makes a stack of the cluster's name, and eksctl `eksctl-NAME-cluster`. The name of a cluster on EKS
// may begin with a digit and hold `_` (EKS API Reference, CreateCluster, name, 2026-11). No stack may, so that eksctl
// refuses the `_` (eksctl@99984adb, IsInvalidNameArg); the stack of ours behind a cluster gets a name of its own.
static void check_cluster_names(const Rules *rules, Names *names, const PlanCluster *cluster) {
    Arena *arena = rules->session->arena;
    const PlanHead *head = &cluster->head;
    const unsigned files = plan_files_of_cluster(cluster);
    const Str name = head->name->string;
    if ((files & FILE_EKSCTL) != 0) {
        const Str stack = plan_eksctl_stack(arena, name);
        if (!has_good_name(
                rules, head, stack,
                "eksctl calls its stack after the cluster: give that a `name` of letters, digits and dashes")) {
            return;
        }
        check_deployed(rules, &names->clusters, head, name);
    }
    if ((files & FILE_CFN) != 0) {
        const bool is_of_eks = cluster->target == TARGET_EKS;
        check_stack(rules, names, head, is_of_eks ? plan_eks_stack_name(arena, name) : name,
                    (files & FILE_EKSCTL) != 0 ? "-nodes" : "");
    }
    if ((files & FILE_PCLUSTER) != 0 && has_good_name(rules, head, name, NAME_HELP)) {
        check_deployed(rules, &names->deployed, head, name);
    }
    if (has_access_stack(arena, cluster)) {
        check_stack(rules, names, head, name, PLAN_ACCESS_SUFFIX);
    }
}

// The scripts and objects of jobs, the objects of clusters, and the scripts in which nodes measure each other.
static void check_scripts(const Rules *rules, Names *names, const PlanCluster *cluster) {
    Arena *arena = rules->session->arena;
    if (cluster->eks != NULL) {
        check_file(rules, names, &cluster->head, str_format(arena, "%.*s.k8s.yaml", STR_ARG(cluster->head.id)));
    }
    for (uint32_t i = 0; cluster->slurm != NULL && i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (nodes->validate != NULL && nodes->validate->first_job > 0) {
            check_file(rules, names, &nodes->head,
                       str_format(arena, "%.*s-%.*s.sbatch", STR_ARG(cluster->head.id), STR_ARG(nodes->head.id)));
        }
    }
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        if (job->slurm != NULL || job->eks != NULL) {
            check_file(rules, names, &job->head,
                       str_format(arena, "%.*s.%s", STR_ARG(job->head.id), job->slurm != NULL ? "sbatch" : "k8s.yaml"));
        }
    }
}

void rule_names(const Rules *rules) {
    Arena *arena = rules->session->arena;
    Names names = { .deployed = { .arena = arena }, .clusters = { .arena = arena }, .files = { .arena = arena } };
    for (uint32_t i = 0; i < rules->plan->networks.count; i++) {
        const PlanNetwork *network = rules->plan->networks.items[i];
        if (network->mode == NETWORK_MADE && !network->is_used_module) {
            check_stack(rules, &names, &network->head, network->head.name->string, "");
        }
    }
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        check_cluster_names(rules, &names, rules->plan->clusters.items[i]);
        check_scripts(rules, &names, rules->plan->clusters.items[i]);
    }
    // A job that is left out for a mistake may be why an image has no cluster to stand in.
    for (uint32_t i = 0; i < rules->plan->images.count && !plan_lacks_parts(rules->plan); i++) {
        const PlanImage *image = rules->plan->images.items[i];
        if (image->owner == NULL && !image->is_existing && image->maker == image && !image->head.part->is_used) {
            check_stack(rules, &names, &image->head, image->head.name->string, "");
        }
    }
    for (uint32_t i = 0; i < rules->plan->buckets.count; i++) {
        const PlanBucket *bucket = rules->plan->buckets.items[i];
        if (bucket->existing == NULL) {
            check_stack(rules, &names, &bucket->head, bucket->head.name->string, "");
        }
    }
}
