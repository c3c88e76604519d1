// Rules about a launch template and the image that its nodes start from: what the image has, and where. The image stands
// in the template, or the service that launches the nodes has one of its own.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/user_data_text.h"

// ---- programs ------------------------------------------------------------------------------------------------------

typedef struct {
    ImageGone gone;
    const char *others[2]; // a script that has one of these, too, may choose between the two; none: it does not
} GoneRow;

static const GoneRow GONE[] = {
    { { "/etc/eks/bootstrap.sh", "has nodeadm", "write a NodeConfig: `apiVersion: node.eks.aws/v1alpha1`" }, { NULL } },
    { { "amazon-linux-extras", "has dnf", "install the package by `dnf install`" }, { "dnf" } },
    { { "apt-get", "has dnf", "install the package by `dnf install`" }, { "dnf", "yum" } },
};

static const ImageGone DOCKER = {
    "Docker on EKS", "has containerd",
    "set up containerd: `spec.containerd.config` of a NodeConfig in `overrideBootstrapCommand`"
};

static const ImageGone DOCKER_OF_TEMPLATE = { "Docker on EKS", "has containerd",
                                              "set up containerd: `spec.containerd.config` of a NodeConfig" };

// Of Amazon Linux 2 until Kubernetes 1.24. Images of ECS have Docker on Amazon Linux 2023, too.
// source: awslabs/amazon-eks-ami@81fec2e8 templates/al2023 installs containerd alone, 2026-07, read 2026-11
static const char *const STARTS_OF_DOCKER[] = {
    "systemctl restart docker", "systemctl start docker",        "systemctl reload docker", "systemctl enable docker",
    "service docker restart",   "systemctl enable --now docker", "service docker start",
};

