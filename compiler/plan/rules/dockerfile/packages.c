// Rules about programs that a RUN starts to install something: that they may, that they know packages, and that the image has
// them.
// source: Docker, Dockerfile reference, USER, RUN and SHELL; Best practices for Dockerfiles, apt-get; Debian manual pages,
// apt-get(8) and dash(1); library/ubuntu, library/debian and nvidia/cuda on Docker Hub, whose layers have no lists of
// packages, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/script/shell_program.h"

static bool is_one_of(Str word, const char *const *words, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || str_is_word(word, words[i]);
    }
    return is;
}

static Str word_of_program(const ShellSimple *command) {
    return command->program < command->words.count ? command->words.items[command->program] : STR_NONE;
}

// A script may try one thing after the other, and go on where a command fails.
static bool may_go_on(const DockerStep *step) {
    static const char *const WORDS[] = { "||", "if ", "case ", "command -v", "which ", "set +e" };
    bool may = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        may = may || str_has(step->script, WORDS[i]);
    }
    return may;
}

// ---- who runs it -----------------------------------------------------------------------------------------------------

static bool is_started_by(const ShellSimple *command, const char *const *programs, size_t count) {
    bool is = false;
    for (uint32_t i = 0; i < command->program && i < command->words.count; i++) {
        is = is || is_one_of(command->words.items[i], programs, count);
    }
    return is;
}

static bool has_any_word(const ShellSimple *command, const char *const *words, size_t count) {
    bool has = false;
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        has = has || is_one_of(command->words.items[i], words, count);
    }
    return has;
}

// Whether a command writes where root alone may.
static bool needs_root(const ShellSimple *command) {
    static const char *const MANAGERS[] = { "apt-get", "apt", "yum", "dnf", "microdnf", "apk", "zypper" };
    static const char *const ACTIONS[] = { "install", "update",     "upgrade", "dist-upgrade", "remove", "purge",
                                           "add",     "autoremove", "-U" };
    static const char *const FILES[] = { "dpkg", "rpm" };
    static const char *const ACTIONS_ON_FILES[] = { "-i", "--install", "-U" };
    static const char *const ALONE[] = { "efa_installer.sh", "useradd", "groupadd", "update-ca-certificates" };
    static const char *const HELPS[] = { "--help", "-h" };
    static const char *const LINKER_READS[] = { "--help", "-h", "-p", "--version", "-V", "-n", "-N" };
    const Str program = docker_program(command);
    return (is_one_of(program, ALONE, COUNT_OF(ALONE)) && !has_any_word(command, HELPS, COUNT_OF(HELPS))) ||
           (str_is(program, "ldconfig") && !has_any_word(command, LINKER_READS, COUNT_OF(LINKER_READS))) ||
           (is_one_of(program, MANAGERS, COUNT_OF(MANAGERS)) && has_any_word(command, ACTIONS, COUNT_OF(ACTIONS))) ||
           (is_one_of(program, FILES, COUNT_OF(FILES)) &&
            has_any_word(command, ACTIONS_ON_FILES, COUNT_OF(ACTIONS_ON_FILES)));
}

// The user of a USER; empty where it is root, or nobody knows.
static Str user_of(Arena *arena, const PlanDockerfile *file, uint32_t at) {
    const Str written = str_trim(file->steps.items[at].rest);
    Str filled;
    if (!docker_fill(arena, file, at, written, &filled)) {
        return STR_NONE;
    }
    const Str user = str_slice(filled, 0, str_find(filled, STR(":"), 0));
    return str_is(user, "root") || str_is(user, "0") || str_has(user, "\\") ? STR_NONE : user;
}

// Whether a mode gives a program the user of its file: `4755`.
static bool is_mode_of_user(Str word) {
    enum { DIGITS = 4 };
    bool is = word.len >= DIGITS && word.data[word.len - DIGITS] >= '4';
    for (size_t i = 0; i < word.len; i++) {
        is = is && char_is_digit(word.data[i]);
    }
    return is;
}

// Whether a command makes a user one that may do all, or a program one that does.
static bool makes_root(const ShellSimple *command) {
    static const char *const ALONE[] = { "setcap", "usermod", "fakeroot" };
    static const char *const USERS[] = { "useradd", "adduser" };
    static const char *const OPTIONS[] = { "-o", "--non-unique", "0", "-u0", "--uid=0", "-ou" };
    static const char *const MODES[] = { "u+s", "+s", "a+s", "ug+s" };
    const Str program = docker_program(command);
    bool is_set = false;
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        is_set = is_set || is_mode_of_user(command->words.items[i]);
    }
    return is_one_of(program, ALONE, COUNT_OF(ALONE)) ||
           (is_one_of(program, USERS, COUNT_OF(USERS)) && has_any_word(command, OPTIONS, COUNT_OF(OPTIONS))) ||
           (str_is(program, "chmod") && (is_set || has_any_word(command, MODES, COUNT_OF(MODES))));
}

