// Rules about texts that a service takes as names: the user of a container, placement groups, clusters on EKS and AWS
// PCS. A text that is put together is judged as a whole, a late param by its default.
#include "compiler/plan/rules/rule_written.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

static bool is_visible(char c) {
    return c > ' ' && c <= '~';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// ---- what each place takes; NULL where nothing is wrong ---------------------------------------------------------

static bool is_number(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
    }
    return text.len > 0;
}

// moby/sys user, GetExecUser: ids are 0 to 2147483647, 2026-11.
static bool is_beyond_ids(Str part) {
    const Str most = STR("2147483647");
    if (str_at(part, 0) == '-') {
        return is_number(str_slice(part, 1, part.len));
    }
    return is_number(part) && (part.len > most.len || (part.len == most.len && str_compare(part, most) > 0));
}

// `user`, `user:group`, or the ids of both: ECS API Reference, ContainerDefinition, user, 2026-11.
const char *rules_user_fault(Str text) {
    const size_t colon = str_find(text, STR(":"), 0);
    const Str user = str_slice(text, 0, colon);
    const Str group = str_slice(text, colon + 1, text.len);
    for (size_t i = 0; i < text.len; i++) {
        if (!is_visible(text.data[i])) {
            return "a user has no blanks and no letters outside of ASCII";
        }
    }
    if (user.len == 0 || (colon < text.len && group.len == 0)) {
        return text.len == 0 ? "it is empty" : "a name is missing beside the `:`";
    }
    if (str_find(group, STR(":"), 0) < group.len) {
        return "`user:group` has one `:`";
    }
    return is_beyond_ids(user) || is_beyond_ids(group) ? "ids are 0 to 2147483647" : NULL;
}

// The texts of faults below have these numbers.
_Static_assert(LIMIT_PLACEMENT_NAME_CHARACTERS_MAX == 255, "placement_fault()");
_Static_assert(LIMIT_EKS_CLUSTER_NAME_MAX == 100, "eks_fault()");
_Static_assert(LIMIT_PCS_NAME_MIN == 3 && LIMIT_PCS_CLUSTER_NAME_MAX == 40, "pcs_cluster_fault()");
_Static_assert(LIMIT_PCS_GROUP_NAME_MAX == 25, "pcs_group_fault()");
_Static_assert(LIMIT_TAG_VALUE_CHARACTERS_MAX == 256, "prefix_fault()");
_Static_assert(LIMIT_LUSTRE_MOUNT_NAME_MAX == 8, "mount_name_fault()");

// EC2 API Reference, CreatePlacementGroup, GroupName, 2026-11.
static const char *placement_fault(Str text) {
    if (text.len == 0) {
        return "it is empty";
    }
    for (size_t i = 0; i < text.len; i++) {
        if (!is_visible(text.data[i]) && text.data[i] != ' ') {
            return "only ASCII characters are taken";
        }
    }
    return text.len > LIMIT_PLACEMENT_NAME_CHARACTERS_MAX ? "255 characters are the most" : NULL;
}

// EKS API Reference, CreateCluster, name, 2026-11. Dots and blanks are refused with the name of the stack.
static const char *eks_fault(Str text) {
    if (text.len > 0 && !is_word(text.data[0])) {
        return "it begins with a letter or a digit";
    }
    return text.len > LIMIT_EKS_CLUSTER_NAME_MAX ? "100 characters are the most" : NULL;
}

// AWS PCS API Reference, CreateCluster, clusterName, 2026-11. Which characters it may have is as for the name of a
// stack.
static const char *pcs_cluster_fault(Str text) {
    return text.len < LIMIT_PCS_NAME_MIN || text.len > LIMIT_PCS_CLUSTER_NAME_MAX ? "3 to 40 characters are taken"
                                                                                  : NULL;
}

// AWS PCS API Reference, CreateComputeNodeGroup and CreateQueue, 2026-11.
static const char *pcs_group_fault(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
        if (i == 0 && (is_digit || !is_word(text.data[i]))) {
            return "it begins with a letter";
        }
        if (!is_word(text.data[i]) && text.data[i] != '-') {
            return "letters, digits and hyphens are taken";
        }
    }
    return text.len < LIMIT_PCS_NAME_MIN || text.len > LIMIT_PCS_GROUP_NAME_MAX ? "3 to 25 characters are taken" : NULL;
}

