// Rules about where the libraries of a training image lie: that the loader is told of the plugin, that what was installed
// stays, and that a path which one stage names is one that it has.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

static int last_stage(const PlanDockerfile *file) {
    return (int)file->stages.count - 1;
}

// ---- a plugin that nobody finds --------------------------------------------------------------------------------------

// Where the plugin is installed, as it is written; empty: this does not configure it, or it says no place.
static Str prefix_of_plugin(const DockerStep *step, const ShellSimple *command) {
    const bool is_plugin = str_is(docker_program(command), "configure") && str_has(step->script, "ofi-nccl") &&
                           docker_option(command, "--with-libfabric").len > 0 &&
                           docker_option(command, "--with-cuda").len > 0;
    return is_plugin ? docker_option(command, "--prefix") : STR_NONE;
}

// Folders that the loader knows by itself, or by the installer of EFA.
static bool is_known_to_loader(Str prefix) {
    static const char *const KNOWN[] = { "/usr", "/usr/", "/usr/local", "/usr/local/", "/" };
    bool is_one =
        str_starts_with(prefix, STR("/opt/amazon/efa")) || str_starts_with(prefix, STR("/opt/amazon/ofi-nccl"));
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++) {
        is_one = is_one || str_is_word(prefix, KNOWN[i]);
    }
    return is_one;
}

static bool is_named(const Rules *rules, const PlanDockerfile *file, Str folder) {
    const Str cut = str_ends_with(folder, STR("/")) ? str_slice(folder, 0, folder.len - 1) : folder;
    const Str lib = str_format(rules->session->arena, "%.*s/lib", STR_ARG(cut));
    return folder.len > 0 && str_find(file->text, lib, 0) < file->text.len;
}

// A file that is copied, or a script, may tell the loader.
static bool may_be_told(const PlanDockerfile *file) {
    bool may = str_has(file->text, "entrypoint") || str_has(file->text, ".bashrc");
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        may = may || (step->kind == DOCKER_COPY && (str_has(step->rest, "/etc") || str_has(step->rest, ".conf") ||
                                                    str_has(step->rest, ".sh") || str_has(step->rest, "profile")));
    }
    return may;
}

// The folder of another plugin that LD_LIBRARY_PATH names; a slice of the text.
static Str other_folder(const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_path = step->kind == DOCKER_ENV && str_has(step->rest, "LD_LIBRARY_PATH");
        const size_t at = is_path ? str_find(step->rest, STR("ofi-nccl"), 0) : step->rest.len;
        if (at < step->rest.len) {
            size_t start = at;
            size_t end = at;
            while (start > 0 && strchr(":=\" \n", step->rest.data[start - 1]) == NULL) {
                start--;
            }
            while (end < step->rest.len && strchr(":\" \n", step->rest.data[end]) == NULL) {
                end++;
            }
            return str_slice(step->rest, start, end);
        }
    }
    return STR_NONE;
}

static void check_prefix(const Rules *rules, const PlanDockerfile *file, uint32_t at, Str written) {
    Str prefix;
    if (!docker_fill(rules->session->arena, file, at, written, &prefix) || str_at(prefix, 0) != '/' ||
        is_known_to_loader(prefix) || is_named(rules, file, prefix) || is_named(rules, file, written) ||
        may_be_told(file)) {
        return;
    }
    const Str cut = str_ends_with(prefix, STR("/")) ? str_slice(prefix, 0, prefix.len - 1) : prefix;
    Diag *diag =
        plan_report(rules->session, file->subject, docker_span(file, written), DIAG(plugin_not_named), STR_ARG(cut));
    const Str other = other_folder(file);
    if (other.len > 0) {
        diag_label(rules->session, diag, docker_span(file, other), "this is another folder");
        diag_help(rules->session, diag, "write `%.*s/lib` there", STR_ARG(cut));
    } else {
        diag_help(rules->session, diag, "add `ENV LD_LIBRARY_PATH=%.*s/lib:$LD_LIBRARY_PATH`", STR_ARG(cut));
    }
}

