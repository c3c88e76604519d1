// What a compute environment of AWS Batch says in words of its own.
#include "compiler/plan/raw/raw.h"

#include "schema/operating_systems.h"

static const ImageRow *image_row(Str type) {
    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        if (IMAGE_ROWS[i].image_type != NULL && str_is(type, IMAGE_ROWS[i].image_type)) {
            return &IMAGE_ROWS[i];
        }
    }
    return NULL;
}

// An image of the launch template's is one of the author's own, and of a template of another stack nothing is known.
static void read_images(const RawStack *stack, const RawMap *resources, const RawTemplate *template,
                        PlanBatchGroup *batch) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const bool may_be_own = raw_field(stack, resources, "ImageId").state != FIELD_ABSENT ||
                            (template == NULL ? batch->template_id.state : template->image.state) != FIELD_ABSENT;
    const RawMaps maps = raw_maps(stack, resources, "Ec2Configuration", &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField type = raw_field(stack, &maps.items[i], "ImageType");
        const PlanField override = raw_field(stack, &maps.items[i], "ImageIdOverride");
        if (batch->own_image.state == FIELD_ABSENT) {
            batch->own_image = override;
        }
        if (!may_be_own && override.state == FIELD_ABSENT && type.state != FIELD_ABSENT) {
            const PlanServiceImage image = { .field = type, .row = image_row(type.text) };
            vec_push(stack->arena, &batch->images, image);
        }
    }
}

static bool source_has(const RawStack *stack, Span span, Str text) {
    const Str written = source_text(stack->session, span);
    return str_find(written, text, 0) < written.len;
}

// A name that is written out, or put together: whoever deploys the stack gives no other one, as by `Ref`. That of a
// request of the AWS CLI begins in lower case, and nothing is ever replaced by one.
static bool is_kept(const RawStack *stack, const PlanField *name) {
    const bool is_literal =
        name->state == FIELD_KNOWN && name->text.len > 0 && source_has(stack, name->span, name->text);
    return field_is_there(name) && source_has(stack, name->key, str_of(name->name)) &&
           (is_literal || source_has(stack, name->span, STR("${")));
}

static bool is_own_role(const PlanField *role) {
    const bool is_written = role->state == FIELD_KNOWN && role->text.len > 0;
    return (is_written && !field_has(role, "AWSServiceRoleForBatch")) ||
           (role->resource != NULL && str_is(role->resource->type, "AWS::IAM::Role"));
}

static void read_update(const RawStack *stack, const RawMap *properties, const RawMap *resources,
                        PlanBatchGroup *batch) {
    const PlanField type = raw_field(stack, properties, "Type");
    const PlanField kubernetes = raw_field(stack, properties, "EksConfiguration");
    const PlanField replace = raw_field(stack, properties, "ReplaceComputeEnvironment");
    const PlanField role = raw_field(stack, properties, "ServiceRole");
    const PlanField name = raw_field(stack, properties, "ComputeEnvironmentName");
    const PlanField capacity = raw_field(stack, resources, "Type");
    const bool has_instances = field_is(&capacity, "EC2") || field_is(&capacity, "SPOT");
    PlanUpdate *update = &batch->update;
    const bool is_managed =
        type.state == FIELD_KNOWN && str_is_in_any_case(type.text, "MANAGED"); // CDK writes `managed`
    if (!is_managed || !has_instances || replace.state == FIELD_LATE) {
        return;
    }
    update->strategy = raw_field(stack, resources, "AllocationStrategy");
    update->is_best_fit = field_is(&update->strategy, "BEST_FIT") ||
                          (update->strategy.state == FIELD_ABSENT && kubernetes.state == FIELD_ABSENT);
    if (is_own_role(&role)) {
        update->role = role;
    }
    if (field_is(&replace, "false")) {
        update->in_place = replace;
    }
    if (is_kept(stack, &name)) {
        update->name = name;
    }
}

const PlanBatchGroup *raw_batch_group(const RawStack *stack, const RawMap *properties, const RawMap *launch,
                                      const RawTemplate *template) {
    const RawMap resources = raw_map(properties, "ComputeResources");
    PlanBatchGroup *batch = arena_new(stack->arena, PlanBatchGroup);
    *batch = (PlanBatchGroup){
        .kind = raw_field(stack, &resources, "Type"),
        .cluster = raw_presence(properties, "EksConfiguration"),
        .types = raw_fields(stack, &resources, "InstanceTypes"),
        .most_vcpus = raw_field(stack, &resources, "MaxvCpus"),
        .own_image = raw_field(stack, &resources, "ImageId"),
        .template_name = template == NULL ? STR_NONE : template->resource->name,
        .template_key = launch->key,
        .template_id = raw_either(stack, launch, "LaunchTemplateId", "LaunchTemplateName"),
        .version = raw_field(stack, launch, "Version"),
    };
    read_images(stack, &resources, template, batch);
    read_update(stack, properties, &resources, batch);
    return batch;
}
