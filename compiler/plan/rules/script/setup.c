// Rules about scripts that run on a node before it takes work. They find a script that cannot start, and one whose
// content can change tomorrow. Otherwise both show only when the nodes have been paid for.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/base/sha256.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/user_data_text.h"

// ---- scratch ---------------------------------------------------------------------------------------------------

enum { SCRATCH_PATH_BYTES_MAX = 200 }; // far below what mount and Docker take, and above what anyone writes

// What Linux, the image or the agents keep where a file system would hide it.
typedef struct {
    const char *path;
    bool has_below; // nothing may be mounted below it either
} SystemPath;

// Filesystem Hierarchy Standard 3.0, 2015-06; /opt holds the EFA software, /var what Docker and the ECS agent know.
static const SystemPath SYSTEM_PATHS[] = {
    { "/bin", true },
    { "/boot", true },
    { "/dev", true },
    { "/etc", true },
    { "/home", false },
    { "/lib", true },
    { "/lib64", true },
    { "/opt", false },
    { "/proc", true },
    { "/root", false },
    { "/run", true },
    { "/sbin", true },
    { "/sys", true },
    { "/usr", true },
    { "/var", false },
    // A new folder below /var hides nothing; these are there. /tmp is empty when a node starts, and is a place for
    // scratch.
    { "/var/cache", false },
    { "/var/lib", false },
    { "/var/log", true },
    { "/var/run", true },
    { "/var/spool", true },
    { "/var/tmp", false },
    { "/var/lib/amazon", true },
    { "/var/lib/cloud", true },
    { "/var/lib/containerd", true },
    { "/var/lib/docker", true },
    { "/var/lib/ecs", true },
    { "/var/lib/kubelet", true },
    { "/var/lib/rpm", true },
    { "/var/lib/dpkg", true },
    { "/var/lib/systemd", true },
};

static bool is_path_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
           c == '_' || c == '-';
}

// Whether a component of the path is empty, `.` or `..`: two spellings of one place.
static bool has_odd_step(Str path) {
    for (size_t start = 1; start <= path.len;) {
        size_t end = str_find(path, STR("/"), start);
        Str step = str_slice(path, start, end);
        if (step.len == 0 || str_is(step, ".") || str_is(step, "..")) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

static const SystemPath *system_path(Str path) {
    for (size_t i = 0; i < COUNT_OF(SYSTEM_PATHS); i++) {
        const Str row = str_of(SYSTEM_PATHS[i].path);
        bool is_below = str_starts_with(path, row) && path.len > row.len && path.data[row.len] == '/';
        if (str_equal(path, row) || (is_below && SYSTEM_PATHS[i].has_below)) {
            return &SYSTEM_PATHS[i];
        }
    }
    return NULL;
}

const char *rules_path_fault(const Rules *rules, Str path) {
    if (path.len == 0 || path.data[0] != '/') {
        return "it does not begin with `/`";
    }
    for (size_t i = 0; i < path.len; i++) {
        if (!is_path_character(path.data[i])) {
            return "letters, digits and `/ . _ -` are what every tool on the way takes";
        }
    }
    if (path.len > SCRATCH_PATH_BYTES_MAX) {
        return str_c(rules->session->arena,
                     str_format(rules->session->arena, "it is longer than %d bytes", SCRATCH_PATH_BYTES_MAX));
    }
    if (path.len == 1) {
        return "the whole system is there";
    }
    return has_odd_step(path) ? "write it without `//`, `.`, `..` and a `/` at its end" : NULL;
}

const char *rules_place_fault(const Rules *rules, Str path) {
    const char *fault = rules_path_fault(rules, path);
    const SystemPath *hidden = fault == NULL ? system_path(path) : NULL;
    return hidden == NULL
               ? fault
               : str_c(rules->session->arena,
                       str_format(rules->session->arena, "it would hide what the system keeps in %s", hidden->path));
}

static void no_disks(const Rules *rules, const PlanNodes *nodes) {
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, nodes->scratch->span, DIAG(no_nvme), nodes->instance->name);
    diag_label(rules->session, diag, nodes->instance_value->span, "no NVMe disks");
    diag_help(rules->session, diag, "leave `scratch` out; `disk` makes the root volume larger");
}

void rule_scratch(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->scratch == NULL) {
        return;
    }
    const bool is_word = nodes->scratch->kind == VALUE_WORD;
    const bool is_eks = nodes->cluster->target == TARGET_EKS;
    const char *fault = is_word && is_eks ? NULL
                        : is_word         ? "only EKS has a kubelet"
                        : is_eks          ? "nodeadm mounts the disks where the kubelet keeps its data"
                                          : rules_place_fault(rules, nodes->scratch->string);
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->scratch->span, DIAG(bad_scratch),
                                 STR_ARG(nodes->scratch->string), fault);
        diag_help(rules->session, diag, "write `scratch = %s`", is_eks ? "kubelet" : "\"/scratch\"");
        return;
    }
    if (nodes->instance->nvme_count == 0) {
        no_disks(rules, nodes);
    }
}