void rule_docker_loader(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_last = step->is_read && docker_is_in(file, last_stage(file), i, file->steps.count);
        for (uint32_t k = 0; is_last && k < step->commands.count; k++) {
            const Str written = prefix_of_plugin(step, &step->commands.items[k]);
            if (written.len > 0) {
                check_prefix(rules, file, i, written);
            }
        }
    }
}

// ---- what is removed again -------------------------------------------------------------------------------------------

static bool removes_folders(const ShellSimple *command) {
    bool does = false;
    for (uint32_t i = command->program + 1; str_is(docker_program(command), "rm") && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        const bool is_short = str_starts_with(word, STR("-")) && !str_starts_with(word, STR("--"));
        does = does || str_is(word, "--recursive") || (is_short && (str_has(word, "r") || str_has(word, "R")));
    }
    return does;
}

// "libfabric" of `/opt/amazon/efa`: what of the installer's lies there; NULL: nothing that is missed.
static const char *removed(const PlanDockerfile *file, Str folder) {
    Str cut = folder;
    while (str_ends_with(cut, STR("/")) || str_ends_with(cut, STR("*"))) {
        cut = str_slice(cut, 0, cut.len - 1);
    }
    if (str_is(cut, "/opt/amazon") || str_is(cut, "/opt/amazon/efa") || str_is(cut, "/opt/amazon/efa/lib") ||
        str_is(cut, "/opt/amazon/efa/lib64")) {
        return "libfabric";
    }
    const bool is_plugin = str_starts_with(cut, STR("/opt/amazon/ofi-nccl"));
    return is_plugin && !str_has(file->text, "aws-ofi-nccl") ? "aws-ofi-nccl" : NULL;
}

typedef struct {
    Span installer; // SPAN_NONE: it was not run yet
    Span folder;    // that is removed behind it; SPAN_NONE: none
    const char *what;
} Removal;

static void follow(const PlanDockerfile *file, const ShellSimple *command, Removal *removal) {
    if (docker_is_efa_installer(command)) {
        *removal = (Removal){ .installer = docker_span(file, command->words.items[command->program]) };
    }
    for (uint32_t i = 0; removes_folders(command) && !span_is_none(removal->installer) && i < command->words.count;
         i++) {
        const char *what = removed(file, command->words.items[i]);
        if (what != NULL && span_is_none(removal->folder)) {
            removal->folder = docker_span(file, command->words.items[i]);
            removal->what = what;
        }
    }
}

void rule_docker_removed(const Rules *rules, const PlanDockerfile *file) {
    Removal removal = { 0 };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_last = step->is_read && docker_is_in(file, last_stage(file), i, file->steps.count);
        for (uint32_t k = 0; is_last && k < step->commands.count; k++) {
            follow(file, &step->commands.items[k], &removal);
        }
    }
    if (span_is_none(removal.folder)) {
        return;
    }
    Diag *diag = plan_report(rules->session, file->subject, removal.folder, DIAG(efa_removed), removal.what);
    diag_label(rules->session, diag, removal.installer, "installed here");
    diag_help(rules->session, diag,
              "leave it out: only the folder of the archive, `aws-efa-installer`, is of no more use");
}

// ---- paths that are lost ---------------------------------------------------------------------------------------------

typedef struct {
    Str text;
    size_t at;
} Items;

static Str next_item(Items *items) {
    const size_t end = str_find(items->text, STR(":"), items->at);
    const Str item = str_slice(items->text, items->at, end);
    items->at = end + 1;
    return item;
}

// Whether a job over EFA needs a folder.
static bool matters(Str folder) {
    return str_at(folder, 0) == '/' &&
           (str_has(folder, "/opt/amazon/") || str_has(folder, "nccl") || str_has(folder, "libfabric"));
}

