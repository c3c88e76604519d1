#include "compiler/plan/rules/device_name.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "schema/pod_devices.h"

// MIG and shared GPUs have names with more behind a known start.
static const char *const STARTS[] = { "nvidia.com/mig-", "nvidia.com/gpu.", "vpc.amazonaws.com/efa." };

static bool is_offered(Str name) {
    bool is_known = pod_device(name) != NULL;
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        is_known = is_known || str_starts_with(name, str_of(STARTS[i]));
    }
    return is_known;
}

void rules_device_name(const Rules *rules, const PlanObject *object, const ValueEntry *entry) {
    if (str_find(entry->key, STR("/"), 0) == entry->key.len || is_offered(entry->key)) {
        return;
    }
    Suggestion suggestion = { .name = entry->key };
    for (size_t i = 0; i < POD_DEVICE_COUNT; i++) {
        suggest_offer(&suggestion, str_of(POD_DEVICES[i].name));
    }
    if (suggestion.best.len == 0) {
        return; // somebody else's device
    }
    Diag *diag =
        plan_report(rules->session, object->subject, entry->key_span, DIAG(pod_device_name), STR_ARG(entry->key));
    suggest_say(rules->session, diag, &suggestion, entry->key_span);
}
