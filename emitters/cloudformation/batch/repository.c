// A repository, and the names of the images in it. It has the name that the source gives it. So whoever pushes an
// image, and other stacks, know the name without asking.
#include "emitters/cloudformation/batch/repository.h"

#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"

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
    tree_put(stack->doc, scanning, "ScanOnPush", tree_bool(stack->doc, WHY_REPOSITORY_SCAN, true));
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
