// A rule about mount targets of a file system in a template.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"
#include "compiler/plan/rules/template_use.h"

static bool is_in_same_zone(const PlanNamed *left, const PlanNamed *right) {
    const bool are_resources = left->kind == NAMED_RESOURCE && right->kind == NAMED_RESOURCE;
    const Data *zone = are_resources ? data_get(data_get(left->data, "Properties"), "AvailabilityZone") : NULL;
    const Data *other = are_resources ? data_get(data_get(right->data, "Properties"), "AvailabilityZone") : NULL;
    return left == right || (zone != NULL && other != NULL && template_is_same_text(zone, other));
}

static const char MOUNT_TARGET[] = "AWS::EFS::MountTarget";

// What names the file system of a mount target, whether this template makes it or another one; NULL: nothing by name.
static const PlanUse *system_of(const PlanTemplate *template, const PlanNamed *target) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == target && use->kind == USE_REF && use->is_whole && str_is(use->key, "FileSystemId")) {
            return use;
        }
    }
    return NULL;
}

static bool are_together(const Rules *rules, const PlanTemplate *template, const PlanUse *use, const PlanUse *first,
                         uint32_t *asked) {
    const PlanUse *all[] = { use, first, system_of(template, use->from), system_of(template, first->from) };
    return guard_is_same(first->guard, use->guard) ||
           (!template->has_rules && uses_meet(rules->session->arena, all, COUNT_OF(all), asked));
}

static bool is_subnet_of_target(const PlanUse *use) {
    return use->kind == USE_REF && use->is_whole && use->to != NULL && use->from != NULL &&
           str_is(use->from->type, MOUNT_TARGET) && str_is(use->key, "SubnetId");
}

// EFS takes one in each zone.
static void check_mount_target(const Rules *rules, const PlanTemplate *template, uint32_t index, uint32_t *asked) {
    const PlanUse *use = template->uses.items[index];
    const PlanUse *system = system_of(template, use->from);
    for (uint32_t i = 0; system != NULL && i < index; i++) {
        const PlanUse *first = template->uses.items[i];
        const bool is_near =
            is_subnet_of_target(first) && first->from != use->from && is_in_same_zone(first->to, use->to);
        const PlanUse *other = is_near ? system_of(template, first->from) : NULL;
        if (other != NULL && other->to == system->to && are_together(rules, template, use, first, asked)) {
            Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(mount_target_twice),
                                     STR_ARG(use->from->name), STR_ARG(system->to->name));
            diag_label(rules->session, diag, first->span, "the first one");
            diag_help(
                rules->session, diag,
                "leave the mount target out: all subnets of a zone mount by one; or name a subnet in another zone");
            return;
        }
    }
}

void rule_template_mount_targets(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    uint32_t asked = 0;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->uses.count; i++) {
        if (is_subnet_of_target(template->uses.items[i])) {
            check_mount_target(rules, template, i, &asked);
        }
    }
}
