// Which reader takes a file.
#include "compiler/readers/foreign.h"

#include "compiler/base/json.h"
#include "compiler/base/json_stream.h"
#include "compiler/base/yaml_read.h"
#include "compiler/plan/raw/raw_plan.h"
#include "compiler/readers/aws_cli/aws_cli_request.h"
#include "compiler/readers/cloudformation/cfn_loops.h"
#include "compiler/readers/cloudformation/cfn_names.h"
#include "compiler/readers/cloudformation/cfn_outline.h"
#include "compiler/readers/cloudformation/cfn_value.h"
#include "compiler/readers/cloudformation/cfn_stack.h"
#include "compiler/readers/dockerfile/dockerfile_read.h"
#include "compiler/readers/eksctl/eksctl_config.h"
#include "compiler/readers/foreign_clusters.h"
#include "compiler/readers/foreign_file.h"
#include "compiler/readers/foreign_merge.h"
#include "compiler/readers/foreign_near.h"
#include "compiler/readers/foreign_policies.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/foreign_value.h"
#include "compiler/readers/kubernetes/kubernetes_manifest.h"
#include "compiler/readers/kubernetes/kubernetes_text.h"
#include "compiler/readers/parallelcluster/pcluster.h"
#include "compiler/readers/slurm/slurm_script.h"

// What a template has other templates for. These are in a bucket or in a registry.
static void count_nested(ForeignFile *file, const Data *document) {
    const Data *resources = data_get(document, "Resources");
    for (uint32_t i = 0; resources != NULL && resources->kind == DATA_MAP && i < resources->count; i++) {
        const Str type = data_text(resources->entries[i].value, "Type");
        const bool is_stack =
            str_is(type, "AWS::CloudFormation::Stack") || str_is(type, "AWS::Serverless::Application");
        file->stacks += is_stack ? 1 : 0;
        file->modules += str_ends_with(type, STR("::MODULE")) ? 1 : 0;
    }
}

// What rules about the text of a document ask for: there is one text for all ways to deploy it.
static PlanFile *text_of(Session *session, const ForeignFile *file, const Data *document, ForeignKind kind) {
    PlanFile *text = arena_new(session->arena, PlanFile);
    *text = (PlanFile){ .form = kind == FOREIGN_CLOUDFORMATION ? FILE_TEMPLATE : FILE_OTHER,
                        .tool = str_of(FOREIGN_ROWS[kind].word) };
    foreign_add_document(session, text, file->subject, document);
    text->names = text->form == FILE_TEMPLATE ? cfn_names(session, document, file->subject, text) : NULL;
    if (file->extent == READ_ALL) {
        foreign_add_policies(session, text, document);
    }
    return text;
}

// A file in a plan of its own.
static void add_text(Session *session, ForeignFile *file, const PlanFile *text) {
    Plan *plan = arena_new(session->arena, Plan);
    *plan = (Plan){ .file = text };
    vec_push(session->arena, &file->plans, plan);
}

static bool read_template(Session *session, ForeignFile *file, Data *document) {
    CfnTemplate template;
    cfn_lengthen(session->arena, document);
    cfn_write_out_loops(session->arena, document);
    if (!cfn_read(session, document, &template)) {
        return false;
    }
    const PlanFile *text = text_of(session, file, document, FOREIGN_CLOUDFORMATION);
    if (file->extent == READ_NAMES) {
        add_text(session, file, text);
        return true;
    }
    count_nested(file, document);
    const CfnWorlds worlds = cfn_worlds(&template);
    for (uint32_t i = 0; i < worlds.count; i++) {
        const CfnStack stack = cfn_stack(&template, worlds.items[i], file->subject);
        Plan *plan = arena_new(session->arena, Plan);
        *plan = (Plan){ .names = text->names };
        vec_push(session->arena, &plan->raw, &raw_stack_of(session, stack.resources, stack.whole, text->names)->parts);
        foreign_add_clusters(session, file->subject, plan, &stack);
        vec_push(session->arena, &file->plans, plan);
    }
    add_text(session, file, text);
    return true;
}