// Whether the file has such a command, or one that nobody can read.
static bool may_make_root(const PlanDockerfile *file) {
    static const char *const WORDS[] = { "useradd", "adduser", "u+s", "setcap", "usermod", "fakeroot" };
    bool may = false;
    for (uint32_t i = 0; i < file->steps.count && !may; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->is_read && k < step->commands.count; k++) {
            may = may || makes_root(&step->commands.items[k]);
        }
        for (size_t k = 0; step->kind == DOCKER_RUN && !step->is_read && k < COUNT_OF(WORDS); k++) {
            may = may || str_has(step->script, WORDS[k]);
        }
    }
    return may;
}

typedef struct {
    Str name;      // empty: root, or unknown
    uint32_t step; // that says so
    bool is_said;  // a command of it was reported
} User;

static void report_root(const Rules *rules, const PlanDockerfile *file, const User *user, const ShellSimple *command) {
    const Str program = word_of_program(command);
    Diag *diag = plan_report(rules->session, file->subject, docker_span(file, program), DIAG(docker_not_root),
                             STR_ARG(docker_program(command)), STR_ARG(user->name));
    diag_label(rules->session, diag, file->steps.items[user->step].name, "%s", "");
    diag_help(rules->session, diag, "write `USER root` above, and `USER %.*s` behind it", STR_ARG(user->name));
}

static void check_step_of_user(const Rules *rules, const PlanDockerfile *file, uint32_t at, User *user) {
    static const char *const STARTERS[] = { "sudo", "su", "gosu", "doas", "su-exec" };
    const DockerStep *step = &file->steps.items[at];
    const bool is_asked = step->is_read && user->name.len > 0 && !user->is_said && !may_go_on(step);
    for (uint32_t i = 0; is_asked && i < step->commands.count && !user->is_said; i++) {
        const ShellSimple *command = &step->commands.items[i];
        if (needs_root(command) && !is_started_by(command, STARTERS, COUNT_OF(STARTERS))) {
            report_root(rules, file, user, command);
            user->is_said = true;
        }
    }
}

void rule_docker_root(const Rules *rules, const PlanDockerfile *file) {
    VEC(User) users = { 0 }; // of each stage
    const bool may_be_root = may_make_root(file);
    for (uint32_t i = 0; !may_be_root && i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        if (step->kind == DOCKER_FROM) {
            const int parent = file->stages.items[step->stage].parent;
            const User user = parent >= 0 ? users.items[parent] : (User){ 0 };
            vec_push(rules->session->arena, &users, user);
        } else if (step->stage != DOCKER_BEFORE && docker_step_is(file, step, "USER")) {
            users.items[step->stage] = (User){ .name = user_of(rules->session->arena, file, i), .step = i };
        } else if (step->stage != DOCKER_BEFORE) {
            check_step_of_user(rules, file, i, &users.items[step->stage]);
        }
    }
}

// ---- lists of packages -----------------------------------------------------------------------------------------------

typedef enum {
    LISTS_UNKNOWN,
    LISTS_NONE,    // the image begins without
    LISTS_REMOVED, // a command above took them away
    LISTS_THERE,
} Lists;

typedef struct {
    Lists lists;
    bool is_said;
    uint32_t looked; // for how many commands
    Str removed;     // the word that says what is taken away
} ListsOfStage;

static bool is_folder_of_lists(Str word) {
    static const char *const FOLDERS[] = { "/var/lib/apt/lists", "/var/lib/apt/lists/", "/var/lib/apt/lists/*",
                                           "/var/lib/apt",       "/var/lib/apt/",       "/var/lib/apt/*" };
    return is_one_of(word, FOLDERS, COUNT_OF(FOLDERS));
}

static bool is_apt(Str program) {
    return str_is(program, "apt-get") || str_is(program, "apt") || str_is(program, "aptitude");
}

