// Rules about claims and the class that their volumes are made from, which may stand in another file: the class says the
// speed, and the claim the size.
// source: kubernetes-sigs/aws-fsx-csi-driver@5b227125 pkg/util/util.go, RoundUpVolumeSize, 2026-04;
// kubernetes-sigs/aws-ebs-csi-driver@429e202e pkg/cloud/cloud.go, CreateDisk and capIOPS, 2026-08, read 2026-11
#include "compiler/plan/rules/together_classes.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/file_system.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_part.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_combination.h"
#include "schema/file_systems.h"
#include "schema/limits.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;

// ---- classes -------------------------------------------------------------------------------------------------------

// The rate of a file system that nodes reach by EFA; 0 of another one.
static int64_t efa_rate(const PlanFileSystem *system) {
    int64_t rate = 0;
    const bool is_by_efa = system->kind == STORAGE_LUSTRE && field_is(&system->efa, "true");
    return is_by_efa && field_amount(&system->rate, &rate) ? rate : 0;
}

static Str type_of(const PlanVolume *volume) {
    const bool is_usual = volume->type.state == FIELD_ABSENT && volume->usual != NULL;
    return is_usual ? str_of(volume->usual) : volume->type.state == FIELD_KNOWN ? volume->type.text : STR_NONE;
}

static MadeClass class_of(const PlanFileSystem *system) {
    MadeClass class = { .rate = efa_rate(system) };
    const LustreDiskRow *row = class.rate == 0 ? NULL : lustre_efa_row(class.rate);
    const PlanVolume *volume = system->volume;
    const VolumeRow *of_type = volume == NULL ? NULL : volume_row(type_of(volume));
    if (row != NULL) {
        class.step = row->gib_step;
    } else if (of_type != NULL) {
        class.type = of_type->type;
        class.iops = field_number(&volume->iops, 0);
    }
    return class;
}

void classes_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        if (object->system != NULL) {
            const MadeClass class = class_of(object->system);
            together_add_class(made, plan_name_of_object(object), &class);
        }
    }
}

// ---- claims --------------------------------------------------------------------------------------------------------

typedef struct {
    Rules rules;
    const FilesTogether *together;
    const PlanObject *object;
} ClaimCheck;

// Of a claim, a class and its name.
typedef struct {
    const ClaimCheck *check;
    const Value *storage;
    Str written;
    int64_t gib; // up to a whole one
    Str name;
    const MadeClass *class;
} SizeCheck;

// The class of one's own file; else the only one of that name in the files beside it.
static const MadeClass *find_class(const ClaimCheck *check, Str name) {
    Arena *arena = check->rules.session->arena;
    const MadeClass *found = NULL;
    if (together_find(arena, check->together, MADE_CLASS, STR_NONE, name) == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        const MadeObject *item = made_find(arena, made, MADE_CLASS, STR_NONE, name);
        const bool is_again = made_find(arena, made, MADE_CLASS_AGAIN, STR_NONE, name) != NULL;
        if (item != NULL && i == 0 && !is_again) {
            return item->class;
        }
        if (is_again || (item != NULL && found != NULL)) {
            return NULL;
        }
        found = item != NULL ? item->class : found;
    }
    return found;
}

static Diag *refuse(const SizeCheck *size, Str why) {
    Session *session = size->check->rules.session;
    const Subject *subject = size->check->object->subject;
    const char *text = str_c(session->arena, why);
    return plan_report(session, subject, size->storage->span, DIAG(storage_value), "storage", STR_ARG(size->written),
                       text);
}

// The driver makes 1200 GiB, or a multiple of 2400, of what is asked for.
static void check_step(const SizeCheck *size) {
    enum { LEAST = LIMIT_LUSTRE_GIB_MIN, STEP = LIMIT_LUSTRE_GIB_STEP };
    Session *session = size->check->rules.session;
    const int64_t step = size->class->step;
    const int64_t rate = size->class->rate;
    const int64_t made = size->gib <= LEAST ? LEAST : (size->gib + STEP - 1) / STEP * STEP;
    if (made % step == 0) {
        return;
    }
    const Str speed = str_format(session->arena, "with EFA and %" PRId64 " MB/s a TiB", rate);
    const Str why = str_format(session->arena, "%.*s it comes in steps of %" PRId64 " GiB", STR_ARG(speed), step);
    Diag *diag = refuse(size, why);
    diag_help(session, diag, "write `%" PRId64 "Gi`, or another rate or no EFA into the class `%.*s`",
              (made / step + 1) * step, STR_ARG(size->name));
}

