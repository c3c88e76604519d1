// Rules about the channels of ComputeDomains. The API server takes a pod without a claim, and NCCL finds out when it runs.
// source: kubernetes-sigs/dra-driver-nvidia-gpu@22407113 demo/specs/imex/channel-injection.yaml and nvbandwidth-test-job.yaml,
// read 2026-11
#include "compiler/plan/rules/together_channels.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/compute_domain.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/model/pod_type.h"

// ---- what there is -------------------------------------------------------------------------------------------------

static Str template_of(const Value *claim) {
    return object_text(object_get(claim, "resourceClaimTemplateName"));
}

static bool makes_template(const PlanObject *object) {
    return str_starts_with(object->resource->type, STR("resource.k8s.io/")) &&
           str_ends_with(object->resource->type, STR("/ResourceClaimTemplate"));
}

void channels_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        const Str place = plan_namespace_of_object(object);
        const Str channel = object_text(plan_domain_template(object));
        if (channel.len > 0) {
            together_add(made, MADE_CHANNEL, place, channel);
        } else if (makes_template(object)) {
            together_add(made, MADE_TEMPLATE, place, plan_name_of_object(object));
        }
        for (uint32_t k = 0; k < object->pods.count; k++) {
            const Value *claims = object_get(object->pods.items[k].spec, "resourceClaims");
            for (uint32_t n = 0; n < object_count(claims); n++) {
                together_add(made, MADE_CLAIMED, place, template_of(claims->list.items[n]));
            }
        }
    }
}

// ---- what a pod has ------------------------------------------------------------------------------------------------

typedef struct {
    Session *session;
    const FilesTogether *together;
    const PlanObject *object;
    const Value *pod;
    const Value *claims; // of the pod; NULL
    Str place;
} ChannelsCheck;

static bool is_made(const ChannelsCheck *check, int kind, Str name) {
    return together_find(check->session->arena, check->together, kind, check->place, name) != NULL;
}

static bool is_taken_by(const Value *container, Str claim) {
    const Value *taken = object_get(object_get(container, "resources"), "claims");
    bool is = taken != NULL && taken->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(taken); i++) {
        is = is || str_equal(object_text(object_get(taken->list.items[i], "name")), claim);
    }
    return is;
}

static bool is_taken(const Value *pod, Str claim) {
    static const char *const KEYS[] = { "containers", "initContainers" };
    bool is = false;
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *containers = object_get(pod, KEYS[k]);
        for (uint32_t i = 0; i < object_count(containers); i++) {
            is = is || is_taken_by(containers->list.items[i], claim);
        }
    }
    return is;
}

// ---- claims of other templates --------------------------------------------------------------------------------------

static Suggestion nearest(const ChannelsCheck *check, Str name) {
    Suggestion suggestion = suggest_for(check->session, name);
    for (uint32_t i = 0; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        for (uint32_t k = 0; k < made->items.count && !suggest_is_idle(&suggestion); k++) {
            const MadeObject *item = made->items.items[k];
            if (item->kind == MADE_CHANNEL && str_equal(item->place, check->place)) {
                suggest_offer(&suggestion, item->name);
            }
        }
    }
    return suggestion;
}

// Of several claims one may be of a template that stands elsewhere, such as one for GPUs.
static void check_unmade(const ChannelsCheck *check) {
    for (uint32_t i = 0; i < object_count(check->claims); i++) {
        const Value *name = object_get(check->claims->list.items[i], "resourceClaimTemplateName");
        const Str text = object_text(name);
        const Suggestion suggestion = nearest(check, text);
        if (text.len == 0 || str_has(text, "$") || str_has(text, "{") || is_made(check, MADE_TEMPLATE, text) ||
            (check->claims->list.count > 1 && !suggest_is_sure(&suggestion))) {
            continue;
        }
        Diag *diag =
            plan_report(check->session, check->object->subject, name->span, DIAG(channel_of_none), STR_ARG(text));
        if (!suggest_say(check->session, diag, &suggestion, name->span)) {
            const MadeObject *other =
                together_find(check->session->arena, check->together, MADE_CHANNEL, check->place, STR_NONE);
            diag_help(check->session, diag, "write `%.*s`, which a ComputeDomain here makes", STR_ARG(other->name));
        }
        return;
    }
}