// What a reader has found, in a plan of its own; NULL: the document is none of its.
static bool add_raw(Session *session, ForeignFile *file, const PlanRaw *raw) {
    if (raw == NULL) {
        return false;
    }
    Plan *plan = arena_new(session->arena, Plan);
    *plan = (Plan){ 0 };
    vec_push(session->arena, &plan->raw, raw);
    vec_push(session->arena, &file->plans, plan);
    return true;
}

static bool read_configuration(Session *session, ForeignFile *file, Data *document) {
    const Value *value = foreign_value(session->arena, document);
    return value->kind == VALUE_MAP && add_raw(session, file, pcluster_read(session, file->subject, value));
}

static bool read_cluster_config(Session *session, ForeignFile *file, Data *document) {
    if (!eksctl_is(document)) {
        return false;
    }
    kubernetes_switches(session, document);
    const Value *value = foreign_value(session->arena, document);
    return value->kind == VALUE_MAP && add_raw(session, file, eksctl_read(session, file->subject, value));
}

static bool read_request(Session *session, ForeignFile *file, Data *document) {
    RawResource *request = aws_cli_read(session, file->subject, document);
    if (request == NULL) {
        return false;
    }
    vec_push(session->arena, &file->requests, request);
    return add_raw(session, file, aws_cli_parts(session, request));
}

// All that rules ask of a policy is in its text.
static bool read_policy(Session *session, ForeignFile *file, Data *document) {
    (void)session;
    (void)file;
    return foreign_is_policy(document) || foreign_is_request_of_policy(document);
}

static bool read_manifest(Session *session, ForeignFile *file, Data *document) {
    Plan *plan = file->objects;
    if (plan == NULL) {
        plan = arena_new(session->arena, Plan);
        *plan = (Plan){ 0 };
    }
    if (!kubernetes_read(session, file->subject, document, plan)) {
        return false;
    }
    if (file->objects == NULL) {
        file->objects = plan;
        vec_push(session->arena, &file->plans, plan);
    }
    return true;
}