static void check_range(const SizeCheck *size, const VolumeRow *row) {
    Session *session = size->check->rules.session;
    const int64_t least = row->gib_min;
    const int64_t most = row->gib_max;
    const Str why = str_format(session->arena, "%s has %" PRId64 " to %" PRId64 " GiB", row->type, least, most);
    Diag *diag = refuse(size, why);
    diag_help(session, diag, "write `%" PRId64 "Gi`, or another `type` into the class `%.*s`",
              size->gib < least ? least : most, STR_ARG(size->name));
}

// The driver takes the operations down to what the size has. Below the least it does not.
static void check_volume(const SizeCheck *size, const VolumeRow *row) {
    Session *session = size->check->rules.session;
    const int64_t iops = size->class->iops;
    const int64_t most = size->gib * row->iops_of_gib;
    if (size->gib < row->gib_min || size->gib > row->gib_max) {
        check_range(size, row);
        return;
    }
    if (row->iops_min == 0 || iops <= most || iops <= row->iops_min || iops > row->iops_max) {
        return;
    }
    const int64_t needed = (iops + row->iops_of_gib - 1) / row->iops_of_gib;
    if (most < row->iops_min) {
        const Str why = str_format(session->arena, "%s has %" PRId64 " IOPS for a GiB", row->type, row->iops_of_gib);
        diag_help(session, refuse(size, why), "write `%" PRId64 "Gi` or more", needed);
        return;
    }
    const Str key = str_format(session->arena, "`storage: %.*s`", STR_ARG(size->written));
    const Str others = str_format(session->arena, " beside `iops: %" PRId64 "` of its class", iops);
    const Str why = str_format(session->arena, "the driver gives this volume %" PRId64 " IOPS", most);
    const char *consequence = str_c(session->arena, why);
    const Subject *subject = size->check->object->subject;
    const Rules *rules = &size->check->rules;
    Diag *diag = rule_combination(rules, subject, size->storage->span, "", key, others, consequence);
    diag_help(session, diag, "write `%" PRId64 "Gi` or more, or fewer `iops` into the class", needed);
}

static bool is_of_another(const Value *claim) {
    return object_get(claim, "volumeName") != NULL || object_get(claim, "dataSource") != NULL;
}

static void visit_claim(void *context, const ObjectPart *part) {
    const ClaimCheck *check = context;
    const Str name = object_text(object_get(part->value, "storageClassName"));
    const Value *storage = object_get(object_get(object_get(part->value, "resources"), "requests"), "storage");
    double bytes = 0;
    if (name.len == 0 || storage == NULL || is_of_another(part->value) || !quantity_read(storage, &bytes)) {
        return;
    }
    const MadeClass *class = find_class(check, name);
    if (class == NULL || bytes <= 0 || bytes > 1e18) {
        return;
    }
    const SizeCheck size = { .check = check,
                             .storage = storage,
                             .written = source_text(check->rules.session, storage->span),
                             .gib = (int64_t)((bytes + GIB - 1) / GIB),
                             .name = name,
                             .class = class };
    if (class->step > 0) {
        check_step(&size);
    } else if (class->type != NULL) {
        check_volume(&size, volume_row(str_of(class->type)));
    }
}

void classes_check(Session *session, const Plan *plan, const FilesTogether *together) {
    ClaimCheck check = { .rules = { .session = session, .plan = plan }, .together = together };
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        check.object = plan->objects.items[i];
        if (!check.object->is_changed) {
            object_parts_visit(check.object, STR("ClaimSpec"), true, visit_claim, &check);
        }
    }
}
