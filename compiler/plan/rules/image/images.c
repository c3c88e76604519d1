// Rules about the image that a public parameter of AWS holds: whether the parameter exists, and whether its image fits
// the type. Of images that are given by their ids nothing is known.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/kubernetes_version.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/gpu_drivers.h"
#include "schema/operating_systems.h"

// A path of a parameter, and the nodes that start from its image.
typedef struct {
    ImageUse image;
    Str path;
    const ImageRow *own;      // the service's own image for the type; NULL: none, or nothing is known
    const PlanLaunch *launch; // whose user data may install drivers; NULL: not known
} PathUse;

static void report_meant(const Rules *rules, const PathUse *use, Str meant) {
    const Span span = use->image.image;
    Diag *diag = image_report(rules, &use->image, DIAG(parameter_not_there), STR_ARG(use->path));
    Str quoted = str_format(rules->session->arena, "\"%.*s\"", STR_ARG(meant));
    diag_help(rules->session, diag, "write `%.*s`", STR_ARG(quoted));
    rule_replace(rules, diag, span, use->path, meant);
}

static void report_drivers(const Rules *rules, const PathUse *use) {
    Diag *diag = image_report_drivers(rules, &use->image);
    if (use->own != NULL && use->own->note == NULL) {
        diag_help(rules->session, diag, "leave `ami` out: the service's own image has them, `%s`", use->own->parameter);
    }
}

// Says whether the branch of the driver in the image is at odds with the type.
static bool check_branch(const Rules *rules, const PathUse *use, Str name) {
    const Str version = image_kubernetes_version(name);
    const int minor = version.len == 0 ? 0 : plan_kubernetes_minor(version);
    Diag *diag = image_installs_drivers(rules->session->arena, use->launch)
                     ? NULL
                     : image_check_branch(rules, &use->image, name, minor);
    if (diag != NULL) {
        diag_help(rules->session, diag, "take an image of your own, with such a driver");
    }
    return diag != NULL;
}

// The path of the same image of EKS for a version in support and Amazon Linux 2023; empty where it is no path of EKS.
static Str eks_path_of_today(Arena *arena, Str path) {
    if (!str_starts_with(path, STR("/aws/service/eks/"))) {
        return STR_NONE;
    }
    const char *version = NULL;
    for (int i = 0; i < KUBERNETES_ROW_COUNT && version == NULL; i++) {
        version = plan_kubernetes_is_way_out(&KUBERNETES_ROWS[i]) ? KUBERNETES_ROWS[i].version : NULL;
    }
    const char *kind = str_has(path, "gpu") || str_has(path, "nvidia") ? "nvidia"
                       : str_has(path, "neuron")                       ? "neuron"
                                                                       : "standard";
    return version == NULL
               ? STR_NONE
               : str_format(arena, "/aws/service/eks/optimized-ami/%s/amazon-linux-2023/%s/%s/recommended/image_id",
                            version, str_has(path, "arm64") ? "arm64" : "x86_64", kind);
}

// The version in the path is no version of a cluster: its nodes may join a newer one, and get no more fixes.
static void report_old(const Rules *rules, const PathUse *use, const char *note) {
    Session *session = rules->session;
    const Str version = image_kubernetes_version(use->path);
    const Str today = eks_path_of_today(session->arena, use->path);
    Diag *diag = image_report(rules, &use->image, DIAG(image_old), STR_ARG(use->path));
    if (today.len > 0) {
        diag_help(session, diag, "take the image of your cluster's version, as `%.*s`", STR_ARG(today));
    }
    if (note != NULL) {
        diag_note(session, diag, "%s", note);
    }
    if (version.len > 0 && kubernetes_has_ended(version)) {
        diag_note(session, diag, "EKS has no cluster of Kubernetes %.*s any more, and makes no new image of it",
                  STR_ARG(version));
    }
    if (note != NULL && today.len > 0) {
        diag_note(
            session, diag,
            "nodes of Amazon Linux 2023 join by nodeadm, which reads a NodeConfig: they have no /etc/eks/bootstrap.sh");
    }
}

