// The folders of its node that a job's container sees, each under the path that it has there: the instance's own disks,
// and the file systems that the job mounts.
#include "emitters/cloudformation/batch/batch.h"

#include "emitters/doc/tree.h"

typedef struct {
    Stack *stack;
    DocNode *volumes;
    DocNode *mounts;
} Folders;

static void add_folder(const Folders *folders, Why reason, Str name, Str path) {
    Doc *doc = folders->stack->doc;
    DocNode *volume = tree_add_map(doc, folders->volumes);
    tree_put(doc, volume, "Name", tree_string(doc, reason, name));
    tree_put(doc, tree_put_map(doc, volume, "Host"), "SourcePath", tree_string(doc, reason, path));
    DocNode *mount = tree_add_map(doc, folders->mounts);
    tree_put(doc, mount, "SourceVolume", tree_string(doc, reason, name));
    tree_put(doc, mount, "ContainerPath", tree_string(doc, reason, path));
}

void batch_add_volumes(Stack *stack, DocNode *container, const PlanJob *job) {
    const Folders folders = { .stack = stack, .volumes = doc_list(stack->doc), .mounts = doc_list(stack->doc) };
    const Value *scratch = job->group->scratch;
    if (scratch != NULL) {
        doc_because(stack->doc, scratch->origin);
        add_folder(&folders, WHY_SCRATCH_MOUNT, STR("scratch"), scratch->string);
        doc_unbecause(stack->doc);
    }
    for (uint32_t i = 0; i < job->container->mounts.count; i++) {
        const PlanStorage *storage = job->container->mounts.items[i];
        doc_because(stack->doc, storage->mount->origin);
        // A storage can be called `scratch`, and two volumes cannot.
        const Str name = str_format(stack->arena, "storage-%.*s", STR_ARG(storage->head.id));
        add_folder(&folders, WHY_STORAGE_MOUNT, name, storage->mount->string);
        doc_unbecause(stack->doc);
    }
    if (doc_count(folders.volumes) > 0) {
        tree_put(stack->doc, container, "Volumes", folders.volumes);
        tree_put(stack->doc, container, "MountPoints", folders.mounts);
    }
}
