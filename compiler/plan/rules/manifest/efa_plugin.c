// Rules about the device plugin of EFA: as an add-on of a cluster, and as a DaemonSet of its own, which lists the types that
// it runs on.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "schema/instances.h"

// A version of the plugin, where it is written, and a type whose interfaces that version does not count.
static void report_too_old(const Rules *rules, const Subject *subject, Span span, Str version, const InstanceRow *row,
                           Span type) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(plugin_too_old), STR_ARG(version), row->name);
    diag_label(rules->session, diag, type, "this type");
}

void rule_plugin_of_efa(const Rules *rules, const PlanCluster *cluster) {
    const PlanAddon *addon = device_addon(cluster, "efa");
    for (uint32_t i = 0; addon != NULL && addon->version != NULL && i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        for (uint32_t k = 0; nodes->fabric.efa_count > 0 && k < nodes->types.count; k++) {
            const PlanGroupType *type = &nodes->types.items[k];
            if (!device_counts_efa(addon->version->string, type->row)) {
                report_too_old(rules, addon->head.subject, addon->version->span, addon->version->string, type->row,
                               type->name->span);
                return;
            }
        }
    }
}

// The tag of its image: "v0.5.13". NULL where no container of the pod is the plugin; empty without a tag.
static const Value *plugin_image(const Value *pod, Str *tag) {
    const Str name = STR("/aws-efa-k8s-device-plugin");
    const Value *containers = object_get(pod, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *image = object_get(containers->list.items[i], "image");
        const Str text = object_text(image);
        const size_t at = str_find(text, name, 0);
        const size_t end = at + name.len;
        if (at < text.len && (end == text.len || text.data[end] == ':' || text.data[end] == '@')) {
            *tag = end == text.len ? STR_NONE : str_slice(text, end + 1, text.len);
            return image;
        }
    }
    return NULL;
}

static void check_type(const Rules *rules, const PlanObject *object, const Value *image, Str tag, const Value *type) {
    const InstanceRow *row = schema_instance(rules->session, object_text(type));
    if (row == NULL) {
        return; // rule pod_types says so
    }
    if (row->efa_max == 0) {
        Diag *diag = plan_report(rules->session, object->subject, type->span, DIAG(no_efa), row->name);
        diag_label(rules->session, diag, image->span, "this plugin stops where it finds no EFA");
        diag_help(rules->session, diag, "remove the type from the list");
    } else if (!device_counts_efa(tag, row)) {
        report_too_old(rules, object->subject, image->span, tag, row, type->span);
    }
}

void rule_efa_plugin(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->pods.count; i++) {
        Str tag = STR_NONE;
        const Value *pod = object->pods.items[i].spec;
        const Value *image = plugin_image(pod, &tag);
        const Value *types = image == NULL ? NULL : pod_types(pod);
        for (uint32_t k = 0; k < object_count(types); k++) {
            check_type(rules, object, image, tag, types->list.items[k]);
        }
    }
}