static void check_path(const Rules *rules, const PathUse *use) {
    Str meant;
    if (schema_parameter_meant(rules->session->arena, use->path, &meant)) {
        report_meant(rules, use, meant);
        return;
    }
    ParameterRow row;
    if (!schema_parameter(use->path, &row)) {
        check_branch(rules, use, use->path); // which the rows of drivers may know
        return;
    }
    const InstanceRow *type = use->image.type;
    if (image_check_architecture(rules, &use->image, row.architecture)) {
        return;
    }
    if (image_needs_drivers(type) && !image_installs_drivers(rules->session->arena, use->launch) &&
        row.drivers != UNKNOWN && row.drivers != (int)type->accelerator) {
        report_drivers(rules, use);
    } else if (!check_branch(rules, use, use->path) && row.note != NULL) {
        report_old(rules, use, row.note);
    }
}

// An image may be a chain: what is given at deployment, else the next.
static void check_image(const Rules *rules, const PlanNodes *nodes, const Value *image) {
    if (image->kind == VALUE_TAG && image->tag.arguments[0]->kind == VALUE_STRING) {
        const Value *path = image->tag.arguments[0];
        check_path(rules, &(PathUse){ .image = { .subject = nodes->head.subject,
                                                 .image = path->span,
                                                 .type = nodes->instance,
                                                 .type_span = nodes->instance_value->span },
                                      .path = path->string,
                                      .own = nodes->ami.row });
    } else if (image->kind == VALUE_LATE && image->late->kind == LATE_DEFAULT) {
        check_image(rules, nodes, image->late->parts[0]);
        check_image(rules, nodes, image->late->parts[1]);
    }
}

// The service's own image, where the author gives none.
void rule_driver_of_nodes(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const InstanceRow *type = nodes->instance;
    if (nodes->ami.given != NULL || type->accelerator != ACCELERATOR_NVIDIA) {
        return;
    }
    const bool is_eks = cluster->target == TARGET_EKS;
    const bool has_word = nodes->ami.row != NULL && nodes->ami.row->image_type != NULL;
    const Str name = is_eks     ? image_word_of_eks(cluster->os->string, type)
                     : has_word ? str_of(nodes->ami.row->image_type)
                                : STR_NONE;
    const int minor =
        is_eks && cluster->eks->version != NULL ? plan_kubernetes_minor(cluster->eks->version->string) : 0;
    const ImageUse use = {
        .subject = nodes->head.subject, .image = nodes->instance_value->span, .type = type, .type_span = SPAN_NONE
    };
    Diag *diag = image_check_branch(rules, &use, name, minor);
    if (diag == NULL) {
        return;
    }
    const Str newest = is_eks ? image_word_of_eks(STR("al2023"), type) : STR_NONE;
    if (newest.len > 0 && gpu_driver_at_odds(rules->session->arena, newest, minor, type) == 0) {
        diag_help(rules->session, diag, "write `os = al2023`, whose image has one that works");
    } else {
        diag_help(rules->session, diag, "build an image with such a driver, and give it as `ami`");
    }
}

// The `ami` of a cluster of ParallelCluster is that of its groups, too.
static bool has_own_image(const PlanNodes *nodes) {
    return nodes->ami.given != NULL || nodes->cluster->ami != NULL;
}

void rule_driver_of_slurm(const Rules *rules, const PlanNodes *nodes) {
    if (!has_own_image(nodes)) {
        image_check_parallelcluster(rules, nodes->head.subject, nodes->instance_value->span, nodes->instance);
    }
}

// What a script that is fetched does, dtc cannot read.
static bool may_install_neuron(const PlanNodes *nodes) {
    bool may = false;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        may = may || script->text.len == 0 || script->is_fetching || str_has(script->text, "aws-neuronx-dkms");
    }
    return may;
}

void rule_neuron_of_slurm(const Rules *rules, const PlanNodes *nodes) {
    static const char HELP[] =
        "give the cluster an image with aws-neuronx-dkms as `ami`, or install the package by a script in `setup`";
    if (!has_own_image(nodes) && !may_install_neuron(nodes)) {
        image_check_neuron(rules, nodes->head.subject, nodes->instance_value->span, nodes->instance, HELP);
    }
}