static bool has_choice(Str text, const char *const others[2]) {
    for (size_t i = 0; i < 2 && others[i] != NULL; i++) {
        if (str_find(text, str_of(others[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

const ImageGone *image_gone_program(Arena *arena, Str script, size_t *at) {
    for (size_t i = 0; i < COUNT_OF(GONE); i++) {
        const char *program = GONE[i].gone.program;
        *at = str_has(script, program) ? shell_runs(arena, script, str_of(program)) : script.len;
        if (*at < script.len && !has_choice(shell_text(arena, script, SHELL_RUN), GONE[i].others)) {
            return &GONE[i].gone;
        }
    }
    return NULL;
}

void image_report_gone(const Rules *rules, const Subject *subject, Span place, const ImageGone *gone, Span system,
                       const char *what) {
    Diag *diag = plan_report(rules->session, subject, place, DIAG(bootstrap_gone), gone->program);
    diag_label(rules->session, diag, system, "%s%s", what, gone->instead);
    diag_help(rules->session, diag, "%s", gone->help);
}

// Of a launch whose image is named, or is the default of eksctl.
static void report_gone(const Rules *rules, const PlanLaunch *launch, const PlanField *image, size_t at,
                        const ImageGone *gone) {
    const bool is_default = span_is_none(rule_span(image));
    image_report_gone(rules, launch->subject, user_data_place_in(rules, &launch->user_data, at), gone,
                      is_default ? launch->subject->name_span : rule_span(image),
                      is_default ? "has Amazon Linux 2023, which " : "");
}

// From a row of GONE on.
static void check_programs(const Rules *rules, const PlanLaunch *launch, const PlanField *image, size_t first) {
    const PlanUserData *data = &launch->user_data;
    for (size_t i = first; image_is_al2023(image) && i < COUNT_OF(GONE); i++) {
        const char *program = GONE[i].gone.program;
        const size_t found = str_has(data->written, program)
                                 ? user_data_runs(rules->session->arena, data, str_of(program))
                                 : data->written.len;
        if (found < data->written.len &&
            !has_choice(user_data_shell(rules->session->arena, data, SHELL_RUN), GONE[i].others)) {
            report_gone(rules, launch, image, found, &GONE[i].gone);
        }
    }
}

static bool brings_docker(Str text) {
    for (size_t at = 0; at < text.len; at = shell_next_line(text, at)) {
        const Str line = shell_line(text, at);
        if ((str_has(line, "install") && str_has(line, "docker")) || str_has(line, "get.docker.com") ||
            str_has(line, "docker.service")) {
            return true;
        }
    }
    return false;
}

// eksctl's groups are nodes of EKS alone, and so is what starts from its images.
static bool is_of_eks(const PlanLaunch *launch) {
    return (launch->form == FORM_EKSCTL && field_is(&launch->image, "AmazonLinux2023")) ||
           (image_is_al2023(&launch->image) && field_has(&launch->image, "/aws/service/eks/"));
}

static void check_docker(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const bool is_read = is_of_eks(launch) && str_has(data->written, "docker") &&
                         !brings_docker(user_data_shell(rules->session->arena, data, SHELL_KEPT));
    const Str sure = is_read ? user_data_shell(rules->session->arena, data, SHELL_SURE) : STR_NONE;
    const size_t run = is_read ? user_data_runs(rules->session->arena, data, STR("docker")) : data->written.len;
    size_t first = run < sure.len ? run : sure.len;
    for (size_t i = 0; i < COUNT_OF(STARTS_OF_DOCKER); i++) {
        const size_t found = str_find(sure, str_of(STARTS_OF_DOCKER[i]), 0);
        first = found < first ? found : first;
    }
    if (first < sure.len) {
        report_gone(rules, launch, &launch->image, first, launch->form == FORM_EKSCTL ? &DOCKER : &DOCKER_OF_TEMPLATE);
    }
}

// What the script of Amazon Linux 2 was told by its environment.
// source: awslabs/amazon-eks-ami templates/al2/runtime/bootstrap.sh, read 2026-11
static const char *const VARIABLES_OF_AL2[] = { "USE_MAX_PODS", "KUBELET_EXTRA_ARGS", "BOOTSTRAP_EXTRA_ARGS" };

// Where a line of a script, or of a file that it writes, sets the variable, and nothing there uses it; else the length.
static size_t unread_at(Str text, Str name) {
    for (size_t found = str_find(text, name, 0); found < text.len; found = str_find(text, name, found + 1)) {
        const char before = found == 0 ? '\n' : text.data[found - 1];
        const bool is_use = before == '$' || before == '{';
        if (is_use) {
            return text.len;
        }
    }
    for (size_t at = 0; at < text.len; at = shell_next_line(text, at)) {
        Str line = shell_trimmed_line(text, at);
        line = str_starts_with(line, STR("export ")) ? str_trim(str_slice(line, 7, line.len)) : line;
        if (str_starts_with(line, name) && str_at(line, name.len) == '=') {
            return at;
        }
    }
    return text.len;
}

static void check_variables(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const bool is_read = image_is_al2023(&launch->image) && field_has(&launch->image, "/aws/service/eks/");
    for (size_t i = 0; is_read && i < COUNT_OF(VARIABLES_OF_AL2); i++) {
        const Str name = str_of(VARIABLES_OF_AL2[i]);
        const size_t at = str_has(data->written, VARIABLES_OF_AL2[i])
                              ? unread_at(user_data_shell(rules->session->arena, data, SHELL_KEPT), name)
                              : data->written.len;
        if (at < data->written.len) {
            Diag *diag = plan_report(rules->session, launch->subject, user_data_place(rules, data, at),
                                     DIAG(unread_variable), VARIABLES_OF_AL2[i]);
            diag_label(rules->session, diag, rule_span(&launch->image), "has nodeadm");
            diag_help(rules->session, diag,
                      i == 0 ? "write `maxPods` in `spec.kubelet.config` of a NodeConfig"
                             : "write `flags` in `spec.kubelet` of a NodeConfig");
        }
    }
}

// An edit of the script that is not there. Who names it twice may ask for it first.
static void check_edit(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str program = str_of(GONE[0].gone.program);
    const bool is_read = image_is_al2023(&launch->image) && str_has(data->written, GONE[0].gone.program);
    const Str text = is_read ? user_data_shell(rules->session->arena, data, SHELL_READ) : STR_NONE;
    const size_t found = str_find(text, program, 0);
    if (found == text.len || str_find(text, program, found + 1) < text.len) {
        return;
    }
    const Str line = shell_line_around(text, found);
    if (str_starts_with(line, STR("sed -i")) && str_ends_with(str_trim(line), program)) {
        report_gone(rules, launch, &launch->image, found, &GONE[0].gone);
    }
}

void rule_launch_bootstrap(const Rules *rules, const PlanLaunch *launch) {
    check_docker(rules, launch);
    check_variables(rules, launch);
    check_edit(rules, launch);
    check_programs(rules, launch, &launch->image, 0);
}

// ---- parts that are run --------------------------------------------------------------------------------------------

// Types of parts that cloud-init runs as a program of their own.
static bool is_run(Str type) {
    return str_is(type, "text/cloud-boothook") || str_is(type, "text/x-shellscript");
}

// The text that cloud-init writes into the file that it runs.
static Str script_of(Str body) {
    const Str text = str_trim(body);
    const Str hook = STR("#cloud-boothook");
    return str_starts_with(text, hook) ? str_trim(str_slice(text, hook.len, text.len)) : text;
}

// Somebody fills it in, or it is of another type than it says.
static bool is_no_script(Str text) {
    return text.len == 0 || str_starts_with(text, STR("${")) || str_starts_with(text, STR("apiVersion:")) ||
           str_starts_with(text, STR("#cloud-config"));
}

// cloud-init of Amazon Linux 2 gave such a file to a shell; later ones start it, and the kernel refuses it.
static void check_scripts(const Rules *rules, const PlanLaunch *launch, const PlanField *image) {
    const PlanUserData *data = &launch->user_data;
    const bool is_read = user_data_is_mime(data) && !image_is_al2(image);
    const UserDataParts parts = is_read ? user_data_parts(rules->session->arena, data) : (UserDataParts){ 0 };
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        const Str script = is_run(part->type) ? script_of(part->body) : STR_NONE;
        if (is_no_script(script) || str_starts_with(script, STR("#!"))) {
            continue;
        }
        const size_t at = (size_t)(script.data - data->written.data);
        Diag *diag = plan_report(rules->session, launch->subject, user_data_place(rules, data, at),
                                 DIAG(script_without_program), STR_ARG(part->type));
        diag_help(rules->session, diag, "write `#!/bin/bash` above it");
    }
}

// The service that uses a template without an image knows the image.
void rule_launch_script_program(const Rules *rules, const PlanLaunch *launch) {
    const bool is_used = !span_is_none(launch->user_key) || !span_is_none(launch->managed_key);
    if (!is_used || launch->image.state != FIELD_ABSENT) {
        check_scripts(rules, launch, &launch->image);
    }
}

// ---- the root volume -----------------------------------------------------------------------------------------------

// source: EC2 User Guide, Device names for volumes; of Ubuntu: the image parameters of Canonical, 2026-11, read 2026-11
typedef struct {
    const char *system;
    const char *root;
    const char *others[2]; // what is often written in its place
} RootRow;

static const RootRow AMAZON_LINUX = { "Amazon Linux", "/dev/xvda", { "/dev/sda1", "xvda" } };
static const RootRow UBUNTU = { "Ubuntu", "/dev/sda1", { "/dev/xvda", "xvda" } };

// Whether a disk of any other name is meant to be the root: eksctl has its own list for others, and without user data
// nothing formats or mounts one.
static bool is_meant(const PlanLaunch *launch, const RootRow *row, const PlanField *disk) {
    return field_is(disk, row->others[0]) || field_is(disk, row->others[1]) || launch->form == FORM_EKSCTL ||
           (launch->disks.count == 1 && launch->user_data.field.state == FIELD_ABSENT);
}

static void check_root(const Rules *rules, const PlanLaunch *launch, const PlanField *image) {
    const bool is_usual = launch->form == FORM_EKSCTL && image->state == FIELD_ABSENT;
    const RootRow *row = image_is_amazon_linux(image) || is_usual ? &AMAZON_LINUX
                         : image_is_ubuntu(image)                 ? &UBUNTU
                                                                  : NULL;
    const PlanField *other = NULL;
    for (uint32_t i = 0; row != NULL && i < launch->disks.count; i++) {
        const PlanField *disk = &launch->disks.items[i].device;
        if (disk->state != FIELD_KNOWN || field_is(disk, row->root)) {
            return;
        }
        other = other == NULL && is_meant(launch, row, disk) ? disk : other;
    }
    if (other != NULL) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(other), DIAG(root_elsewhere), row->system);
        if (!is_usual) {
            diag_label(rules->session, diag, rule_span(image), "has its root at %s", row->root);
        }
        diag_help(rules->session, diag, "write `%s`", row->root);
        rule_fix_word(rules, diag, other, row->root);
    }
}

void rule_launch_root(const Rules *rules, const PlanLaunch *launch) {
    if (launch->form == FORM_RESOURCE) {
        check_root(rules, launch, &launch->image);
    }
}

// Where the image stands in the launch, it is the launch's own mistake. Of bootstrap.sh on EKS rule launch_joins_once
// speaks.
void rule_group_service_image(const Rules *rules, const PlanGroup *group) {
    if (group->launch->image.state == FIELD_ABSENT && group->image.state == FIELD_KNOWN) {
        check_programs(rules, group->launch, &group->image, group->is_managed ? 1 : 0);
        check_scripts(rules, group->launch, &group->image);
        check_root(rules, group->launch, &group->image);
    }
    const PlanEksctlGroup *own = group->eksctl; // an image of one's own may have its root elsewhere
    if (own != NULL && own->image.state == FIELD_ABSENT && !own->has_template) {
        check_root(rules, group->launch, &group->image);
    }
}

void rule_group_disk(const Rules *rules, const PlanGroup *group) {
    const int64_t least = image_disk_gib(&group->image);
    for (uint32_t i = 0; i < group->launch->disks.count; i++) {
        const PlanDisk *disk = &group->launch->disks.items[i];
        const bool is_root = disk->device.state == FIELD_ABSENT || field_is(&disk->device, AMAZON_LINUX.root);
        const int64_t size = field_number(&disk->size, INT64_MAX);
        if (is_root && size >= 0 && size < least) {
            Diag *diag = group_report(rules, group, rule_span(&disk->size), DIAG(disk_below_image), size,
                                      STR_ARG(group->name), least);
            if (!span_is_none(group->image.span)) {
                diag_label(rules->session, diag, rule_span(&group->image), "the image");
            }
            rule_write(rules, diag, group, SPELL_DISK, &disk->size, "");
        }
    }
}

// ---- the metadata service ------------------------------------------------------------------------------------------

static bool is_of_service(const PlanField *image) {
    return field_has(image, "/aws/service/ecs/") || field_has(image, "/aws/service/eks/");
}

// Nodes of Batch, EKS and PCS have a role, and so has what an instance profile is written for.
static bool has_role(const PlanLaunch *launch) {
    return !span_is_none(launch->user_key) || !span_is_none(launch->managed_key) || !span_is_none(launch->target_key) ||
           is_of_service(&launch->image) || launch->profile.state == FIELD_KNOWN;
}

void rule_launch_metadata(const Rules *rules, const PlanLaunch *launch) {
    const PlanField *endpoint = &launch->endpoint;
    const bool is_off = launch->form == FORM_RESOURCE && field_is(endpoint, "disabled");
    const bool is_karpenter = is_off && strcmp(endpoint->name, "httpEndpoint") == 0;
    if (is_off && (is_karpenter || has_role(launch))) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(endpoint), DIAG(metadata_off));
        rule_fix_word(rules, diag, endpoint, "enabled");
        rule_help_resource(rules, diag, launch->subject, "write `%s = \"enabled\"`, and `%s = \"required\"`",
                           endpoint->name, is_karpenter ? "httpTokens" : "HttpTokens");
    }
}

// ---- placement -----------------------------------------------------------------------------------------------------

// EC2 User Guide, Placement strategies: a spread group has seven instances in a zone, and each on a rack of its own, read
// 2026-11.
void rule_launch_placement(const Rules *rules, const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->placement_groups.count && launch_has_efa(launch); i++) {
        const PlanPlacementGroup *group = &launch->placement_groups.items[i];
        if (field_is(&group->strategy, "spread") || field_is(&group->strategy, "partition")) {
            Diag *diag = plan_report(rules->session, launch->subject, rule_span(&group->field), DIAG(placement_apart),
                                     STR_ARG(group->strategy.text));
            diag_label(rules->session, diag, rule_span(&group->strategy), "keeps nodes apart");
            rule_help_resource(rules, diag, launch->subject, "write `Strategy = \"cluster\"`");
        }
    }
}