// Becomes a part of the tag `Name`. eksctl@99984adb, pkg/cfn/builder, generateNodeName, 2026-08.
static const char *prefix_fault(Str text) {
    return text.len > LIMIT_TAG_VALUE_CHARACTERS_MAX ? "a tag has 256 characters at most" : NULL;
}

// FSx API Reference, LustreFileSystemConfiguration, MountName, 2026-11.
static const char *mount_name_fault(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (!is_word(text.data[i]) && text.data[i] != '_' && text.data[i] != '-') {
            return "letters, digits, `_` and `-` are taken";
        }
    }
    return text.len == 0 || text.len > LIMIT_LUSTRE_MOUNT_NAME_MAX ? "1 to 8 characters are taken" : NULL;
}

typedef struct {
    const KindRow *kind;
    int attribute;
    const char *what;
    const char *(*fault)(Str text);
    const char *help;
} NameRow;

static const NameRow ROWS[] = {
    { &KIND_ROWS[KIND_JOB], JOB_USER, "the user of a container", rules_user_fault,
      "write `\"user\"`, `\"user:group\"`, or their ids" },
    { &KIND_ROWS[KIND_NODES], NODES_PLACEMENT, "the name of a placement group", placement_fault,
      "write the name as describe-placement-groups prints it" },
    { &KIND_ROWS[KIND_NODES], NODES_INSTANCE_PREFIX, "what names of instances begin with", prefix_fault,
      "write a shorter one" },
    { &KIND_ROWS[KIND_STORAGE], STORAGE_MOUNT_NAME, "the mount name of a file system", mount_name_fault,
      "write the MountName that describe-file-systems prints" },
};

// ---- the rules -------------------------------------------------------------------------------------------------

// A default stands in no part: where it is declared is shown, and the use beside it.
static void check_value(const Rules *rules, const Subject *subject, const NameRow *row, const Value *value) {
    Str text;
    if (value->kind == VALUE_LATE && (value->late->kind == LATE_IF || value->late->kind == LATE_DEFAULT)) {
        for (uint32_t i = value->late->kind == LATE_IF ? 1 : 0; i < value->late->part_count; i++) {
            check_value(rules, subject, row, value->late->parts[i]);
        }
        return;
    }
    const bool is_text = value->kind == VALUE_STRING || value->kind == VALUE_LATE;
    if (!is_text || !value_text_by_default(rules->session->arena, value, &text) || row->fault(text) == NULL) {
        return;
    }
    const bool is_default = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    const Span span = is_default ? value->late->param->initial->span : value->span;
    Diag *diag = rule_bad_name(rules, subject, span, text, row->what, row->fault(text));
    if (is_default) {
        diag_primary_label(rules->session, diag, "the default of `%.*s`", STR_ARG(value->late->param->name));
        diag_label(rules->session, diag, subject_key(subject, row->attribute), "used here");
    }
    diag_help(rules->session, diag, "%s", row->help);
}

void rule_names_of_services(const Rules *rules, const PlanPart *part) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Value *value = part->kind == ROWS[i].kind ? subject_value(part->subject, ROWS[i].attribute) : NULL;
        if (value != NULL) {
            check_value(rules, part->subject, &ROWS[i], value);
        }
    }
}

void rule_name_of_eks(const Rules *rules, const PlanCluster *cluster) {
    const NameRow row = { .attribute = CLUSTER_NAME,
                          .what = "the name of a cluster on EKS",
                          .fault = eks_fault,
                          .help = "give the cluster another `name`" };
    if (cluster->eks->existing == NULL) {
        check_value(rules, cluster->head.subject, &row, cluster->head.name);
    }
}

void rule_pcs_names(const Rules *rules, const PlanCluster *cluster) {
    const NameRow row = { .attribute = CLUSTER_NAME,
                          .what = "the name of a cluster on AWS PCS",
                          .fault = pcs_cluster_fault,
                          .help = "give the cluster another `name`" };
    check_value(rules, cluster->head.subject, &row, cluster->head.name);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const NameRow group = { .what = "the name of a compute node group and of a queue",
                                .fault = pcs_group_fault,
                                .help = "give the group another name" };
        check_value(rules, nodes->head.subject, &group, nodes->head.name);
    }
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        const PlanHead *head = &cluster->queues.items[i]->head;
        const NameRow queue = { .what = "the name of a queue of AWS PCS",
                                .fault = pcs_group_fault,
                                .help = "give the queue another name" };
        check_value(rules, head->subject, &queue, head->name);
    }
}