void rule_public_image(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->ami.given != NULL) {
        check_image(rules, nodes, nodes->ami.given);
    }
}

// The path that `{{resolve:ssm:PATH}}` of CloudFormation or `resolve:ssm:PATH` of EC2 looks up, which may have a version
// behind it, or that stands there as a text; empty of another image.
// source: EC2 User Guide, Use a Systems Manager parameter instead of an AMI ID in launch templates, read 2026-11
static Str path_of(const PlanField *image) {
    static const char *const STARTS[] = { "{{resolve:ssm:", "resolve:ssm:" };
    const Str text = image->state == FIELD_KNOWN ? image->text : STR_NONE;
    if (str_starts_with(text, STR("/aws/service/"))) {
        return text;
    }
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        const Str rest = str_slice(text, strlen(STARTS[i]), text.len);
        const size_t colon = str_find(rest, STR(":"), 0);
        const size_t end = str_find(rest, STR("}}"), 0);
        if (str_starts_with(text, str_of(STARTS[i]))) {
            return str_slice(rest, 0, colon < end ? colon : end);
        }
    }
    return STR_NONE;
}

// Karpenter's "al2023@v20260917" is the image of EKS with drivers for the type.
// source: Karpenter documentation, NodeClasses, spec.amiSelectorTerms, read 2026-11
static void check_alias(const Rules *rules, const PathUse *use, Str alias) {
    const Str system = str_slice(alias, 0, str_find(alias, STR("@"), 0));
    const InstanceRow *type = use->image.type;
    if (system.len < alias.len && type != NULL) {
        check_branch(rules, use, image_word_of_eks(system, type));
    }
}

// What it starts as may be known, or not.
static void check_field(const Rules *rules, const Subject *subject, const PlanGroup *group, const PlanField *image,
                        const PlanTypes *types, const PlanLaunch *launch) {
    PathUse use = { .image = { .subject = subject, .group = group, .image = rule_span(image) },
                    .path = path_of(image),
                    .launch = launch };
    for (uint32_t i = 0; use.path.len == 0 && i < types->count; i++) {
        use.image.type = types->items[i].row;
        use.image.type_span = rule_span(&types->items[i].field);
        check_alias(rules, &use, image->text);
    }
    if (use.path.len == 0) {
        return;
    }
    if (use.path.len == image->text.len) {
        Diag *diag = plan_report(rules->session, subject, rule_span(image), DIAG(image_is_path));
        rule_label_use(rules, diag, image);
        rule_write_at(rules, diag, image->is_own ? rule_span(image) : SPAN_NONE, image->text,
                      str_format(rules->session->arena, "{{resolve:ssm:%.*s}}", STR_ARG(image->text)));
    }
    const Str version = image_kubernetes_version(use.path);
    if (!kubernetes_has_ended(version)) {
        kubernetes_check_version(rules, subject, use.image.image, version);
    }
    if (types->count == 0) {
        check_path(rules, &use);
    }
    for (uint32_t i = 0; i < types->count; i++) {
        use.image.type = types->items[i].row;
        use.image.type_span = rule_span(&types->items[i].field);
        check_path(rules, &use);
    }
    if (kubernetes_has_ended(version)) {
        report_old(rules, &use, NULL);
    }
}

void rule_group_image(const Rules *rules, const PlanGroup *group) {
    const PlanLaunch *launch = group->launch;
    if (launch->form == FORM_RESOURCE) {
        check_field(rules, launch->subject, group, &launch->image, group_image_types(group), launch);
    }
}

void rule_batch_own_image(const Rules *rules, const PlanGroup *group) {
    static const PlanTypes NONE = { 0 };
    if (group->batch != NULL) {
        const PlanTypes *types = group->has_other_types ? &NONE : &group->types;
        check_field(rules, group->subject, NULL, &group->batch->own_image, types, group->launch);
    }
}

// ---- the operating system --------------------------------------------------------------------------------------

