#include "compiler/plan/rules/bottlerocket.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"

// source: bottlerocket-os/bottlerocket-settings-sdk@2363566c bottlerocket-settings-models/settings-extensions/kubernetes/src/lib.rs; Bottlerocket documentation, settings of 1.54.x, 2026-11, read 2026-12
typedef struct {
    const char *path;
    const char *keys;
} PathRow;

static const PathRow PATHS[] = {
    { "", "settings" },
    { "settings", "autoscaling|aws|boot|bootstrap-commands|bootstrap-containers|cloudformation|container-registry|"
                  "container-runtime|"
                  "container-runtime-plugins|dns|ecs|host-containers|kernel|kubelet-device-plugins|kubernetes|metrics|"
                  "motd|network|ntp|"
                  "nvidia-container-runtime|oci-defaults|oci-hooks|pki|updates" },
    { "settings.kernel", "lockdown|modules|sysctl" },
    { "settings.kubelet-device-plugins", "nvidia" },
    { "settings.kubelet-device-plugins.nvidia",
      "device-id-strategy|device-list-strategy|device-partitioning-strategy|device-sharing-strategy|mig|mps|"
      "pass-device-specs|time-slicing" },
    { "settings.kubelet-device-plugins.nvidia.mig", "profile" },
    { "settings.kubelet-device-plugins.nvidia.mps", "rename-by-default|replicas" },
    { "settings.kubelet-device-plugins.nvidia.time-slicing",
      "fail-requests-greater-than-one|rename-by-default|replicas" },
    { "settings.kubernetes",
      "allowed-unsafe-sysctls|api-server|authentication-mode|bootstrap-token|cloud-provider|cluster-certificate|"
      "cluster-dns-ip|cluster-domain|cluster-name|container-log-max-files|container-log-max-size|container-log-max-"
      "workers|"
      "container-log-monitor-interval|cpu-cfs-quota-enforced|cpu-manager-policy|cpu-manager-policy-options|"
      "cpu-manager-reconcile-period|credential-providers|device-ownership-from-security-context|event-burst|event-qps|"
      "eviction-hard|eviction-max-pod-grace-period|eviction-soft|eviction-soft-grace-period|hostname-override|"
      "hostname-override-source|image-gc-high-threshold-percent|image-gc-low-threshold-percent|kube-api-burst|"
      "kube-api-qps|kube-reserved|log-level|max-pods|memory-manager-policy|memory-manager-reserved-memory|"
      "memory-swap-behavior|node-ip|node-labels|node-taints|pod-infra-container-image|pod-pids-limit|provider-id|"
      "registry-burst|registry-qps|reserved-cpus|seccomp-default|server-certificate|server-key|server-tls-bootstrap|"
      "shutdown-grace-period|shutdown-grace-period-for-critical-pods|single-process-oom-kill|standalone-mode|"
      "static-pods|static-pods-enabled|system-reserved|topology-manager-policy|topology-manager-scope" },
};

// What settings take. `words` are those of a text; NULL: another text, or none.
typedef struct {
    const char *path;
    const char *keys;
    BottlerocketForm form;
    const char *words;
} FormRow;

static const FormRow FORMS[] = {
    { "settings.kubernetes",
      "container-log-max-files|container-log-max-workers|event-burst|event-qps|kube-api-burst|kube-api-qps|log-level|"
      "max-pods|pod-pids-limit|registry-burst|registry-qps",
      BOTTLEROCKET_NUMBER, NULL },
    { "settings.kubernetes",
      "cpu-cfs-quota-enforced|device-ownership-from-security-context|seccomp-default|server-tls-bootstrap|"
      "single-process-oom-kill|standalone-mode|static-pods-enabled",
      BOTTLEROCKET_BOOL, NULL },
    { "settings.kubernetes", "authentication-mode", BOTTLEROCKET_TEXT, "aws|tls" },
    { "settings.kubernetes", "cpu-manager-policy", BOTTLEROCKET_TEXT, "none|static" },
    { "settings.kubernetes", "memory-manager-policy", BOTTLEROCKET_TEXT, "None|Static" },
    { "settings.kubernetes", "topology-manager-policy", BOTTLEROCKET_TEXT,
      "none|best-effort|restricted|single-numa-node" },
    { "settings.kubernetes", "topology-manager-scope", BOTTLEROCKET_TEXT, "container|pod" },
    { "settings.kernel", "lockdown", BOTTLEROCKET_TEXT, "none|integrity|confidentiality" },
    { "settings.kubelet-device-plugins.nvidia", "pass-device-specs", BOTTLEROCKET_BOOL, NULL },
    { "settings.kubelet-device-plugins.nvidia", "device-id-strategy", BOTTLEROCKET_TEXT, "index|uuid" },
    { "settings.kubelet-device-plugins.nvidia", "device-partitioning-strategy", BOTTLEROCKET_TEXT, "none|mig" },
    { "settings.kubelet-device-plugins.nvidia", "device-sharing-strategy", BOTTLEROCKET_TEXT, "none|time-slicing|mps" },
    { "settings.kubelet-device-plugins.nvidia.time-slicing", "replicas", BOTTLEROCKET_NUMBER, NULL },
    { "settings.kubelet-device-plugins.nvidia.time-slicing", "rename-by-default|fail-requests-greater-than-one",
      BOTTLEROCKET_BOOL, NULL },
    { "settings.kubelet-device-plugins.nvidia.mps", "replicas", BOTTLEROCKET_NUMBER, NULL },
    { "settings.kubelet-device-plugins.nvidia.mps", "rename-by-default", BOTTLEROCKET_BOOL, NULL },
};

