// Rules about handles of PersistentVolumes, and about claims that name a volume. Kubernetes hands on what stands there as it
// is, and the driver reads it when a pod starts: the pod then stays at ContainerCreating.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"

static void say_handle(const Rules *rules, const PlanObject *object, const Value *handle, const char *what,
                       Str better) {
    Diag *diag = plan_report(rules->session, object->subject, handle->span, DIAG(takes_other), "volumeHandle",
                             "the id of a file system", what);
    const bool is_whole = str_find(better, STR("…"), 0) >= better.len;
    rule_write_at(rules, diag, is_whole ? handle->span : SPAN_NONE, object_text(handle), better);
}

// kubernetes-sigs/aws-efs-csi-driver@a4fc6760 pkg/driver/node.go, parseVolumeId, 2026-07: FILE-SYSTEM:PATH:ACCESS-POINT.
static void check_handle(const Rules *rules, const PlanObject *object, const Value *handle) {
    const Str text = object_text(handle);
    const size_t colon = str_find(text, STR(":"), 0);
    const Str rest = str_slice(text, colon + 1, text.len);
    if (str_starts_with(text, STR("arn:"))) {
        const Str id = str_after_last(text, '/');
        const bool is_alone = str_starts_with(id, STR("fs-")) && str_find(id, STR(":"), 0) >= id.len;
        say_handle(rules, object, handle, "an ARN", is_alone ? id : STR("fs-…"));
    } else if (str_find(text, STR(".efs."), 0) < text.len) {
        const Str id = str_slice(text, 0, str_find(text, STR("."), 0)); // a path and an access point stay behind it
        say_handle(
            rules, object, handle, "a DNS name",
            str_format(rules->session->arena, "%.*s%.*s", STR_ARG(id), STR_ARG(str_slice(text, colon, text.len))));
    } else if (str_starts_with(text, STR("fs-")) && str_starts_with(rest, STR("fsap-"))) {
        Arena *arena = rules->session->arena;
        const Str better = str_format(arena, "%.*s::%.*s", STR_ARG(str_slice(text, 0, colon)), STR_ARG(rest));
        say_handle(rules, object, handle, "one with an access point in the place of a path", better);
    }
}

// "fs-" and eight hexadecimal digits or more, as the driver of EFS reads it.
static bool is_id(Str text, const char *start) {
    const Str digits = str_slice(text, strlen(start), text.len);
    bool is_hex = str_starts_with(text, str_of(start)) && digits.len >= 8;
    for (size_t i = 0; is_hex && i < digits.len; i++) {
        is_hex = strchr("0123456789abcdef", digits.data[i]) != NULL;
    }
    return is_hex;
}

// The access point is what stands behind the second colon.
static void check_point(const Rules *rules, const PlanObject *object, const Value *handle) {
    const Str text = object_text(handle);
    const Str point = str_after_last(text, ':');
    const Str id = str_after_last(point, '/');
    const size_t first = str_find(text, STR(":"), 0);
    const Str before = str_slice(text, 0, text.len - point.len);
    if (!is_id(str_slice(text, 0, first), "fs-") || str_find(text, STR(":"), first + 1) + 1 != before.len ||
        point.len == 0 || is_id(point, "fsap-") || str_has(point, "$") || str_has(point, "{")) {
        return;
    }
    Diag *diag = plan_report(rules->session, object->subject, handle->span, DIAG(takes_other), "volumeHandle",
                             "the id of an access point behind `::`", "none");
    if (is_id(id, "fsap-") && id.len < point.len) {
        rule_write_at(rules, diag, handle->span, text,
                      str_format(rules->session->arena, "%.*s%.*s", STR_ARG(before), STR_ARG(id)));
    } else {
        diag_help(rules->session, diag, "write the id, as `fsap-` and 17 digits");
    }
}

// ---- Lustre --------------------------------------------------------------------------------------------------------