static bool has_item(Str path, Str folder) {
    Items items = { .text = path };
    while (items.at < path.len) {
        if (str_equal(next_item(&items), folder)) {
            return true;
        }
    }
    return false;
}

static Str lost_item(Str before, Str after) {
    Items items = { .text = before };
    while (items.at < before.len) {
        const Str item = next_item(&items);
        if (matters(item) && !has_item(after, item)) {
            return item;
        }
    }
    return STR_NONE;
}

static bool goes_on(Str path) {
    return str_has(path, "$");
}

// AWS's own images have EFA, and say so in this variable.
static bool is_of_aws(Str image) {
    return str_has(image, "763104351884.dkr.ecr.") ||
           str_starts_with(image, STR("public.ecr.aws/deep-learning-containers/"));
}

static void report_lost(const Rules *rules, const PlanDockerfile *file, const DockerSetting *setting, Str lost,
                        Span place) {
    Diag *diag = plan_report(rules->session, file->subject, setting->span, DIAG(library_path_lost), STR_ARG(lost));
    diag_label(rules->session, diag, place, "%s", "");
    diag_help(rules->session, diag, "write `:$LD_LIBRARY_PATH` behind it");
}

static const DockerSetting *path_of(const DockerStep *step) {
    for (uint32_t i = step->settings.count; step->kind == DOCKER_ENV && i > 0; i--) {
        if (str_is(step->settings.items[i - 1].name, "LD_LIBRARY_PATH")) {
            return &step->settings.items[i - 1];
        }
    }
    return NULL;
}

void rule_docker_library_path(const Rules *rules, const PlanDockerfile *file) {
    const DockerSetting *before = NULL;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const DockerSetting *setting =
            docker_is_in(file, last_stage(file), i, file->steps.count) ? path_of(step) : NULL;
        if (setting == NULL) {
            continue;
        }
        const Str image = docker_root(file, step->stage);
        const Str lost =
            before != NULL && !goes_on(setting->value) ? lost_item(before->value, setting->value) : STR_NONE;
        if (lost.len > 0) {
            report_lost(rules, file, setting, lost, before->span);
        } else if (before == NULL && !goes_on(setting->value) && is_of_aws(image) &&
                   !str_has(setting->value, "/opt/amazon")) {
            report_lost(rules, file, setting, STR("/opt/amazon/efa/lib"), file->stages.items[step->stage].span);
        }
        before = setting;
    }
}

// ---- the programs of the system --------------------------------------------------------------------------------------

static bool has_system(Str path) {
    static const char *const SYSTEM[] = { "/usr/bin", "/usr/bin/", "/bin", "/bin/", "/usr/local/bin" };
    bool has = false;
    for (size_t i = 0; i < COUNT_OF(SYSTEM); i++) {
        has = has || has_item(path, str_of(SYSTEM[i]));
    }
    return has;
}

// The next program that a RUN of the stage starts by its name alone; empty: there is none.
static Str next_program(const PlanDockerfile *file, uint32_t at) {
    for (uint32_t i = at + 1; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_later = docker_is_in(file, file->steps.items[at].stage, i, file->steps.count);
        if (is_later && step->kind == DOCKER_ENV && str_has(step->rest, "PATH")) {
            return STR_NONE;
        }
        if (is_later && step->is_read && step->commands.count > 0) {
            const ShellSimple *command = &step->commands.items[0];
            return command->program < command->words.count && !str_has(command->words.items[command->program], "/")
                       ? command->words.items[command->program]
                       : STR_NONE;
        }
    }
    return STR_NONE;
}

void rule_docker_path(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->kind == DOCKER_ENV && k < step->settings.count; k++) {
            const DockerSetting *setting = &step->settings.items[k];
            const bool is_path = str_is(setting->name, "PATH") && str_at(setting->value, 0) == '/';
            const bool is_lost = is_path && !goes_on(setting->value) && !has_system(setting->value);
            const Str program = is_lost ? next_program(file, i) : STR_NONE;
            if (program.len > 0) {
                Diag *diag =
                    plan_report(rules->session, file->subject, setting->span, DIAG(docker_path_lost), STR_ARG(program));
                diag_label(rules->session, diag, docker_span(file, program), "%s", "");
                diag_help(rules->session, diag, "write `:$PATH` behind it");
                return;
            }
        }
    }
}

