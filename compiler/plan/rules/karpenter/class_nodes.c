// A rule about nodes of an EC2NodeClass that Karpenter makes and that can do no work: their disks are set up twice, or the
// wrong one is large, or they have room for fewer pods than each node has of its own.
// Source: aws/karpenter-provider-aws@1d927085 pkg/providers/amifamily/bottlerocket.go and bootstrap/bottlerocket.go,
// 2026-08-21, and issue 8562; Bottlerocket, data volume /dev/xvdb; Amazon EKS User Guide, aws-node and kube-proxy;
// read 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *spec;
} NodesCheck;

static const double GIB = 1024.0 * 1024 * 1024;

static Diag *say(const NodesCheck *check, Span span, const char *what) {
    return plan_report(check->rules->session, check->object->subject, span, DIAG(class_nodes), what);
}

// What says that the image is Bottlerocket; NULL: another one, or nobody knows.
static const Value *bottlerocket_of(const NodesCheck *check) {
    const Value *terms = object_get(check->spec, "amiSelectorTerms");
    for (uint32_t i = 0; i < object_count(terms); i++) {
        const Value *alias = object_get(terms->list.items[i], "alias");
        if (str_starts_with(object_text(alias), STR("bottlerocket@"))) {
            return alias;
        }
    }
    const Value *family = object_get(check->spec, "amiFamily");
    return str_is(object_text(family), "Bottlerocket") ? family : NULL;
}

static const Value *store_of(const NodesCheck *check) {
    const Value *policy = object_get(check->spec, "instanceStorePolicy");
    return str_is(object_text(policy), "RAID0") ? policy : NULL;
}

// ["apiclient", "ephemeral-storage", "init"], in a line of TOML.
static bool has_command(Str text) {
    const Str word = STR("ephemeral-storage");
    for (size_t at = str_find(text, word, 0); at < text.len; at = str_find(text, word, at + word.len)) {
        const Str rest = str_slice(text, at + word.len, str_find(text, STR("]"), at));
        const size_t start = str_find(rest, STR("init"), 0);
        if (start < rest.len && str_find(rest, STR("\n"), 0) > start) {
            return true;
        }
    }
    return false;
}

// A disk that is in one array is taken into no other, and the command is essential: the node does not start.
static void check_twice(const NodesCheck *check) {
    const Value *policy = store_of(check);
    const Value *data = object_get(check->spec, "userData");
    if (policy == NULL || !has_command(object_text(data))) {
        return;
    }
    Diag *diag = say(check, data->span, "set up their own disks twice");
    diag_label(check->rules->session, diag, policy->span, "does so, too");
    diag_help(check->rules->session, diag, "leave the commands of `ephemeral-storage` out of `userData`");
}

// Images and pods are on /dev/xvdb, of 20 GiB where nobody says more.
static void check_disk(const NodesCheck *check) {
    enum { ROOT_GIB_MAX = 20 };
    const Value *disks = object_get(check->spec, "blockDeviceMappings");
    const Value *root = NULL;
    double size = 0;
    for (uint32_t i = 0; i < object_count(disks); i++) {
        const Value *name = object_get(disks->list.items[i], "deviceName");
        const Value *amount = object_get(object_get(disks->list.items[i], "ebs"), "volumeSize");
        if (!str_is(object_text(name), "/dev/xvda")) {
            return;
        }
        root = amount != NULL && quantity_read(amount, &size) && size > ROOT_GIB_MAX * GIB ? name : NULL;
    }
    if (root != NULL) {
        Diag *diag = say(check, root->span, "keep images and pods on another disk than the large one");
        diag_label(check->rules->session, diag, bottlerocket_of(check)->span, "its data is on /dev/xvdb");
        diag_help(check->rules->session, diag, "write `/dev/xvdb`");
    }
}

// aws-node and kube-proxy run on each node, as pods.
static void check_pods(const NodesCheck *check) {
    enum { PODS_OF_EACH_NODE = 2 };
    const Value *most = object_get(object_get(check->spec, "kubelet"), "maxPods");
    if (most == NULL || most->kind != VALUE_INT || most->integer > PODS_OF_EACH_NODE) {
        return;
    }
    Diag *diag = say(check, most->span, "have room for aws-node and kube-proxy alone, or for less");
    diag_help(check->rules->session, diag, "write more, or leave it out: then the type of the instance decides");
}

// What the kubelet keeps for itself is a part of the volume.
static void check_reserved(const NodesCheck *check) {
    static const char *const KEYS[] = { "systemReserved", "kubeReserved" };
    const char *device = bottlerocket_of(check) != NULL ? "/dev/xvdb" : "/dev/xvda";
    const Value *disks = object_get(check->spec, "blockDeviceMappings");
    const Value *volume = NULL;
    double size = 0;
    for (uint32_t i = 0; i < object_count(disks); i++) {
        if (str_is(object_text(object_get(disks->list.items[i], "deviceName")), device)) {
            volume = object_get(object_get(disks->list.items[i], "ebs"), "volumeSize");
        }
    }
    double kept = 0;
    const Value *last = NULL;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        double part = 0;
        const Value *amount = object_get(object_get(object_get(check->spec, "kubelet"), KEYS[i]), "ephemeral-storage");
        if (amount != NULL && quantity_read(amount, &part)) {
            kept += part;
            last = amount;
        }
    }
    if (last == NULL || volume == NULL || !quantity_read(volume, &size) || kept < size || store_of(check) != NULL) {
        return;
    }
    Diag *diag = say(check, last->span, "keep as much ephemeral storage for themselves as they have");
    diag_label(check->rules->session, diag, volume->span, "the volume");
    diag_help(check->rules->session, diag, "write a larger volume, or keep less");
}

void rule_class_nodes(const Rules *rules, const PlanObject *object) {
    const NodesCheck check = { .rules = rules, .object = object, .spec = object_get(object->fields, "spec") };
    const bool is_class = str_is(object->resource->type, "karpenter.k8s.aws/v1/EC2NodeClass");
    if (!is_class || object->is_changed || check.spec == NULL || check.spec->kind != VALUE_MAP) {
        return;
    }
    if (bottlerocket_of(&check) != NULL) {
        check_twice(&check);
        if (store_of(&check) == NULL) {
            check_disk(&check);
        }
    }
    check_pods(&check);
    check_reserved(&check);
}