// source: kubernetes-sigs/aws-fsx-csi-driver@5b227125 pkg/driver/node.go, NodePublishVolume, 2026-04-21, read 2026-11
// It mounts `DNSNAME@tcp:/MOUNTNAME`, whatever the handle is.
static void check_lustre(const Rules *rules, const PlanObject *object, const Value *csi) {
    Session *session = rules->session;
    const Value *handle = object_get(csi, "volumeHandle");
    const Value *name = object_get(object_get(csi, "volumeAttributes"), "dnsname");
    const Value *mount = object_get(object_get(csi, "volumeAttributes"), "mountname");
    const Str text = object_text(name);
    const Str id = str_slice(text, 0, str_find(text, STR("."), 0));
    const bool has_ids = is_id(id, "fs-") && is_id(object_text(handle), "fs-");
    if (has_ids && id.len == text.len) {
        Diag *diag =
            plan_report(session, object->subject, name->span, DIAG(takes_other), "dnsname", "a DNS name", "an id");
        diag_help(session, diag, "write it as `%.*s.fsx.REGION.amazonaws.com`", STR_ARG(id));
    } else if (has_ids && str_find(text, STR(".efs."), 0) < text.len) {
        Diag *diag = plan_report(session, object->subject, name->span, DIAG(takes_other), "dnsname",
                                 "the name of a file system of FSx", "one of EFS");
        diag_help(session, diag, "write `.fsx.` in the place of `.efs.`");
        rule_replace_part(rules, diag, name->span, STR(".efs."), STR(".fsx."));
    } else if (has_ids && !str_equal(id, handle->string)) {
        const Str wanted = str_format(session->arena, "the name of `%.*s`", STR_ARG(handle->string));
        Diag *diag = plan_report(session, object->subject, name->span, DIAG(takes_other), "dnsname",
                                 str_c(session->arena, wanted), "that of another file system, which is mounted");
        diag_label(session, diag, handle->span, "the volume");
        diag_help(session, diag, "write the id of one file system in both");
    }
    if (object_text(mount).len > 1 && str_starts_with(mount->string, STR("/"))) {
        Diag *diag = plan_report(session, object->subject, mount->span, DIAG(takes_other), "mountname",
                                 "the name alone", "a path");
        rule_write_at(rules, diag, mount->span, mount->string, str_slice(mount->string, 1, mount->string.len));
    }
}

// ---- names of drivers ----------------------------------------------------------------------------------------------

// The driver that is meant by another name; empty: this is one, or nobody can be sure. EKS Auto Mode has one of its own.
static Str driver_meant(Session *session, Str name) {
    static const char *const DRIVERS[] = { "ebs.csi.aws.com", "efs.csi.aws.com", "fsx.csi.aws.com", "s3.csi.aws.com",
                                           "fsx.openzfs.csi.aws.com" };
    const Str short_name = str_replaced(session->arena, name, STR(".amazonaws.com"), STR(".aws.com"));
    const Str service = str_slice(short_name, 0, str_find(short_name, STR("."), 0));
    const Str with_csi = str_format(session->arena, "%.*s.csi.aws.com", STR_ARG(service));
    const bool is_of_aws = str_ends_with(short_name, STR(".aws.com")) && !str_has(name, ".eks.");
    for (size_t i = 0; i < COUNT_OF(DRIVERS) && is_of_aws; i++) {
        if (str_is(name, DRIVERS[i])) {
            return STR_NONE;
        }
        if (str_is(short_name, DRIVERS[i])) {
            return short_name;
        }
    }
    for (size_t i = 0; i < COUNT_OF(DRIVERS) && is_of_aws; i++) {
        const Str rest = str_slice(short_name, service.len, short_name.len);
        if (str_is(with_csi, DRIVERS[i]) && str_is(rest, ".aws.com")) {
            return with_csi;
        }
    }
    return STR_NONE;
}

static void check_driver(const Rules *rules, const PlanObject *object, const char *key, const Value *value) {
    const Str better = driver_meant(rules->session, object_text(value));
    if (better.len > 0) {
        Diag *diag = plan_report(rules->session, object->subject, value->span, DIAG(takes_other), key,
                                 "the name of a driver", "none");
        rule_write_at(rules, diag, value->span, value->string, better);
    }
}

void rule_volume_of_driver(const Rules *rules, const PlanObject *object) {
    const Value *csi = object_get(object_get(object->fields, "spec"), "csi");
    const Str driver = object_text(object_get(csi, "driver"));
    if (object->is_changed) {
        return;
    }
    if (str_is(object->resource->type, "storage.k8s.io/v1/StorageClass")) {
        check_driver(rules, object, "provisioner", object_get(object->fields, "provisioner"));
    }
    if (!str_is(object->resource->type, "v1/PersistentVolume")) {
        return;
    }
    check_driver(rules, object, "driver", object_get(csi, "driver"));
    if (str_is(driver, "efs.csi.aws.com")) {
        check_handle(rules, object, object_get(csi, "volumeHandle"));
        check_point(rules, object, object_get(csi, "volumeHandle"));
    } else if (str_is(driver, "fsx.csi.aws.com")) {
        check_lustre(rules, object, csi);
    }
}