// What a command that is no apt may do: a script of somebody may fetch the lists.
static bool may_fetch_lists(const ShellSimple *command) {
    const Str word = word_of_program(command);
    const Str program = docker_program(command);
    return shell_is_shell(program) || str_ends_with(program, STR(".sh")) || str_has(word, "$") ||
           str_is(program, "source") || str_is(program, ".") || str_is(program, "eval") ||
           str_is(program, "add-apt-repository") || str_starts_with(program, STR("python")) ||
           str_is(program, "apt-fast") || str_is(program, "xargs") || str_is(program, "chroot") ||
           (str_has(word, "/") && !str_starts_with(word, STR("/usr/")) && !str_starts_with(word, STR("/bin/")));
}

static void follow_lists(const ShellSimple *command, ListsOfStage *state) {
    const Str program = docker_program(command);
    if (is_apt(program) && docker_has_word(command, "update")) {
        state->lists = LISTS_THERE;
    } else if (str_is(program, "apt-get") && docker_has_word(command, "dist-clean")) {
        state->lists = LISTS_REMOVED;
        state->removed = word_of_program(command);
    } else if (str_is(program, "rm")) {
        for (uint32_t i = command->program + 1; i < command->words.count; i++) {
            if (is_folder_of_lists(command->words.items[i])) {
                state->lists = LISTS_REMOVED;
                state->removed = command->words.items[i];
            }
        }
    } else if (!is_apt(program) && may_fetch_lists(command)) {
        state->lists = LISTS_UNKNOWN;
    }
}

// Packages that no base image has.
static const char *const PACKAGES[] = {
    "git",
    "openssh-server",
    "openssh-client",
    "openmpi-bin",
    "libopenmpi-dev",
    "python3-pip",
    "python3-venv",
    "python3-dev",
    "python3-packaging",
    "vim",
    "nano",
    "cmake",
    "ninja-build",
    "unzip",
    "htop",
    "tmux",
    "sudo",
    "net-tools",
    "iproute2",
    "iputils-ping",
    "pciutils",
    "autoconf",
    "automake",
    "libtool",
    "libhwloc-dev",
    "rdma-core",
    "ibverbs-utils",
    "infiniband-diags",
    "jq",
    "rsync",
    "pdsh",
    "software-properties-common",
    "libibverbs-dev",
    "ffmpeg",
    "git-lfs",
    "libaio-dev",
    "libnuma-dev",
    "environment-modules",
    "wget",
};

// The first package of a command that the image cannot have: nothing above has its name.
static Str missing_package(const PlanDockerfile *file, const ShellSimple *command) {
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        const Str name = str_slice(word, 0, str_find(word, STR("="), 0));
        if (is_one_of(name, PACKAGES, COUNT_OF(PACKAGES))) {
            return str_find(file->text, name, 0) == docker_span(file, name).start ? name : STR_NONE;
        }
    }
    return STR_NONE;
}

static void report_lists(const Rules *rules, const PlanDockerfile *file, const ListsOfStage *state,
                         const ShellSimple *command, Str package) {
    const Str program = word_of_program(command);
    Diag *diag = plan_report(rules->session, file->subject, docker_span(file, program), DIAG(docker_no_lists),
                             STR_ARG(docker_program(command)), STR_ARG(package),
                             state->lists == LISTS_NONE ? "the image begins without lists of packages"
                                                        : "the lists of packages were removed");
    if (state->lists == LISTS_REMOVED) {
        diag_label(rules->session, diag, docker_span(file, state->removed), "removed here");
    }
    diag_help(rules->session, diag, "write `%.*s update && ` before it", STR_ARG(docker_program(command)));
}

enum { LOOKED_MAX = 200 }; // far above what anyone writes

static void check_lists(const Rules *rules, const PlanDockerfile *file, uint32_t at, ListsOfStage *state) {
    const DockerStep *step = &file->steps.items[at];
    if (!step->is_read || str_has(step->options, "/var/lib") || str_has(step->options, "/var/cache")) {
        state->lists = LISTS_UNKNOWN;
        return;
    }
    const bool may_fail = may_go_on(step);
    for (uint32_t i = 0; i < step->commands.count; i++) {
        const ShellSimple *command = &step->commands.items[i];
        const bool is_bare = state->lists == LISTS_NONE || state->lists == LISTS_REMOVED;
        const bool installs = is_bare && !state->is_said && is_apt(docker_program(command)) &&
                              docker_has_word(command, "install") && !may_fail && state->looked++ < LOOKED_MAX;
        const Str package = installs ? missing_package(file, command) : STR_NONE;
        if (package.len > 0) {
            report_lists(rules, file, state, command, package);
            state->is_said = true;
        }
        follow_lists(command, state);
    }
}