// ---- paths of another stage ------------------------------------------------------------------------------------------

// "/opt/nccl" of "/opt/nccl/build/lib".
static Str root_of(Str folder) {
    const size_t first = str_find(folder, STR("/"), 1);
    return str_slice(folder, 0, str_find(folder, STR("/"), first + 1));
}

// Whether a folder stands in a text, and not as the beginning of another name.
static bool has_folder(Str text, Str folder) {
    for (size_t at = str_find(text, folder, 0); at < text.len; at = str_find(text, folder, at + 1)) {
        const char next = str_at(text, at + folder.len);
        if (!char_is_of_name(next) && next != '-' && next != '.') {
            return true;
        }
    }
    return false;
}

static bool makes(const DockerStep *step, Str root) {
    const bool is_efa = str_is(root, "/opt/amazon");
    const Str text = step->kind == DOCKER_RUN ? step->script : step->rest;
    const bool may = step->kind == DOCKER_RUN || step->kind == DOCKER_COPY || step->kind == DOCKER_OTHER;
    return may && (has_folder(text, root) || (is_efa && str_has(text, "efa_installer")));
}

// Whether a COPY may bring in a folder with others: `/`, `/opt`, or where nobody knows.
static bool copies_wide(const DockerStep *step) {
    if (step->kind != DOCKER_COPY || step->words.count == 0) {
        return false;
    }
    const Str last = step->words.items[step->words.count - 1];
    return str_is(last, "/") || str_is(last, "/opt") || str_is(last, "/opt/") || str_has(last, "$") ||
           str_at(last, 0) != '/' || str_has(step->options, "--parents");
}

// The stage beside the last one that makes a folder; -1: none, or the last one has it as well.
static int stage_of(const PlanDockerfile *file, Str root, uint32_t before) {
    int found = -1;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_own = docker_is_in(file, last_stage(file), i, file->steps.count);
        if (is_own && (makes(step, root) || copies_wide(step))) {
            return -1;
        }
        found = !is_own && i < before && step->kind == DOCKER_RUN && makes(step, root) ? step->stage : found;
    }
    return found;
}

static void check_items(const Rules *rules, const PlanDockerfile *file, uint32_t at, const DockerSetting *setting) {
    Items items = { .text = setting->value };
    for (int count = 0; items.at < items.text.len && count < 32; count++) {
        const Str item = next_item(&items);
        const bool may_be = matters(item) && !str_has(item, "$") && str_find(item, STR("/"), 1) < item.len;
        const int stage = may_be ? stage_of(file, root_of(item), at) : -1;
        if (stage < 0) {
            continue;
        }
        const Span place = docker_place_of(rules->session->arena, file, at, docker_text(file, setting->span), item);
        Diag *diag = plan_report(rules->session, file->subject, place, DIAG(path_of_other_stage), STR_ARG(item));
        diag_label(rules->session, diag, file->stages.items[stage].span, "the stage that makes it");
        diag_help(rules->session, diag, "add `COPY --from=%.*s %.*s %.*s`",
                  STR_ARG(file->stages.items[stage].name.len > 0 ? file->stages.items[stage].name
                                                                 : str_format(rules->session->arena, "%d", stage)),
                  STR_ARG(root_of(item)), STR_ARG(root_of(item)));
        return;
    }
}

void rule_docker_stage_paths(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerSetting *setting = path_of(&file->steps.items[i]);
        if (setting != NULL && docker_is_in(file, last_stage(file), i, file->steps.count) &&
            docker_is_plain(docker_root(file, last_stage(file)))) {
            check_items(rules, file, i, setting);
        }
    }
}