// ---- claims --------------------------------------------------------------------------------------------------------

// The specification of a volume that a claim names; NULL: there is none here. One that names a claim itself is bound to that,
// whatever the two say.
static const Value *volume_named(const Rules *rules, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (str_is(object->resource->type, "v1/PersistentVolume") && !object->is_changed &&
            str_equal(plan_name_of_object(object), name)) {
            const Value *spec = object_get(object->fields, "spec");
            return object_get(spec, "claimRef") == NULL ? spec : NULL;
        }
    }
    return NULL;
}

static Str as_written(const Rules *rules, const Value *value) {
    return value->kind == VALUE_STRING ? value->string : value_print(rules->session->arena, value);
}

static void check_size(const Rules *rules, const PlanObject *claim, Str name, const Value *volume) {
    const Value *spec = object_get(claim->fields, "spec");
    const Value *asked = object_get(object_get(object_get(spec, "resources"), "requests"), "storage");
    const Value *there = object_get(object_get(volume, "capacity"), "storage");
    double most;
    double least;
    if (there == NULL || asked == NULL || !quantity_read(there, &most) || !quantity_read(asked, &least) ||
        least <= most) {
        return;
    }
    Diag *diag = plan_report(rules->session, claim->subject, asked->span, DIAG(claim_over_volume),
                             STR_ARG(as_written(rules, asked)), STR_ARG(name), STR_ARG(as_written(rules, there)));
    diag_label(rules->session, diag, there->span, "the volume");
    diag_help(rules->session, diag, "write `%.*s`, as the volume has, or `%.*s` in both",
              STR_ARG(as_written(rules, there)), STR_ARG(as_written(rules, asked)));
}

// A claim without a class gets the default one, which no file says. One of a volume that is not written is none.
// source: kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go, checkVolumeSatisfyClaim, 2026-11
static void check_class(const Rules *rules, const PlanObject *claim, Str name, const Value *volume) {
    const Value *asked = object_get(object_get(claim->fields, "spec"), "storageClassName");
    const Value *there = object_get(volume, "storageClassName");
    if (asked == NULL || asked->kind != VALUE_STRING || (there != NULL && there->kind != VALUE_STRING) ||
        str_equal(asked->string, object_text(there))) {
        return;
    }
    Diag *diag = plan_report(rules->session, claim->subject, asked->span, DIAG(claim_of_other_volume), STR_ARG(name),
                             there == NULL || there->string.len == 0 ? "the volume is of no class"
                                                                     : "the volume is of another class");
    if (there != NULL) {
        diag_label(rules->session, diag, there->span, "the class of the volume");
    }
    diag_help(rules->session, diag, "write `storageClassName: \"%.*s\"` in both", STR_ARG(object_text(there)));
}

// Each mode that the claim asks for is one of the volume's.
static void check_modes(const Rules *rules, const PlanObject *claim, Str name, const Value *volume) {
    const Value *asked = object_get(object_get(claim->fields, "spec"), "accessModes");
    const Value *there = object_get(volume, "accessModes");
    for (uint32_t i = 0; i < object_count(asked) && object_count(there) > 0; i++) {
        const Value *mode = asked->list.items[i];
        bool has = mode->kind != VALUE_STRING;
        for (uint32_t k = 0; k < object_count(there); k++) {
            has = has || there->list.items[k]->kind != VALUE_STRING ||
                  str_equal(there->list.items[k]->string, mode->string);
        }
        if (!has) {
            Diag *diag = plan_report(rules->session, claim->subject, mode->span, DIAG(claim_of_other_volume),
                                     STR_ARG(name), "the volume does not have this mode");
            diag_label(rules->session, diag, there->list.items[0]->span, "the modes of the volume");
            diag_help(rules->session, diag, "write the same `accessModes` in both");
            return;
        }
    }
}

void rule_claim(const Rules *rules, const PlanObject *object) {
    const Str name = object_text(object_get(object_get(object->fields, "spec"), "volumeName"));
    const bool is_claim = str_is(object->resource->type, "v1/PersistentVolumeClaim") && !object->is_changed;
    const Value *volume = is_claim ? volume_named(rules, name) : NULL;
    if (volume != NULL) {
        check_size(rules, object, name, volume);
        check_class(rules, object, name, volume);
        check_modes(rules, object, name, volume);
    }
}
