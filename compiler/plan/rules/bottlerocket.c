#include "compiler/plan/rules/bottlerocket.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"

// source: bottlerocket-os/bottlerocket-settings-sdk@2363566c bottlerocket-settings-models/settings-extensions/kubernetes/src/lib.rs; Bottlerocket documentation, settings, 2026-11, read 2026-11
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

static const char NUMBERS[] = "container-log-max-files|container-log-max-workers|event-burst|event-qps|kube-api-burst|"
                              "kube-api-qps|log-level|max-pods|pod-pids-limit|registry-burst|registry-qps";
static const char BOOLS[] = "cpu-cfs-quota-enforced|device-ownership-from-security-context|seccomp-default|"
                            "server-tls-bootstrap|single-process-oom-kill|standalone-mode|static-pods-enabled";

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

static bool is_form_wrong(const BottlerocketSetting *setting) {
    const bool wants_number = words_have(STR(NUMBERS), setting->key);
    const bool wants_bool = words_have(STR(BOOLS), setting->key);
    const bool is_wrong =
        (wants_number && setting->form != BOTTLEROCKET_NUMBER) || (wants_bool && setting->form != BOTTLEROCKET_BOOL);
    return is_wrong && setting->form != BOTTLEROCKET_OTHER &&
           (setting->form != BOTTLEROCKET_TEXT || !is_open(setting->written));
}

bool bottlerocket_takes(const BottlerocketSetting *setting) {
    const PathRow *row = row_of(setting->path);
    return row == NULL || (words_have(str_of(row->keys), setting->key) &&
                           (!str_is(setting->path, "settings.kubernetes") || !is_form_wrong(setting)));
}

static void check_form(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting) {
    const bool wants_number = words_have(STR(NUMBERS), setting->key);
    if (!is_form_wrong(setting)) {
        return;
    }
    static const char *const FOUND[] = { [BOTTLEROCKET_OTHER] = "another value",
                                         [BOTTLEROCKET_TEXT] = "a text",
                                         [BOTTLEROCKET_NUMBER] = "a number",
                                         [BOTTLEROCKET_BOOL] = "true or false" };
    Session *session = rules->session;
    const char *wanted = wants_number ? "a number" : "true or false";
    const Str why = str_format(session->arena, "`%.*s` takes %s, and this is %s", STR_ARG(setting->key), wanted,
                               FOUND[setting->form]);
    diag_help(session, refuse(rules, subject, setting->span, why), "write %s, without quotes", wanted);
}

void bottlerocket_check(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting) {
    const PathRow *row = row_of(setting->path);
    if (row == NULL || setting->key.len == 0 || is_open(setting->key)) {
        return;
    }
    if (!words_have(str_of(row->keys), setting->key)) {
        check_name(rules, subject, setting, row->keys);
    } else if (str_is(setting->path, "settings.kubernetes")) {
        check_form(rules, subject, setting);
    }
}
