// A repository and the names of the images in it. It has the name that the source gives it: what pushes an image, and
// other stacks, then know it without asking.
#include "emitters/cloudformation/repository.h"

#include "compiler/base/pattern.h"
#include "emitters/cloudformation/extras.h"
#include "emitters/cloudformation/node.h"
#include "emitters/cloudformation/sub.h"
#include "emitters/cloudformation/tags.h"

// What Amazon ECR takes as a name: pieces of lower-case letters and digits with single `.`, `_`, `-` or `/` between.
// https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_CreateRepository.html, 2026-11.
static const char NAME_PATTERN[] = "^[a-z0-9]+(?:[._/-][a-z0-9]+)*$";
enum { NAME_BYTES_MIN = 2, NAME_BYTES_MAX = 256 };

// Whether this very stack makes the repository that an image is in.
static bool is_made_here(const Stack *stack, const PlanImage *image) {
    const PlanImage *maker = image->maker;
    if (maker->is_existing || maker->head.block->is_used) {
        return false;
    }
    return stack->head == (maker->owner == NULL ? &maker->head : &maker->owner->head);
}

static Str repository_id(const Stack *stack, const PlanImage *image) {
    return stack_id(stack, image->head.id, STR_NONE, "Repository");
}

static void check_name(Stack *stack, const Value *name) {
    bool has_length = name->string.len >= NAME_BYTES_MIN && name->string.len <= NAME_BYTES_MAX;
    if (!has_length || pattern_match(stack->session, str_of(NAME_PATTERN), name->string, NULL) != PATTERN_YES) {
        Diag *diag =
            plan_report(stack->session, stack->head->block, name->span, DIAG(repository_name), STR_ARG(name->string));
        diag_help(stack->session, diag, "write lower-case letters and digits, with `-`, `_`, `.` or `/` between them");
    }
}

void repository_add(Stack *stack, const PlanImage *image, const Value *tags) {
    const bool is_emptied = image->is_emptied != NULL && image->is_emptied->boolean;
    check_name(stack, image->repository);
    doc_because(stack->doc, image->head.origin);
    Str id = repository_id(stack, image);
    DocNode *repository = stack_resource(stack, (StackResource){
                                                    .id = id,
                                                    .type = "AWS::ECR::Repository",
                                                    .is_kept = !is_emptied,
                                                });
    node_put(stack, repository, "RepositoryName",
             doc_string(stack->doc, image->repository->string, image->repository->origin));
    if (is_emptied) {
        node_put(stack, repository, "EmptyOnDelete", doc_bool(stack->doc, true, image->is_emptied->origin));
    }
    DocNode *encryption = node_put_map(stack, repository, "EncryptionConfiguration");
    node_put_text(stack, encryption, "EncryptionType", WHY_REPOSITORY_ENCRYPTION, "AES256");
    DocNode *scanning = node_put_map(stack, repository, "ImageScanningConfiguration");
    node_put(stack, scanning, "ScanOnPush", node_bool(stack, WHY_REPOSITORY_SCAN, true));
    node_put(stack, repository, "Tags", tags_list(stack, (Tags){ .inner = tags }));
    stack_output(stack, id, "Repository of the image", node_ref(stack, id), false);
    Str uri = str_format(stack->arena, "%.*sUri", STR_ARG(id));
    stack_output(stack, uri, "Where the image is pushed to", node_attribute(stack, id, "RepositoryUri"), false);
    doc_unbecause(stack->doc);
}

DocNode *repository_image(Stack *stack, const PlanImage *image) {
    SubText text = { .stack = stack };
    if (is_made_here(stack, image)) {
        Str uri = str_format(stack->arena, "%.*s.RepositoryUri", STR_ARG(repository_id(stack, image->maker)));
        sub_add_reference(&text, uri, image->head.origin);
    } else {
        sub_add_reference(&text, STR("AWS::AccountId"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR(".dkr.ecr."), why(WHY_BATCH_JOB_IMAGE));
        sub_add_reference(&text, STR("AWS::Region"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR("."), why(WHY_BATCH_JOB_IMAGE));
        sub_add_reference(&text, STR("AWS::URLSuffix"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR("/"), why(WHY_BATCH_JOB_IMAGE));
        sub_add_value(&text, image->repository);
    }
    sub_add(&text, STR(":"), why(WHY_BATCH_JOB_IMAGE));
    sub_add_value(&text, image->tag);
    return sub_node(&text);
}

void repository_emit(Session *session, const Plan *plan, const PlanImage *image, Output *output) {
    Stack *stack = stack_open(session, plan, &image->head, image->region);
    repository_add(stack, image, NULL);
    extras_add(stack, image->head.block, true);
    Str description = str_format(stack->arena, "Repository of the image %.*s", STR_ARG(image->head.id));
    stack_write(stack, description, NULL, output);
}
