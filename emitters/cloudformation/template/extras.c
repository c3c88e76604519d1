// The way out of the language: resources by type and property names as AWS spells them, outputs, and patches of what
// is otherwise complete.
#include "emitters/cloudformation/template/extras.h"

#include "compiler/plan/model/object.h"
#include "compiler/plan/model/resource_attribute.h"
#include "compiler/plan/model/shared.h"
#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/patch.h"

// Properties that give an IAM resource a name, for which CloudFormation asks more consent.
static const char *const IAM_NAMES[] = { "RoleName", "UserName", "GroupName", "InstanceProfileName",
                                         "ManagedPolicyName" };

static bool is_iam_name(Str property) {
    for (size_t i = 0; i < COUNT_OF(IAM_NAMES); i++) {
        if (str_is(property, IAM_NAMES[i])) {
            return true;
        }
    }
    return false;
}

// Whether it is known now that the condition of a resource is false.
static bool is_left_out(Stack *stack, const Resource *resource) {
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *property = &resource->properties[i];
        if (plan_resource_attribute(resource, property->key) == RESOURCE_CONDITION &&
            property->value->kind != VALUE_STRING) {
            return condition_of(stack, property->value)->kind == CONDITION_FALSE;
        }
    }
    return false;
}

// The ids of the resources that DependsOn names, instead of references to them; NULL where none of them is there.
static DocNode *depends_node(Stack *stack, const Value *value) {
    const Resource *named = plan_named_resource(value);
    if (named != NULL) {
        return is_left_out(stack, named) ? NULL
                                         : doc_string(stack->doc, template_resource_id(stack, named), value->origin);
    }
    if (value->kind != VALUE_LIST) {
        return template_value(stack, value);
    }
    DocNode *list = doc_list(stack->doc);
    for (uint32_t i = 0; i < value->list.count; i++) {
        DocNode *item = depends_node(stack, value->list.items[i]);
        if (item != NULL) {
            doc_add(stack->doc, list, item);
        }
    }
    return list->first == NULL ? NULL : list;
}

// The name of the condition under which a resource is made; empty: it always is.
static Str condition_text(Stack *stack, const Value *value) {
    if (value->kind == VALUE_STRING) {
        return value->string;
    }
    const Condition *condition = condition_of(stack, value);
    return condition->kind == CONDITION_TRUE ? STR_NONE : condition_name(stack, condition);
}

// Splits off the attributes of a resource; the rest of its body are properties.
static void gather_attributes(Stack *stack, const Resource *resource, StackResource *entry) {
    entry->is_bare = true;
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *property = &resource->properties[i];
        const ResourceAttribute attribute = plan_resource_attribute(resource, property->key);
        if (attribute == RESOURCE_PROPERTY) {
            entry->is_bare = false;
            continue;
        }
        if (attribute == RESOURCE_CONDITION) {
            entry->condition = condition_text(stack, property->value);
            entry->condition_origin = property->value->origin;
            continue;
        }
        DocNode *node = attribute == RESOURCE_DEPENDS_ON ? depends_node(stack, property->value)
                                                         : template_value(stack, property->value);
        if (node != NULL) {
            vec_push(stack->arena, &entry->attributes, (StackAttribute){ .key = property->key, .node = node });
        }
    }
}

static void add_resource(Stack *stack, const Resource *resource) {
    if (is_left_out(stack, resource)) {
        return;
    }
    bool is_iam = str_starts_with(resource->type, STR("AWS::IAM::"));
    stack->has_roles = stack->has_roles || is_iam;
    doc_because(stack->doc, origin_span(stack->arena, resource->type_span));
    Span before = stack_span(stack, resource->span);
    StackResource entry = { .id = template_resource_id(stack, resource), .type = str_c(stack->arena, resource->type) };
    gather_attributes(stack, resource, &entry);
    DocNode *properties = stack_resource(stack, entry);
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *property = &resource->properties[i];
        if (plan_resource_attribute(resource, property->key) != RESOURCE_PROPERTY) {
            continue;
        }
        DocNode *node = template_value(stack, property->value);
        if (node != NULL) {
            doc_put(stack->doc, properties, property->key, node);
        }
        stack->has_named_roles = stack->has_named_roles || (is_iam && is_iam_name(property->key));
    }
    stack_span(stack, before);
    doc_unbecause(stack->doc);
}

// What another file names.
static void add_export(Stack *stack, const PlanExport *export) {
    const Resource *resource = export->resource;
    const bool is_whole = export->attribute.len == 0;
    const Late late = { .kind = is_whole ? LATE_REF : LATE_ATTRIBUTE, .resource = resource, .name = export->attribute };
    Value *value = value_new(stack->arena, VALUE_LATE, resource->span, resource->origin);
    value->late = &late;
    const Span before = stack_span(stack, resource->span);
    const Str key = plan_export_key(stack->arena, stack->plan, resource, export->attribute);
    stack_output(stack, key, "Used by another file of the build", template_value(stack, value), true);
    stack_span(stack, before);
}

static void add_all(Stack *stack, const PlanPart *part, bool is_exported) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        // A cluster on EKS has objects of Kubernetes beside what is in its stack.
        if (!plan_is_object(part, part->resources.items[i])) {
            add_resource(stack, part->resources.items[i]);
        }
    }
    for (uint32_t i = 0; i < part->outputs.count; i++) {
        const BlockOutput *output = &part->outputs.items[i];
        DocNode *value = template_text(stack, output->value);
        Span before = stack_span(stack, output->span);
        if (value != NULL) {
            stack_output(stack, stack_pascal(stack, output->name), NULL, value, is_exported);
        }
        stack_span(stack, before);
    }
    for (uint32_t i = 0; i < part->exports.count; i++) {
        add_export(stack, &part->exports.items[i]);
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        add_all(stack, part->inner.items[i], is_exported);
    }
}

void extras_add(Stack *stack, const PlanPart *part, bool is_exported) {
    vec_push(stack->arena, &stack->parts, part);
    add_all(stack, part, is_exported);
}

static void gather(Stack *stack, const PlanPart *part, ExtrasPatches *patches) {
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        if (patch->file.len > 0 && !str_is(patch->file, "cfn")) {
            continue; // of another file of the block: rule extras
        }
        doc_because(stack->doc, origin_span(stack->arena, patch->path_span));
        DocNode *value = template_value(stack, patch->value);
        doc_unbecause(stack->doc);
        vec_push(stack->arena, patches, (ExtrasPatch){ .part = part, .patch = patch, .value = value });
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        gather(stack, part->inner.items[i], patches);
    }
}

ExtrasPatches extras_patches(Stack *stack) {
    ExtrasPatches patches = { 0 };
    for (uint32_t i = 0; i < stack->parts.count; i++) {
        gather(stack, stack->parts.items[i], &patches);
    }
    return patches;
}

void extras_apply(Stack *stack, const ExtrasPatches *patches) {
    for (uint32_t i = 0; i < patches->count; i++) {
        const ExtrasPatch *patch = &patches->items[i];
        patch_apply(stack->doc, patch->part, patch->patch, patch->value);
    }
}