// Whether a COPY may bring lists in.
static bool copies_lists(const DockerStep *step) {
    const Str last = step->words.count > 0 ? step->words.items[step->words.count - 1] : STR_NONE;
    return str_is(last, "/") || str_starts_with(last, STR("/var")) || str_has(last, "$");
}

void rule_docker_lists(const Rules *rules, const PlanDockerfile *file) {
    VEC(ListsOfStage) states = { 0 };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        if (step->kind == DOCKER_FROM) {
            const DockerStage *stage = &file->stages.items[step->stage];
            const bool is_bare = docker_is_plain(stage->image) && docker_packages(stage->image) == DOCKER_PACKAGES_APT;
            const ListsOfStage state = stage->parent >= 0
                                           ? states.items[stage->parent]
                                           : (ListsOfStage){ .lists = is_bare ? LISTS_NONE : LISTS_UNKNOWN };
            vec_push(rules->session->arena, &states, state);
        } else if (step->kind == DOCKER_RUN && step->stage != DOCKER_BEFORE) {
            check_lists(rules, file, i, &states.items[step->stage]);
        } else if (step->kind == DOCKER_COPY && step->stage != DOCKER_BEFORE && copies_lists(step)) {
            states.items[step->stage].lists = LISTS_UNKNOWN;
        }
    }
}

// ---- programs that are not there -------------------------------------------------------------------------------------

// Whether a command above brings a program in, by its name.
static bool is_brought(const PlanDockerfile *file, Str program, uint32_t before) {
    for (uint32_t i = 0; i <= before; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->is_read && k < step->commands.count; k++) {
            const ShellSimple *command = &step->commands.items[k];
            for (uint32_t w = command->program + 1; w < command->words.count; w++) {
                if (str_equal(command->words.items[w], program)) {
                    return true;
                }
            }
        }
        if ((step->kind == DOCKER_RUN && !step->is_read) || (step->kind == DOCKER_COPY && copies_lists(step))) {
            return true;
        }
    }
    return false;
}

// What installs packages in an image that has no such program; NULL: it may have the program.
static const char *lack_of(DockerPackages packages, Str program) {
    static const char *const NOT_OF_APT[] = { "yum", "dnf", "microdnf", "zypper", "apk" };
    static const char *const NOT_OF_RPM[] = { "apt-get", "apt", "apk", "add-apt-repository", "dpkg" };
    if (packages == DOCKER_PACKAGES_APT && is_one_of(program, NOT_OF_APT, COUNT_OF(NOT_OF_APT))) {
        return "its packages are installed by `apt-get`";
    }
    return packages == DOCKER_PACKAGES_RPM && is_one_of(program, NOT_OF_RPM, COUNT_OF(NOT_OF_RPM))
               ? "its packages are installed by `dnf` or `yum`"
               : NULL;
}

static Diag *report_lack(const Rules *rules, const PlanDockerfile *file, const DockerStep *step, Str word,
                         const char *reason) {
    Diag *diag = plan_report(rules->session, file->subject, docker_span(file, word), DIAG(docker_no_program),
                             STR_ARG(docker_root(file, step->stage)), STR_ARG(word), reason);
    diag_label(rules->session, diag, file->stages.items[docker_root_stage(file, step->stage)].span, "%s", "");
    return diag;
}

// True where something was said of the manager of packages.
static bool check_programs(const Rules *rules, const PlanDockerfile *file, uint32_t at) {
    const DockerStep *step = &file->steps.items[at];
    const Str image = docker_root(file, step->stage);
    const DockerPackages packages = docker_packages(image);
    const bool may_fail = may_go_on(step);
    for (uint32_t i = 0; i < step->commands.count && !may_fail; i++) {
        const ShellSimple *command = &step->commands.items[i];
        const Str program = word_of_program(command);
        const char *lack = lack_of(packages, program);
        if (lack != NULL) {
            if (!is_brought(file, program, at)) {
                Diag *diag = report_lack(rules, file, step, program, lack);
                diag_help(rules->session, diag,
                          packages == DOCKER_PACKAGES_APT
                              ? "write `apt-get update && apt-get install -y`"
                              : "write `dnf install -y`, or `yum install -y` of an older one");
            }
            return true;
        }
    }
    return false;
}

void rule_docker_programs(const Rules *rules, const PlanDockerfile *file) {
    bool is_said = false;
    for (uint32_t i = 0; i < file->steps.count && !is_said; i++) {
        const DockerStep *step = &file->steps.items[i];
        is_said = step->stage != DOCKER_BEFORE && step->is_read && check_programs(rules, file, i);
    }
}