// ---- files -----------------------------------------------------------------------------------------------------

// The mistake stands in the script, so the message points there; who asks for it is the reason.
static void bad_script(const Rules *rules, const PlanScript *script, size_t start, size_t end, const char *fault,
                       const char *help) {
    Span span = { .source = script->value->tag.source, .start = (uint32_t)start, .end = (uint32_t)end };
    Diag *diag = report(rules->session, script->text.len == 0 ? script->value->span : span, DIAG(bad_script),
                        STR_ARG(script->name), fault);
    if (script->text.len > 0) {
        diag_label(rules->session, diag, script->value->span, "runs on every node");
    }
    diag_help(rules->session, diag, "%s", help);
}

static void wrong_sum(const Rules *rules, const PlanScript *script) {
    Str sum = sha256_text(rules->session->arena, script->text);
    if (script->sha256.len > 0 && !str_equal(sum, script->sha256)) {
        const Value *said = script->value->tag.arguments[1];
        Diag *diag = report(rules->session, said->span, DIAG(bad_script), STR_ARG(script->name),
                            "it has another SHA-256 than this");
        Str quoted = str_format(rules->session->arena, "\"%.*s\"", STR_ARG(sum));
        diag_help(rules->session, diag, "it is %.*s; a file of the project needs none", STR_ARG(quoted));
    }
}

// ${AWS::Region}, which whoever comes from a template expects to become the region.
static void check_pseudo(const Rules *rules, const Subject *subject, const PlanScript *script) {
    const Str text = script->text;
    const size_t start = str_find(text, STR("${AWS::"), 0);
    const size_t end = str_find(text, STR("}"), start);
    if (end == text.len) {
        return;
    }
    Span span = { .source = script->value->tag.source, .start = (uint32_t)start, .end = (uint32_t)end + 1 };
    Diag *diag = plan_report(rules->session, subject, span, DIAG(script_not_substituted),
                             STR_ARG(str_slice(text, start, end + 1)));
    diag_label(rules->session, diag, script->value->span, "runs on every node");
}

// The service's image with Amazon Linux 2023: by the `os`, where nobody gives another image.
static bool is_al2023(const PlanCluster *cluster) {
    return cluster->os != NULL && (str_is(cluster->os->string, "al2023") || str_is(cluster->os->string, "alinux2023"));
}

// Whoever comes from Amazon Linux 2 brings its scripts along.
static void check_gone(const Rules *rules, const Subject *subject, const PlanScript *script) {
    size_t at = 0;
    const ImageGone *found =
        user_data_is_script(script->text) ? image_gone_program(rules->session->arena, script->text, &at) : NULL;
    if (found == NULL) {
        return;
    }
    ImageGone gone = *found;
    const Span span = { .source = script->value->tag.source,
                        .start = (uint32_t)at,
                        .end = (uint32_t)(at + strlen(gone.program)) };
    const bool is_join = strcmp(gone.program, "/etc/eks/bootstrap.sh") == 0;
    gone.help = is_join ? "remove it: the nodes join without it" : gone.help;
    image_report_gone(rules, subject, span, &gone, script->value->span, "runs on Amazon Linux 2023, which ");
}

// What a target cannot do with a script that is good in itself.
static void not_there(const Rules *rules, const PlanCluster *cluster, const PlanScript *script, const Value *what,
                      const char *fault, const char *help) {
    Diag *diag = report(rules->session, what->span, DIAG(script_not_on_target), STR_ARG(script->name),
                        schema_target_name(cluster->target), fault);
    diag_help(rules->session, diag, "%s", help);
}

// Whether nodes fetch scripts, and the cluster has no place for them. A late one is reported where it is read.
static bool lacks_place(const PlanCluster *cluster) {
    return cluster->target == TARGET_PARALLELCLUSTER && subject_value(cluster->head.subject, CLUSTER_ARTIFACTS) == NULL;
}

static void check_file(const Rules *rules, const Subject *subject, const PlanCluster *cluster,
                       const PlanScript *script) {
    const Str text = script->text;
    const size_t first = str_find(text, STR("\n"), 0);
    const size_t control = str_find(text, STR("\x01"), 0);
    const size_t carriage_return = str_find(text, STR("\r"), 0);
    if (text.len == 0) {
        bad_script(rules, script, 0, 0, "it is empty", "begin it with `#!/bin/bash`");
    } else if (!str_starts_with(text, STR("#!"))) {
        bad_script(rules, script, 0, first, "it does not begin with `#!`", "begin it with `#!/bin/bash`");
    } else if (carriage_return < text.len) {
        bad_script(rules, script, carriage_return, carriage_return + 1,
                   "a line ends with a carriage return, which becomes part of a command",
                   "`sed -i 's/\\r$//' FILE` removes them");
    } else if (cluster->target == TARGET_EKS && control < text.len) {
        bad_script(rules, script, control, control + 1, "it holds a control character, which user data does not carry",
                   "write the character by its escape: `printf '\\001'`");
    } else if (!str_ends_with(text, STR("\n"))) {
        bad_script(rules, script, text.len - 1, text.len, "its last line does not end", "end it with a line end");
    } else {
        wrong_sum(rules, script);
        check_pseudo(rules, subject, script);
    }
    if (lacks_place(cluster)) {
        not_there(rules, cluster, script, script->value,
                  "its nodes fetch scripts, and there is no place to put this one",
                  "write `artifacts = \"s3://…\"` in the cluster: the scripts of the project are put there");
    }
}