static bool has_any(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_find(text, str_of(words[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

// Words that stand in files of ours and hardly in others: nobody needs to hear that another file is no YAML.
static bool is_surely_ours(Str text) {
    if (str_has(text, "schema.management.azure.com")) { // of ARM, which takes comments
        return false;
    }
    static const char *const WORDS[] = { "AWSTemplateFormatVersion",
                                         "AWS::",
                                         "HeadNode:",
                                         "\"HeadNode\"",
                                         "apiVersion:",
                                         "\"apiVersion\"",
                                         "\"jobDefinitionName\"",
                                         "\"jobQueueName\"",
                                         "\"computeEnvironmentName\"",
                                         "\"LaunchTemplateData\"",
                                         "\"nodegroupName\"",
                                         "\"resourcesVpcConfig\"" };
    return has_any(text, WORDS, COUNT_OF(WORDS));
}

bool foreign_may_be(Str text) {
    static const char *const WORDS[] = { "\"UserData\"",
                                         "\"MaxCount\"",
                                         "\"jobRoleArn\"",
                                         "\"resourceRequirements\"",
                                         "\"vcpus\"",
                                         "\"NetworkInterfaces\"",
                                         "\"BlockDeviceMappings\"",
                                         "\"VolumeType\"",
                                         "SlurmQueues:",
                                         "jobDefinitionName:",
                                         "jobQueueName:",
                                         "jobDefinition:",
                                         "\"jobDefinition\"",
                                         "\"FunctionName\"",
                                         "computeEnvironmentName:",
                                         "LaunchTemplateData:",
                                         "nodegroupName:",
                                         "resourcesVpcConfig:",
                                         "\"FileSystemType\"",
                                         "\"clusterIdentifier\"",
                                         "\"InstanceGroups\"",
                                         "\"RestrictedInstanceGroups\"",
                                         "\"workload_manager\"",
                                         "\"AutoScalingGroupName\"",
                                         "\"TargetCapacitySpecification\"",
                                         "\"scheduler\"" };
    const bool is_policy = str_has(text, "Effect") && str_has(text, "Action") && str_has(text, "\"");
    return is_policy || is_surely_ours(text) || has_any(text, WORDS, COUNT_OF(WORDS));
}

// `{ name: ${NAME} }` is no YAML before envsubst was there. In a template such a text is CloudFormation's own.
static bool has_variable(Str text) {
    if (str_find(text, STR("AWS::"), 0) < text.len) {
        return false;
    }
    for (size_t at = str_find(text, STR("${"), 0); at < text.len; at = str_find(text, STR("${"), at + 1)) {
        const char c = str_at(text, at + 2);
        if ((c >= 'A' && c <= 'Z') || c == '_') {
            return true;
        }
    }
    return false;
}

// `name: %NAME%` and `name: @NAME@`: no plain scalar of YAML begins so. `schedule: @daily` lacks its quotes.
static bool has_marked_name(Str text, char mark) {
    const char begin[] = { ':', ' ', mark };
    const Str start = { .data = begin, .len = sizeof begin };
    for (size_t at = str_find(text, start, 0); at < text.len; at = str_find(text, start, at + 1)) {
        size_t end = at + start.len;
        while (char_is_digit(str_at(text, end)) || str_at(text, end) == '_' ||
               (char_small(str_at(text, end)) >= 'a' && char_small(str_at(text, end)) <= 'z')) {
            end++;
        }
        if (end > at + start.len && str_at(text, end) == mark) {
            return true;
        }
    }
    return false;
}

// `name: %s` of a program that prints the file, and `name: %{ if }` of Terraform: likewise.
static bool has_verb(Str text) {
    for (size_t at = str_find(text, STR(": %"), 0); at < text.len; at = str_find(text, STR(": %"), at + 1)) {
        const Str rest = str_slice(text, at + strlen(": %"), text.len);
        if (str_starts_with(rest, STR("s")) || str_starts_with(rest, STR("d")) || str_starts_with(rest, STR("v")) ||
            str_starts_with(rest, STR("{"))) {
            return true;
        }
    }
    return has_marked_name(text, '%') || has_marked_name(text, '@');
}

// `metadata.name` of what `helm template` prints for no release: somebody takes it apart, and nobody applies it.
static bool has_release_name(Str text) {
    const size_t at = str_find(text, STR("RELEASE-NAME"), 0);
    return at < text.len && str_has(text, "apiVersion");
}

// `%%NAME%%`: two of them in a file are words of a program that fills it in.
static bool has_doubled_names(Str text) {
    const Str mark = STR("%%");
    uint32_t count = 0;
    for (size_t at = str_find(text, mark, 0); at < text.len; at = str_find(text, mark, at + 1)) {
        size_t end = at + mark.len;
        while (char_is_digit(str_at(text, end)) || str_at(text, end) == '_' ||
               (str_at(text, end) >= 'A' && str_at(text, end) <= 'Z')) {
            end++;
        }
        count += end > at + mark.len && str_starts_with(str_slice(text, end, text.len), mark) ? 1 : 0;
    }
    return count > 1;
}

// What SOPS has encrypted: something decrypts it, and takes `sops` out, before anybody applies it.
static bool is_encrypted(Str text) {
    return str_has(text, "ENC[AES256_GCM") && (str_has(text, "\nsops:") || str_has(text, "\"sops\":"));
}

// A source of Jinja or Helm, or of envsubst: no YAML before it was rendered. `{{resolve:…}}` is CloudFormation's own.
static bool is_to_be_rendered(Str text) {
    for (size_t at = str_find(text, STR("{"), 0); at < text.len; at = str_find(text, STR("{"), at + 1)) {
        const Str rest = str_slice(text, at, text.len);
        if (str_starts_with(rest, STR("{%")) ||
            (str_starts_with(rest, STR("{{")) && !str_starts_with(rest, STR("{{resolve:")))) {
            return true;
        }
    }
    return has_variable(text) || has_verb(text) || str_has(text, ": @@") ||
           str_has(text, "${self:"); // of make, and of the Serverless Framework
}

// The same of a Dockerfile, where `${NAME}` is Docker's own, and `s/{{NAME}}/…/` is a command's.
static bool is_to_be_rendered_first(Str path, Str text) {
    static const char *const ENDINGS[] = { ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".in" };
    static const char *const SIGNS[] = { "\n{%", "\n{{", "FROM {{", "from {{", "FROM {%" };
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        if (str_ends_with(path, str_of(ENDINGS[i]))) {
            return true;
        }
    }
    return has_any(text, SIGNS, COUNT_OF(SIGNS)) || str_starts_with(text, STR("{%")) ||
           str_starts_with(text, STR("{{"));
}

// What another program fills in by its own rules, and says so in its name. CloudFormation's templates are called so as well.
static bool is_called_template(Str path, Str text) {
    const Str name = str_after_last(path, '/');
    return str_find(name, STR("template"), 0) < name.len && str_find(text, STR("AWS::"), 0) >= text.len;
}

const ForeignRow FOREIGN_ROWS[FOREIGN_KIND_COUNT] = {
    [FOREIGN_CLOUDFORMATION] = { "cloudformation", "CloudFormation template",
                                 "`Resources` with a type such as `AWS::EC2::Instance`" },
    [FOREIGN_PARALLELCLUSTER] = { "parallelcluster", "cluster configuration of ParallelCluster",
                                  "`HeadNode` and `Scheduling`" },
    [FOREIGN_KUBERNETES] = { "kubernetes", "manifest of Kubernetes", "`apiVersion` and `kind`" },
    [FOREIGN_EKSCTL] = { "eksctl", "ClusterConfig of eksctl",
                         "`kind: ClusterConfig` and `apiVersion: eksctl.io/v1alpha5`" },
    [FOREIGN_AWS_CLI] = { "aws-cli", "request of the AWS CLI",
                          "`jobDefinitionName`, `jobDefinition`, `jobQueueName`, `computeEnvironmentName`, "
                          "`LaunchTemplateData`, "
                          "`MaxCount`, `nodegroupName`, "
                          "`resourcesVpcConfig`, `VolumeType`, `FileSystemType`, `computeNodeGroupName`, `scheduler`, "
                          "`InstanceGroups`, `AutoScalingGroupName`, `FunctionName` or `LaunchTemplateConfigs`" },
    [FOREIGN_SLURM] = { "slurm", "batch script of Slurm", "a first line that begins with `#!`, and `#SBATCH` lines" },
    [FOREIGN_SCRIPT] = { "script", "launch script",
                         "a command such as `torchrun`, `mpirun`, `srun` or `sbatch`, and a first line for a shell" },
    [FOREIGN_POLICY] = { "iam-policy", "policy of IAM", "`Statement`, and an `Effect` in each of these" },
    [FOREIGN_DOCKERFILE] = { "dockerfile", "Dockerfile", "`FROM` or `ARG` as its first instruction" },
};

typedef bool ReadDocument(Session *session, ForeignFile *file, Data *document);

typedef struct {
    ForeignKind kind;
    ReadDocument *read;
} ReaderRow;

// In this order: the first that takes a document has it. Templates are the largest, and stand before whoever takes a
// document for its own after all of it was evaluated.
static const ReaderRow READERS[] = {
    { FOREIGN_EKSCTL, read_cluster_config },   { FOREIGN_KUBERNETES, read_manifest },
    { FOREIGN_CLOUDFORMATION, read_template }, { FOREIGN_PARALLELCLUSTER, read_configuration },
    { FOREIGN_AWS_CLI, read_request },         { FOREIGN_POLICY, read_policy },
};

// CloudFormation does not merge: in a template `<<` is a key as any other.
// source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html, 2026-11
static bool may_merge(const Source *source, const Data *document) {
    return data_get(document, "Resources") == NULL && str_find(source->text, STR("<<"), 0) < source->text.len;
}

static void read_document(Session *session, ForeignFile *file, Data *document, ForeignKind forced) {
    if (may_merge(source_get(session, document->span.source), document)) {
        foreign_merge(session->arena, document);
    }
    for (size_t i = 0; i < COUNT_OF(READERS); i++) {
        const bool is_asked = forced == FOREIGN_NONE || READERS[i].kind == forced;
        if (is_asked && READERS[i].read(session, file, document)) {
            file->kind = READERS[i].kind;
            if (file->kind != FOREIGN_CLOUDFORMATION) {
                add_text(session, file, text_of(session, file, document, file->kind));
            }
            return;
        }
    }
}

static ForeignFile passed_over(ForeignSkip why) {
    return (ForeignFile){ .kind = FOREIGN_NONE, .skip = why };
}

static bool is_called_json(const Session *session, uint32_t source) {
    return str_ends_with(source_get(session, source)->path, STR(".json"));
}

// What is no YAML is no JSON either, and its author wrote JSON: that reader knows what it lacks. False where the file is not
// called so, or something else is wrong with it.
static bool is_broken_json(const Session *session, uint32_t source, uint32_t before) {
    const Diags *diags = &session->diags;
    return is_called_json(session, source) && diags->items.count > before &&
           diags->items.items[before]->id == DIAG_bad_yaml;
}

// Objects of Kubernetes one after the other. Nothing else is read so.
static bool is_stream(Str text, ForeignKind forced) {
    const bool may_be = forced == FOREIGN_NONE || forced == FOREIGN_KUBERNETES;
    return may_be && str_find(text, STR("\"apiVersion\""), 0) < text.len && json_stream_is(text);
}

static bool is_json(Session *session, uint32_t source, ForeignKind forced) {
    return is_stream(source_get(session, source)->text, forced) ? json_check_stream(session, source)
                                                                : json_read(session, source) != NULL;
}

static bool read_documents(Session *session, uint32_t source, ForeignKind forced, YamlDocuments *documents) {
    return is_stream(source_get(session, source)->text, forced) ? yaml_read_stream(session, source, documents)
                                                                : yaml_read_documents(session, source, documents);
}

// What a template exports, without all the rest. False where that takes a reading of the whole.
static bool read_outline(Session *session, uint32_t source, YamlDocuments *documents) {
    const Str outline = cfn_outline(session->arena, source_get(session, source)->text);
    const uint32_t before = session->diags.items.count;
    const bool is_read = outline.len > 0 && yaml_read_part(session, source, outline, documents);
    diags_forget(session, before);
    documents->count = is_read ? documents->count : 0;
    return is_read;
}

static bool is_said(const Session *session, uint32_t before, DiagId id) {
    bool is = false;
    for (uint32_t i = before; i < session->diags.items.count; i++) {
        is = is || session->diags.items.items[i]->id == id;
    }
    return is;
}

// The line at a place, without blanks around it; `*at` becomes the start of the next one.
static Str take_line(Str text, size_t *at) {
    const size_t end = str_find(text, STR("\n"), *at);
    const Str line = str_trim(str_slice(text, *at, end));
    *at = end + 1;
    return line;
}

// What begins a comment in JSON of people who know other languages.
static Str behind_comment(Str line) {
    const bool is_slashes = str_starts_with(line, STR("//"));
    return is_slashes || str_starts_with(line, STR("#")) ? str_trim(str_slice(line, is_slashes ? 2 : 1, line.len))
                                                         : line;
}

// `//...` on a line of JSON: a page for readers shows a part of a file.
static bool is_part(Str text) {
    for (size_t at = 0; at < text.len;) {
        const Str line = behind_comment(take_line(text, &at));
        size_t dots = 0;
        while (dots < line.len && line.data[dots] == '.') {
            dots++;
        }
        if ((dots >= 3 && dots == line.len) || str_is(line, "\u2026")) {
            return true;
        }
    }
    return false;
}

// A policy whose author explains it by comments, which IAM refuses.
static bool is_policy_with_comments(Str text) {
    static const char *const WORDS[] = { "\"Statement\"", "\"Effect\"", "\"Resource\"" };
    bool is = str_has(text, "\"Action\"") || str_has(text, "\"NotAction\"");
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is && str_has(text, WORDS[i]);
    }
    for (size_t at = 0; is && at < text.len;) {
        if (str_starts_with(take_line(text, &at), STR("//"))) {
            return true;
        }
    }
    return false;
}

// kubectl and kustomize's readers make JSON of a manifest first, which keeps one of two keys: where both have the same value,
// nothing is lost. eksctl refuses both.
// source: kubernetes/kubernetes#89303, eksctl-io/eksctl#702, read 2026-11
static void soften_doubles(Session *session, uint32_t before) {
    for (uint32_t i = before; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        if (diag->id == DIAG_yaml_duplicate_key && diag->label.len > 0) {
            diag_soften(session, diag);
        }
    }
}

// YAML takes texts without quotes and commas behind the last item. Whoever takes JSON alone does not.
static void check_json(Session *session, uint32_t source, ForeignKind forced, const ForeignFile *file) {
    const bool takes_yaml = file->kind == FOREIGN_NONE || file->kind == FOREIGN_PARALLELCLUSTER;
    if (!takes_yaml && file->extent == READ_ALL && is_called_json(session, source)) {
        is_json(session, source, forced);
    }
}

// A script is no YAML: by its name or its first lines it says what it is.
static bool may_be_script(Str path, Str text, ForeignKind forced) {
    return forced == FOREIGN_SLURM || forced == FOREIGN_SCRIPT ||
           (forced == FOREIGN_NONE && (slurm_is_called(path) || str_starts_with(text, STR("#!"))));
}

// The content of what is to be a Dockerfile, by its name or by `--kind`, says nothing else: it is no YAML.
static ForeignFile read_dockerfile(Session *session, uint32_t source, bool is_forced) {
    const Str text = source_get(session, source)->text;
    const bool is_ours = dockerfile_is_of_training(text);
    if (!is_forced && (!is_ours || is_to_be_rendered_first(source_get(session, source)->path, text))) {
        return passed_over(is_ours ? SKIP_RENDERED : SKIP_OTHER);
    }
    ForeignFile file = { .kind = FOREIGN_DOCKERFILE, .subject = foreign_file(session, source) };
    const Span whole = { .source = source, .start = 0, .end = (uint32_t)text.len };
    const Subject *subject = foreign_subject(session, file.subject, whole, whole);
    const PlanDockerfile *dockerfile = dockerfile_read(session, source, subject);
    if (dockerfile == NULL) {
        file.kind = FOREIGN_NONE;
        file.skip = text.len > DOCKERFILE_BYTES_MAX ? SKIP_LARGE : SKIP_OTHER;
        return file;
    }
    Plan *plan = arena_new(session->arena, Plan);
    *plan = (Plan){ .dockerfile = dockerfile };
    vec_push(session->arena, &file.plans, plan);
    return file;
}

static void report_other(Session *session, uint32_t source, ForeignKind forced) {
    const ForeignRow *row = &FOREIGN_ROWS[forced];
    const Span start = { .source = source, .start = 0, .end = 0 };
    Diag *diag = report(session, start, DIAG(not_of_kind), STR_ARG(source_get(session, source)->path), row->title);
    diag_help(session, diag, "a %s has %s; without `--kind` the content decides what a file is", row->title, row->mark);
}

// A batch script says so by its lines. Of another one the commands have to be read first.
static ForeignFile read_script(Session *session, uint32_t source, ForeignKind forced, ForeignExtent extent) {
    const Source *read = source_get(session, source);
    const bool is_batch = slurm_is(read->path, read->text);
    const bool may_be_other = forced != FOREIGN_SLURM && slurm_is_of_shell(read->path, read->text);
    ForeignFile file = { .extent = extent,
                         .kind = is_batch || forced == FOREIGN_SLURM ? FOREIGN_SLURM : FOREIGN_SCRIPT,
                         .subject = foreign_file(session, source) };
    if (forced == FOREIGN_NONE && slurm_is_rendered(read->text)) {
        return passed_over(is_batch ? SKIP_RENDERED : SKIP_SCRIPT);
    }
    const struct PlanSlurmScript *script = NULL;
    if ((is_batch && extent == READ_ALL) || (!is_batch && may_be_other)) {
        script = slurm_read(session, file.subject, source);
    }
    const bool is_one = is_batch || (script != NULL && slurm_launches(script));
    if (!is_one && forced == FOREIGN_NONE) {
        return passed_over(SKIP_SCRIPT);
    }
    if (!is_one) {
        report_other(session, source, forced);
    } else if (extent == READ_ALL) {
        Plan *plan = arena_new(session->arena, Plan);
        *plan = (Plan){ .script = script };
        vec_push(session->arena, &file.plans, plan);
    }
    return file;
}

ForeignFile foreign_read(Session *session, uint32_t source, ForeignKind forced, ForeignExtent extent) {
    const Str text = source_get(session, source)->text;
    if (may_be_script(source_get(session, source)->path, text, forced)) {
        return read_script(session, source, forced, extent);
    }
    if (forced == FOREIGN_DOCKERFILE ||
        (forced == FOREIGN_NONE && dockerfile_is_called(source_get(session, source)->path))) {
        ForeignFile file = read_dockerfile(session, source, forced != FOREIGN_NONE);
        if (forced != FOREIGN_NONE && file.kind == FOREIGN_NONE) {
            report_other(session, source, forced);
            file.kind = forced;
        }
        return file;
    }
    if (forced == FOREIGN_NONE && !foreign_may_be(text)) {
        return passed_over(SKIP_OTHER);
    }
    if (forced == FOREIGN_NONE && is_called_json(session, source) && is_part(text)) {
        return passed_over(SKIP_PART);
    }
    if (forced == FOREIGN_NONE && (has_release_name(text) || has_doubled_names(text) || is_encrypted(text))) {
        return passed_over(SKIP_RENDERED);
    }
    const uint32_t before = session->diags.items.count;
    YamlDocuments documents = { 0 };
    const bool is_read = (extent == READ_NAMES && read_outline(session, source, &documents)) ||
                         read_documents(session, source, forced, &documents);
    if (!is_read) {
        const bool is_user_data = str_starts_with(text, STR("MIME-Version:"));
        if (forced == FOREIGN_NONE &&
            (is_user_data || is_to_be_rendered(text) || is_called_template(source_get(session, source)->path, text))) {
            diags_forget(session, before);
            return passed_over(is_user_data ? SKIP_OTHER : SKIP_RENDERED);
        }
        const bool is_policy = is_called_json(session, source) && is_policy_with_comments(text);
        if (forced == FOREIGN_NONE && !is_surely_ours(text) && !is_policy) {
            diags_forget(session, before);
            return passed_over(SKIP_OTHER);
        }
        if (is_broken_json(session, source, before)) {
            diags_forget(session, before);
            if (is_json(session, source, forced)) { // the fault is in what YAML alone forbids
                read_documents(session, source, forced, &documents);
            }
        }
        return (ForeignFile){ .kind = forced == FOREIGN_NONE ? FOREIGN_CLOUDFORMATION : forced };
    }
    ForeignFile file = { .extent = extent, .subject = foreign_file(session, source) };
    for (uint32_t i = 0; i < documents.count; i++) {
        read_document(session, &file, documents.items[i], forced);
    }
    if (file.objects != NULL) {
        raw_add_pools(session, &file.objects->objects, file.objects);
    }
    for (uint32_t i = 0; i < documents.count && forced == FOREIGN_NONE && file.kind == FOREIGN_NONE; i++) {
        file.kind = foreign_report_near(session, documents.items[i]);
    }
    const bool has_double = is_said(session, before, DIAG_yaml_duplicate_key);
    if (has_double && file.kind == FOREIGN_NONE && forced == FOREIGN_NONE) {
        diags_forget(session, before);
        return passed_over(SKIP_OTHER);
    }
    if (file.kind == FOREIGN_KUBERNETES || file.kind == FOREIGN_CLOUDFORMATION) {
        soften_doubles(session, before);
    }
    if (!has_double) {
        check_json(session, source, forced, &file);
    }
    if (forced != FOREIGN_NONE && file.kind == FOREIGN_NONE) {
        report_other(session, source, forced);
        file.kind = forced;
    }
    return file;
}