static const PathRow *row_of(Str path) {
    for (size_t i = 0; i < COUNT_OF(PATHS); i++) {
        if (str_is(path, PATHS[i].path)) {
            return &PATHS[i];
        }
    }
    return NULL;
}

bool bottlerocket_knows(Str path) {
    return row_of(path) != NULL;
}

static Diag *refuse(const Rules *rules, const Subject *subject, Span span, Str why) {
    return plan_report(rules->session, subject, span, DIAG(bottlerocket_refuses), str_c(rules->session->arena, why));
}

static void check_name(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting,
                       const char *keys) {
    Session *session = rules->session;
    Suggestion near = suggest_for(session, setting->key);
    size_t offset = 0;
    Str key;
    while (words_next(str_of(keys), &offset, &key)) {
        suggest_offer(&near, key);
    }
    if (!suggest_is_sure(&near)) {
        return; // a newer release may have it
    }
    const Str place = setting->path.len == 0 ? STR("the top") : setting->path;
    const Str why = str_format(session->arena, "`%.*s` has no `%.*s`", STR_ARG(place), STR_ARG(setting->key));
    suggest_say(session, refuse(rules, subject, setting->key_span, why), &near, setting->key_span);
}

// Somebody fills it in.
static bool is_open(Str text) {
    return text.len == 0 || memchr("${<[%@", text.data[0], 6) != NULL;
}

static const FormRow *form_of(const BottlerocketSetting *setting) {
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        if (str_is(setting->path, FORMS[i].path) && words_have(str_of(FORMS[i].keys), setting->key)) {
            return &FORMS[i];
        }
    }
    return NULL;
}

static bool is_form_wrong(const BottlerocketSetting *setting) {
    const FormRow *row = form_of(setting);
    if (setting->form == BOTTLEROCKET_BARE) {
        return !is_open(setting->written);
    }
    if (row == NULL || setting->form == BOTTLEROCKET_OTHER ||
        (setting->form == BOTTLEROCKET_TEXT && is_open(setting->written))) {
        return false;
    }
    return setting->form != row->form || (row->words != NULL && !words_have(str_of(row->words), setting->written));
}

bool bottlerocket_takes(const BottlerocketSetting *setting) {
    const PathRow *row = row_of(setting->path);
    return row == NULL || (words_have(str_of(row->keys), setting->key) && !is_form_wrong(setting));
}

static void check_bare(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting) {
    static const char *const BOOLS[] = { "true", "false" };
    Session *session = rules->session;
    const Str why = str_format(session->arena, "`%.*s` is no value of TOML", STR_ARG(setting->written));
    Diag *diag = refuse(rules, subject, setting->span, why);
    for (size_t i = 0; i < COUNT_OF(BOOLS); i++) {
        if (str_is_in_any_case(setting->written, BOOLS[i])) {
            rule_write_at(rules, diag, setting->span, setting->written, str_of(BOOLS[i]));
            return;
        }
    }
    diag_help(session, diag, "write a text in quotes");
}

static void check_word(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting,
                       const char *words) {
    Session *session = rules->session;
    const Str why =
        str_format(session->arena, "`%.*s` takes no `%.*s`", STR_ARG(setting->key), STR_ARG(setting->written));
    rule_suggest_words(rules, refuse(rules, subject, setting->span, why), setting->written, str_of(words),
                       setting->span);
}

static void check_form(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting) {
    static const char *const NAMES[] = { [BOTTLEROCKET_OTHER] = "another value",
                                         [BOTTLEROCKET_TEXT] = "a text",
                                         [BOTTLEROCKET_NUMBER] = "a number",
                                         [BOTTLEROCKET_BOOL] = "true or false" };
    Session *session = rules->session;
    if (!is_form_wrong(setting)) {
        return;
    }
    if (setting->form == BOTTLEROCKET_BARE) {
        check_bare(rules, subject, setting);
        return;
    }
    const FormRow *row = form_of(setting);
    if (setting->form == row->form) {
        check_word(rules, subject, setting, row->words);
        return;
    }
    const Str why = str_format(session->arena, "`%.*s` takes %s, and this is %s", STR_ARG(setting->key),
                               NAMES[row->form], NAMES[setting->form]);
    diag_help(session, refuse(rules, subject, setting->span, why), "write %s, %s quotes", NAMES[row->form],
              row->form == BOTTLEROCKET_TEXT ? "in" : "without");
}

void bottlerocket_check(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting) {
    const PathRow *row = row_of(setting->path);
    if (row == NULL || setting->key.len == 0 || is_open(setting->key)) {
        return;
    }
    if (!words_have(str_of(row->keys), setting->key)) {
        check_name(rules, subject, setting, row->keys);
    } else {
        check_form(rules, subject, setting);
    }
}
