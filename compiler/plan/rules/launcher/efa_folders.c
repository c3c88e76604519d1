// A rule about the folders of the EFA installer, which commands, paths of libraries and Dockerfiles name: one that is nearly called
// as the installer calls it is not there, and the loader passes over it without a word.
// source: EC2 User Guide, Get started with EFA and MPI, and with EFA and NCCL; contents of aws-efa-installer 1.30 to 1.48,
// 2026-11, read 2026-12
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/plan_dockerfile.h"

static const char ROOT[] = "/opt/amazon/";

static const char *const FOLDERS[] = { "efa", "openmpi", "openmpi5", "ofi-nccl" };

// Folders of others there, and files of the installer.
static const char *const OTHERS[] = { "aws-ofi-nccl", "sagemaker", "pmix", "deepep", "nvshmem", "wheels", "neuron" };

// The folders that scripts name once more may be made there.
static const char *const MAKERS[] = { "mkdir", "ln -s", "prefix", "COPY", "git clone", "DESTDIR", "mv ", "cp " };

static bool char_is_of_folder(char c) {
    return char_is_of_name(c) || c == '-' || c == '.';
}

static bool is_one_of(Str name, const char *const *names, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || str_is(name, names[i]);
    }
    return is;
}

// `open-mpi` and `OpenMPI` of `openmpi`.
static bool is_spelled_as(Str name, Str folder) {
    size_t at = 0;
    for (size_t i = 0; i < name.len; i++) {
        const bool is_sign = strchr("-_.", name.data[i]) != NULL;
        while (is_sign && strchr("-_.", str_at(folder, at)) != NULL && at < folder.len) {
            at++;
        }
        if (is_sign) {
            continue;
        }
        if (char_small(name.data[i]) != str_at(folder, at)) {
            return false;
        }
        at++;
    }
    return at == folder.len;
}

// The folder of the installer that a name is nearly; empty: it is one, or of somebody else.
static Str meant(Session *session, Str name) {
    if (name.len == 0 || is_one_of(name, FOLDERS, COUNT_OF(FOLDERS)) || is_one_of(name, OTHERS, COUNT_OF(OTHERS))) {
        return STR_NONE;
    }
    Suggestion near = suggest_for(session, name);
    for (size_t i = 0; i < COUNT_OF(FOLDERS); i++) {
        if (is_spelled_as(name, str_of(FOLDERS[i]))) {
            return str_of(FOLDERS[i]);
        }
        suggest_offer(&near, str_of(FOLDERS[i]));
    }
    return suggest_is_sure(&near) && !str_starts_with(name, STR("efa_")) ? near.best : STR_NONE;
}

// The next folder below /opt/amazon from `*at` on that the installer does not make; empty: there is none.
static Str next_wrong(Session *session, Str text, size_t *at, Str *right) {
    for (size_t start = str_find(text, STR(ROOT), *at); start < text.len; start = str_find(text, STR(ROOT), *at)) {
        size_t end = start + strlen(ROOT);
        while (char_is_of_folder(str_at(text, end))) {
            end++;
        }
        *at = end;
        *right = meant(session, str_slice(text, start + strlen(ROOT), end));
        if (right->len > 0) {
            return str_slice(text, start, end);
        }
    }
    return STR_NONE;
}

// Whether the text may make the folder itself.
static bool may_make(Str text, Str folder) {
    for (size_t at = str_find(text, folder, 0); at < text.len; at = str_find(text, folder, at + 1)) {
        size_t start = at;
        while (start > 0 && text.data[start - 1] != '\n') {
            start--;
        }
        const Str line = str_slice(text, start, str_find(text, STR("\n"), at));
        if (str_has_any(line, MAKERS, COUNT_OF(MAKERS))) {
            return true;
        }
    }
    return false;
}

static void say(const Rules *rules, const Subject *subject, Span span, Str folder, Str right) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(efa_folder), STR_ARG(folder));
    diag_help(rules->session, diag, "write `%s%.*s`", ROOT, STR_ARG(right));
}

// ---- each way in -----------------------------------------------------------------------------------------------------

static void check_launcher(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    Session *session = rules->session;
    Str right;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        const CommandWord *word = &launcher->words.items[i];
        size_t at = 0;
        const Str folder = next_wrong(session, word->run, &at, &right);
        if (folder.len > 0 && !may_make(word->run, folder)) {
            say(rules, subject, command_part_place(session, word, at - folder.len, at), folder, right);
            return;
        }
    }
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        const PlanField *value = &launcher->variables.items[i].value;
        size_t at = 0;
        const Str folder = next_wrong(session, value->text, &at, &right);
        if (folder.len > 0) {
            say(rules, subject, launcher_part(session, value->span, folder), folder, right);
            return;
        }
    }
}

void rule_pod_efa_folders(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_launcher(rules, object->subject, object->workloads.items[i]->launcher);
    }
}

void rule_efa_folders_of_job(const Rules *rules, const PlanJob *job) {
    check_launcher(rules, job->head.subject, job->workload->launcher);
}

void rule_definition_efa_folders(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_launcher(rules, container->subject, container->launcher);
    }
}

void rule_script_efa_folders(const Rules *rules, const PlanSlurmScript *script) {
    size_t at = 0;
    Str right;
    const Str folder = next_wrong(rules->session, script->text, &at, &right);
    if (folder.len > 0 && !may_make(script->text, folder)) {
        say(rules, script->subject, slurm_span(script, at - folder.len, at), folder, right);
    }
}

void rule_docker_efa_folders(const Rules *rules, const PlanDockerfile *file) {
    size_t at = 0;
    Str right;
    const Str folder = next_wrong(rules->session, file->text, &at, &right);
    if (folder.len > 0 && !may_make(file->text, folder)) {
        say(rules, file->subject, docker_span(file, folder), folder, right);
    }
}
