// Rules about the user of an MPIJob's pods. mpirun reaches the workers by ssh: who starts it reads the key, and the server
// on the other side runs as the user of its pod.
// source: kubeflow/mpi-operator@caa3c47 pkg/controller/mpi_job_controller.go, setupSSHOnPod and newWorker; build/base;
// read 2026-11
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/script/shell_text.h"

// Of root, with a `/` behind it or not.
static bool is_of_root(Str path) {
    return str_is(path, "/root/.ssh") || str_is(path, "/root/.ssh/");
}

// A role of the job: the operator mounts the keys into its first container.
typedef struct {
    const char *name; // "Launcher"
    const char *who;
} RoleRow;

static const RoleRow ROLES[] = { { "Launcher", "the launcher" }, { "Worker", "a worker" } };

typedef struct {
    const Value *pod;
    const Value *container;
    const Value *user; // NULL: the image says it
    const PlanLauncher *launcher;
} Role;

static Role role_of(const PlanObject *object, const char *name) {
    const Value *specs = object_get(object_get(object->fields, "spec"), "mpiReplicaSpecs");
    const Value *pod = object_get(object_get(object_get(specs, name), "template"), "spec");
    const Value *containers = object_get(pod, "containers");
    Role role = { .pod = pod, .container = object_count(containers) == 0 ? NULL : containers->list.items[0] };
    const Value *own = object_get(object_get(role.container, "securityContext"), "runAsUser");
    const PlanWorkload *workload = workload_of_container(object, role.container);
    role.launcher = workload == NULL ? NULL : workload->launcher;
    role.user = own != NULL ? own : object_get(object_get(pod, "securityContext"), "runAsUser");
    return role;
}

static bool is_other_user(const Role *role) {
    return role->launcher != NULL && role->user != NULL && role->user->kind == VALUE_INT && role->user->integer > 0;
}

// A group of the pod's volumes may read what the user may not, and a container that starts first may copy it.
static bool may_read(const Role *role) {
    return object_get(object_get(role->pod, "securityContext"), "fsGroup") != NULL ||
           object_get(role->pod, "initContainers") != NULL;
}

// A word that is sshd, or a script that runs it.
static bool starts_sshd(Arena *arena, const CommandWords *words, uint32_t i) {
    const CommandWord *word = &words->items[i];
    const bool is_script = word->is == SHELL_WORD_SCRIPT;
    return is_script ? shell_runs(arena, word->text, STR("sshd")) < word->text.len
                     : i == 0 && str_ends_with(word->text, STR("sshd"));
}

// Whether sshd is told of files of its own, or something else may make them: a script, or an image.
static bool has_own_files(Arena *arena, const Role *role) {
    static const char *const OPTIONS[] = { "-f", "-h", "HostKey", "ssh-keygen", "sudo", "su " };
    const CommandWords *words = &role->launcher->words;
    bool has_sshd = words->count == 0; // the operator writes `/usr/sbin/sshd -De`
    for (uint32_t i = 0; i < words->count; i++) {
        has_sshd = has_sshd || starts_sshd(arena, words, i);
    }
    return !has_sshd || launcher_mentions_any(role->launcher, OPTIONS, COUNT_OF(OPTIONS));
}

static bool is_server_of_root(const Rules *rules, const Role *role) {
    return is_other_user(role) && !may_read(role) && !has_own_files(rules->session->arena, role);
}

static const char *own_server(const PlanObject *object) {
    return object->is_manifest ? "`command: [/usr/sbin/sshd, -De, -f, /home/mpiuser/.sshd_config]`"
                               : "`command = [\"/usr/sbin/sshd\", \"-De\", \"-f\", \"/home/mpiuser/.sshd_config\"]`";
}

static void check_server(const Rules *rules, const PlanObject *object, const Role *role) {
    if (is_server_of_root(rules, role)) {
        Diag *diag =
            plan_report(rules->session, object->subject, role->user->span, DIAG(mpi_server), role->user->integer);
        diag_help(rules->session, diag, "name a configuration of this user's, as the operator's image has one: %s",
                  own_server(object));
    }
}

// The folder of the keys, and the server of workers whose mistake comes up as soon as that is right.
static void help_with_keys(const Rules *rules, Diag *diag, const PlanObject *object, const Value *path) {
    const Role worker = role_of(object, "Worker");
    StrBuf more = { .arena = rules->session->arena };
    if (is_server_of_root(rules, &worker)) {
        strbuf_add_format(&more, "; name a configuration of this user's for sshd of the workers, too: %s",
                          own_server(object));
    }
    diag_help(rules->session, diag, "write the folder of this user in the image%s: `sshAuthMountPath%s`%.*s",
              path == NULL ? "" : " in its place",
              object->is_manifest ? ": /home/mpiuser/.ssh" : " = \"/home/mpiuser/.ssh\"", STR_ARG(strbuf_str(&more)));
}

void rule_mpi_user(const Rules *rules, const PlanObject *object) {
    if (!str_is(object->resource->type, "kubeflow.org/v2beta1/MPIJob") || object->is_changed) {
        return;
    }
    const Value *path = object_get(object_get(object->fields, "spec"), "sshAuthMountPath");
    const Str place = path == NULL ? STR("/root/.ssh") : object_text(path);
    for (size_t i = 0; is_of_root(place) && i < COUNT_OF(ROLES); i++) {
        const Role role = role_of(object, ROLES[i].name);
        if (is_other_user(&role) && !may_read(&role)) {
            Diag *diag = plan_report(rules->session, object->subject, role.user->span, DIAG(mpi_keys), ROLES[i].who,
                                     role.user->integer, STR_ARG(place));
            help_with_keys(rules, diag, object, path);
            return;
        }
    }
    const Role worker = role_of(object, "Worker");
    check_server(rules, object, &worker);
}