// ---- pods without a channel -----------------------------------------------------------------------------------------

static Str pods_text(const ChannelsCheck *check) {
    const PlanObject *object = check->object;
    return str_format(check->session->arena, "%.*s `%.*s`", STR_ARG(str_after_last(object->resource->type, '/')),
                      STR_ARG(plan_name_of_object(object)));
}

// By its GPUs: a node that has more is of another type. Beside a ComputeDomain that others claim, a pod whose nodes nobody knows may want none.
static bool wants_channel(const ChannelsCheck *check, PodOnFabric fabric, const Value **gpus) {
    const double asked = pod_asks(check->pod, STR("nvidia.com/gpu"), gpus);
    const bool is_on_fabric =
        fabric == FABRIC_CERTAIN || (fabric == FABRIC_PERHAPS && !is_made(check, MADE_CLAIMED, STR_NONE));
    return asked > 0 && asked <= ULTRASERVER_NODE_GPUS && is_on_fabric &&
           pods_of_template(check->object, check->pod) > 1;
}

static void check_claimless(const ChannelsCheck *check, PodOnFabric fabric) {
    const Value *gpus = NULL;
    if (!wants_channel(check, fabric, &gpus)) {
        return;
    }
    const MadeObject *channel =
        together_find(check->session->arena, check->together, MADE_CHANNEL, check->place, STR_NONE);
    Diag *diag = plan_report(check->session, check->object->subject, gpus->span, DIAG(imex_channel),
                             STR_ARG(pods_text(check)), STR_ARG(STR("they claim none")));
    diag_help(check->session, diag,
              "write `resourceClaims: [{name: imex-channel, resourceClaimTemplateName: %.*s}]` into the specification "
              "of the pod, and `claims: [{name: imex-channel}]` into the `resources` of its container",
              STR_ARG(channel->name));
    diag_help(check->session, diag, "where these pods want no NVLink between nodes, write `# dtc-allow: DT1874 …`");
}

static void check_taken(const ChannelsCheck *check, const Value *claim) {
    const Value *name = object_get(claim, "name");
    if (object_text(name).len == 0 || is_taken(check->pod, name->string)) {
        return;
    }
    const Str why = str_format(check->session->arena, "no container takes the claim `%.*s`", STR_ARG(name->string));
    Diag *diag = plan_report(check->session, check->object->subject, name->span, DIAG(imex_channel),
                             STR_ARG(pods_text(check)), STR_ARG(why));
    diag_help(check->session, diag, "write `claims: [{name: %.*s}]` into the `resources` of the container",
              STR_ARG(name->string));
}

void channels_check(Session *session, const FilesTogether *together, const PlanObject *object, const Value *pod,
                    PodOnFabric fabric) {
    const ChannelsCheck check = { .session = session,
                                  .together = together,
                                  .object = object,
                                  .pod = pod,
                                  .claims = object_get(pod, "resourceClaims"),
                                  .place = plan_namespace_of_object(object) };
    if (object->is_changed || check.place.len == 0 || !is_made(&check, MADE_CHANNEL, STR_NONE)) {
        return;
    }
    if (check.claims == NULL) {
        check_claimless(&check, fabric);
        return;
    }
    for (uint32_t i = 0; i < object_count(check.claims); i++) {
        const Str name = template_of(check.claims->list.items[i]);
        if (name.len > 0 && is_made(&check, MADE_CHANNEL, name)) {
            check_taken(&check, check.claims->list.items[i]);
            return;
        }
    }
    check_unmade(&check);
}