// An image of the group's own may be of any version. ParallelCluster starts its nodes by what it brought into the
// image.
static bool has_service_image(const PlanCluster *cluster) {
    bool has_one = cluster->nodes.count == 0 || cluster->target == TARGET_PARALLELCLUSTER;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        has_one = has_one || cluster->nodes.items[i]->ami.given == NULL;
    }
    return has_one;
}

static bool has_images(const PlanCluster *cluster, const SystemRow *row) {
    if (row == NULL || cluster->eks == NULL || cluster->eks->version == NULL) {
        return true;
    }
    const int asked = plan_kubernetes_minor(cluster->eks->version->string);
    return (row->first == UNKNOWN || asked >= row->first) && (row->last == UNKNOWN || asked <= row->last);
}

static void report_no_images(const Rules *rules, const PlanCluster *cluster, const SystemRow *row) {
    const Value *version = cluster->eks->version;
    const bool is_late = row->last != UNKNOWN && plan_kubernetes_minor(version->string) > row->last;
    Diag *diag = plan_report(rules->session, cluster->head.subject, cluster->os->span, DIAG(version_without_image),
                             STR_ARG(cluster->os->string), STR_ARG(version->string));
    diag_label(rules->session, diag, version->span, "1.%d is the %s with images", is_late ? row->last : row->first,
               is_late ? "last" : "first");
    diag_help(rules->session, diag, "write `os = al2023`");
}

// What Batch says of a system whose support has ended is rule service_image's.
void rule_system_of_nodes(const Rules *rules, const PlanCluster *cluster) {
    const bool is_eks = cluster->target == TARGET_EKS;
    if ((!is_eks && cluster->target != TARGET_PARALLELCLUSTER) || !has_service_image(cluster)) {
        return;
    }
    const OperatingSystem *system = operating_system(cluster->os->string);
    const SystemRow *row = is_eks ? schema_system(cluster->os->string) : NULL;
    if (!has_images(cluster, row)) {
        report_no_images(rules, cluster, row);
        return;
    }
    Diag *diag = image_check_support(rules, cluster->head.subject, cluster->os->span, system, system->os);
    if (diag != NULL) {
        const bool has_no_images = is_eks && system->eks_images_ended != NULL;
        diag_note(rules->session, diag, "%s is out of support since %s%s%s", system->title, system->ended,
                  has_no_images ? ", and EKS has made no images of it since " : "",
                  has_no_images ? system->eks_images_ended : "");
        diag_help(rules->session, diag, "write `os = al2023`");
    }
}

// ---- the root volume -------------------------------------------------------------------------------------------

// The least volume that the service's own image takes, in GiB; 0 where nothing is known.
static int least_disk(const PlanCluster *cluster) {
    const OperatingSystem *system = operating_system(cluster->os->string);
    return cluster->target == TARGET_BATCH             ? system->batch_disk_gib
           : cluster->target == TARGET_EKS             ? system->eks_disk_gib
           : cluster->target == TARGET_PARALLELCLUSTER ? LIMIT_SLURM_DISK_GIB_MIN
                                                       : 0;
}

static void check_disk(const Rules *rules, const PlanCluster *cluster, const Subject *subject, Str name,
                       const Value *disk) {
    const int64_t gib = INT64_C(1) << 30;
    const int least = least_disk(cluster);
    if (disk == NULL || disk->integer >= least * gib) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, disk->span, DIAG(disk_below_image), disk->integer / gib,
                             STR_ARG(name), (int64_t)least);
    diag_help(rules->session, diag, "write `disk = %dGiB` or more, or leave it out", least);
}

void rule_disk_of_image(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->ami.given == NULL && nodes->cluster->ami == NULL) {
        check_disk(rules, nodes->cluster, nodes->head.subject, nodes->head.id, nodes->root.size);
    }
}

void rule_disk_of_head(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->slurm->head_node != NULL && cluster->ami == NULL) {
        check_disk(rules, cluster, cluster->slurm->head_node->head.subject, STR("head"),
                   cluster->slurm->head_node->disk);
    }
}
