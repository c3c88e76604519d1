// A repository, and the names of the images in it. It has the name that the source gives it. So whoever pushes an
// image, and other stacks, know the name without asking.
#include "emitters/cloudformation/batch/repository.h"

#include "compiler/base/json.h"
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"

// A rule of the policy; the one for every image has to be the last.
static void add_rule(Stack *stack, Data *rules, const char *what, const char *status, const char *count,
                     int64_t number) {
    Arena *arena = stack->arena;
    Data *selection = data_map(arena);
    data_put(arena, selection, STR("tagStatus"), data_string(arena, str_of(status)));
    data_put(arena, selection, STR("countType"), data_string(arena, str_of(count)));
    if (str_is(STR("sinceImagePushed"), count)) {
        data_put(arena, selection, STR("countUnit"), data_string(arena, STR("days")));
    }
    data_put(arena, selection, STR("countNumber"), data_int(arena, number));
    Data *action = data_map(arena);
    data_put(arena, action, STR("type"), data_string(arena, STR("expire")));
    Data *rule = data_map(arena);
    data_put(arena, rule, STR("rulePriority"), data_int(arena, (int64_t)rules->count + 1));
    data_put(arena, rule, STR("description"), data_string(arena, str_of(what)));
    data_put(arena, rule, STR("selection"), selection);
    data_put(arena, rule, STR("action"), action);
    data_add(arena, rules, rule);
}

// The policy is a text of JSON (Amazon ECR User Guide, Lifecycle policy parameters, 2026-11).
static void put_lifecycle(Stack *stack, DocNode *repository, const PlanImage *image) {
    enum { DAY_MS = 24 * 60 * 60 * 1000 };
    Arena *arena = stack->arena;
    const Origin *origin = NULL;
    Data *rules = data_list(arena);
    if (image->expire_untagged != NULL) {
        add_rule(stack, rules, "Images without a tag go", "untagged", "sinceImagePushed",
                 image->expire_untagged->integer / DAY_MS);
        origin = image->expire_untagged->origin;
    }
    if (image->keep_newest != NULL) {
        add_rule(stack, rules, "The newest stay", "any", "imageCountMoreThan", image->keep_newest->integer);
        origin = origin_join(arena, origin, image->keep_newest->origin);
    }
    if (rules->count == 0) {
        return;
    }
    Data *policy = data_map(arena);
    data_put(arena, policy, STR("rules"), rules);
    DocNode *lifecycle = tree_put_map(stack->doc, repository, "LifecyclePolicy");
    tree_put(stack->doc, lifecycle, "LifecyclePolicyText",
             doc_string(stack->doc, str_trim(json_write_line(arena, policy)), origin));
}

void repository_add(Stack *stack, const PlanImage *image, const Value *tags) {
    const bool is_emptied = image->is_emptied != NULL && image->is_emptied->boolean;
    doc_because(stack->doc, image->head.origin);
    Str id = import_repository_id(stack, image);
    DocNode *repository = stack_resource(stack, (StackResource){
                                                    .id = id,
                                                    .type = "AWS::ECR::Repository",
                                                    .is_kept = !is_emptied,
                                                });
    tree_put(stack->doc, repository, "RepositoryName",
             doc_string(stack->doc, image->repository->string, image->repository->origin));
    if (is_emptied) {
        tree_put(stack->doc, repository, "EmptyOnDelete", doc_bool(stack->doc, true, image->is_emptied->origin));
    }
    DocNode *encryption = tree_put_map(stack->doc, repository, "EncryptionConfiguration");
    tree_put_text(stack->doc, encryption, "EncryptionType", WHY_REPOSITORY_ENCRYPTION, "AES256");
    DocNode *scanning = tree_put_map(stack->doc, repository, "ImageScanningConfiguration");
    tree_put(stack->doc, scanning, "ScanOnPush",
             doc_bool(stack->doc, image->is_scanned->boolean, image->is_scanned->origin));
    if (image->is_immutable->boolean) {
        tree_put(stack->doc, repository, "ImageTagMutability",
                 doc_string(stack->doc, STR("IMMUTABLE"), image->is_immutable->origin));
    }
    put_lifecycle(stack, repository, image);
    tree_put(stack->doc, repository, "Tags", tags_list(stack, (Tags){ .inner = tags }));
    stack_output(stack, id, "Repository of the image", intrinsic_ref(stack, id), false);
    Str uri = str_format(stack->arena, "%.*sUri", STR_ARG(id));
    stack_output(stack, uri, "Where the image is pushed to", intrinsic_get_att(stack, id, "RepositoryUri"), false);
    doc_unbecause(stack->doc);
}

void repository_emit(Session *session, const Plan *plan, const PlanImage *image, Output *output) {
    Stack *stack = stack_open(session, plan, &image->head, image->region);
    repository_add(stack, image, NULL);
    extras_add(stack, image->head.part, true);
    Str description = str_format(stack->arena, "Repository of the image %.*s", STR_ARG(image->head.id));
    stack_write(stack, description, NULL, output);
}