// ---- URLs ------------------------------------------------------------------------------------------------------

// Places whose URLs may name a commit, and so always stand for the same bytes.
static bool names_commit(const Rules *rules, Str url) {
    // Git's object names by SHA-1 or SHA-256, as a step of the path or a parameter: GitHub, GitLab, Gitea, cgit.
    const Str pattern = STR("^https://[^/]+/(.*[/=@])?([0-9a-f]{40}|[0-9a-f]{64})([/?&].*)?$");
    return pattern_match(rules->session, pattern, url, NULL) == PATTERN_YES;
}

static const char *url_fault(const Rules *rules, const PlanCluster *cluster, Str url) {
    if (str_starts_with(url, STR("http://"))) {
        return "without TLS anyone on the way can replace it";
    }
    const bool is_s3 = str_starts_with(url, STR("s3://"));
    if (is_s3 && cluster->target != TARGET_PARALLELCLUSTER) {
        return "the nodes' role may read no bucket";
    }
    const PatternRow *row = schema_pattern(is_s3 ? STR("s3_uri") : STR("https_url"));
    if (pattern_match(rules->session, str_of(row->pattern), url, NULL) != PATTERN_YES) {
        return is_s3 ? "it is no URI of an object in S3" : "it is no https URL";
    }
    const bool is_bucket = str_find(url, STR("/"), sizeof "s3://" - 1) + 1 >= url.len;
    return is_s3 && is_bucket ? "it is a bucket, not an object in it" : NULL;
}

static void not_pinned(const Rules *rules, const Subject *subject, const PlanCluster *cluster,
                       const PlanScript *script) {
    const Span span = script->value->tag.arguments[0]->span;
    Diag *diag = plan_report(rules->session, subject, span, DIAG(script_not_pinned), STR_ARG(script->name));
    if (lacks_place(cluster)) {
        diag_help(rules->session, diag, "name a commit in the URL, or copy the script into the project");
    } else {
        diag_help(rules->session, diag, "write `script(\"%.*s\", \"SHA-256\")`, with what `sha256sum` prints of it",
                  STR_ARG(script->name));
    }
}

static void check_url(const Rules *rules, const Subject *subject, const PlanCluster *cluster,
                      const PlanScript *script) {
    const Span span = script->value->tag.arguments[0]->span;
    const char *fault = url_fault(rules, cluster, script->name);
    if (fault != NULL) {
        Diag *diag = report(rules->session, span, DIAG(bad_script_url), STR_ARG(script->name), fault);
        diag_help(rules->session, diag, "keep the script in the project, or name it by an https URL and its SHA-256");
        return;
    }
    if (script->sha256.len > 0 && lacks_place(cluster)) {
        not_there(rules, cluster, script, script->value->tag.arguments[1],
                  "it compares no SHA-256, and there is no place to put a script that does",
                  "write `artifacts = \"s3://…\"` in the cluster: a script there fetches this one, and compares it");
        return;
    }
    if (script->sha256.len == 0 && !str_starts_with(script->name, STR("s3://")) && !names_commit(rules, script->name)) {
        not_pinned(rules, subject, cluster, script);
    }
}

static void check_scripts(const Rules *rules, const Subject *subject, const PlanCluster *cluster,
                          const PlanScripts *scripts, bool has_own_image) {
    for (uint32_t i = 0; i < scripts->count; i++) {
        const PlanScript *script = &scripts->items[i];
        if (script->value->tag.source != 0) {
            check_file(rules, subject, cluster, script);
            if (!has_own_image && is_al2023(cluster)) {
                check_gone(rules, subject, script);
            }
        } else {
            check_url(rules, subject, cluster, script);
        }
        if (script->arguments != NULL && cluster->target != TARGET_PARALLELCLUSTER) {
            not_there(rules, cluster, script, script->arguments, "scripts are called without arguments there",
                      "write the values into the script");
        }
    }
}

// Those of the head first: one that both run is then reported once, where it stands.
void rule_setup(const Rules *rules, const PlanCluster *cluster) {
    const PlanHeadNode *head = cluster->slurm == NULL ? NULL : cluster->slurm->head_node;
    if (head != NULL) {
        check_scripts(rules, head->head.subject, cluster, &head->setup, cluster->ami != NULL);
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const bool has_own_image = cluster->ami != NULL || nodes->ami.given != NULL;
        check_scripts(rules, nodes->head.subject, cluster, &nodes->setup, has_own_image);
    }
}
