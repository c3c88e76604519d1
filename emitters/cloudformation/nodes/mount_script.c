// The script by which a node mounts the cluster's file systems, before it takes work. Ids that the stack makes
// are late, and stand in it as references.
#include "emitters/cloudformation/nodes/mount_script.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/storage/file_system.h"

typedef struct {
    StorageKind kind;
    const char *type;    // as mount(8) and its helper are called
    const char *package; // that has the helper
    const char *options;
} MountRow;

// FSx for Lustre User Guide, Mounting from an EC2 instance; EFS User Guide, Mounting with the EFS mount helper, and
// Recommended NFS mount options, 2026-11.
static const MountRow MOUNT_ROWS[] = {
    { STORAGE_LUSTRE, "lustre", "lustre-client", "relatime,flock" },
    { STORAGE_EFS, "efs", "amazon-efs-utils", "tls" },
    { STORAGE_NFS, "nfs4", "nfs-utils", "nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport" },
};

static const MountRow *mount_row(StorageKind kind) {
    for (size_t i = 0; i < COUNT_OF(MOUNT_ROWS); i++) {
        if (MOUNT_ROWS[i].kind == kind) {
            return &MOUNT_ROWS[i];
        }
    }
    return NULL; // rule storage has refused it
}

static void add_lustre(LateText *late, StrBuf *text, const PlanCluster *cluster, const PlanStorage *storage) {
    const Stack *stack = late->stack;
    if (storage->existing == NULL) {
        const Str id = file_system_id(stack, cluster, storage);
        late_text_add_reference(late, text, str_format(stack->arena, "%.*s.DNSName", STR_ARG(id)));
        strbuf_add(text, STR("@tcp:/"));
        late_text_add_reference(late, text, str_format(stack->arena, "%.*s.LustreMountName", STR_ARG(id)));
        return;
    }
    const RegionRow *region = schema_region(cluster->region);
    late_text_add_value(late, text, storage->existing);
    strbuf_add(text, STR(".fsx."));
    if (region != NULL) {
        strbuf_add_format(text, "%s.%s", region->name, region->url_suffix);
    } else {
        late_text_add_reference(late, text, STR("AWS::Region"));
        strbuf_add_char(text, '.');
        late_text_add_reference(late, text, STR("AWS::URLSuffix"));
    }
    strbuf_add_format(text, "@tcp:/%.*s", STR_ARG(storage->mount_name->string));
}

static void add_device(LateText *late, StrBuf *text, const PlanCluster *cluster, const PlanStorage *storage) {
    if (storage->kind == STORAGE_NFS) {
        shell_add_word(text, storage->server->string);
        return;
    }
    strbuf_add_char(text, '\'');
    if (storage->kind == STORAGE_LUSTRE) {
        add_lustre(late, text, cluster, storage);
    } else if (storage->existing != NULL) {
        late_text_add_value(late, text, storage->existing);
        strbuf_add(text, STR(":/"));
    } else {
        late_text_add_reference(late, text, file_system_id(late->stack, cluster, storage));
        strbuf_add(text, STR(":/"));
    }
    strbuf_add_char(text, '\'');
}

static Str options_of(Arena *arena, const MountRow *row, const PlanStorage *storage) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, str_of(row->options));
    for (uint32_t i = 0; i < storage->mount_options->list.count; i++) {
        strbuf_add_format(&text, ",%.*s", STR_ARG(storage->mount_options->list.items[i]->string));
    }
    return strbuf_str(&text);
}

static void add_mount(LateText *late, StrBuf *text, const PlanCluster *cluster, const PlanStorage *storage,
                      const MountRow *row) {
    strbuf_add_format(text, "mount_at %s %s ", row->type, row->package);
    shell_add_word(text, options_of(late->stack->arena, row, storage));
    strbuf_add_char(text, ' ');
    add_device(late, text, cluster, storage);
    strbuf_add_char(text, ' ');
    shell_add_word(text, storage->mount->string);
    strbuf_add_char(text, '\n');
}

static bool is_of_homes(const PlanStorage *storage) {
    return str_is(storage->mount->string, "/home");
}

// Under Slurm jobs run as users, and not as root in a container. The users of the image keep their homes, and what is
// new lets all of them write, as on ParallelCluster (aws-parallelcluster-cookbook@f75d84c3, resources/lustre, 2024-10,
// read 2026-11). A mode that somebody else chose stays.
static void add_homes(StrBuf *text, const PlanStorage *storage) {
    if (is_of_homes(storage)) {
        strbuf_add(text, STR("install -d /run/dtc/home && mount --bind /home /run/dtc/home\n"));
    }
}

static void add_users(StrBuf *text, const PlanStorage *storage) {
    if (is_of_homes(storage)) {
        strbuf_add(text, STR("cp -an /run/dtc/home/. /home\numount /run/dtc/home\n"));
    } else if (storage->existing == NULL && storage->kind != STORAGE_NFS) {
        strbuf_add(text, STR("[ \"$(stat -c %u:%a"));
        shell_add(text, "", storage->mount->string);
        strbuf_add(text, STR(")\" != 0:755 ] || chmod 1777"));
        shell_add(text, "", storage->mount->string);
        strbuf_add_char(text, '\n');
    }
}

// The system of the nodes is what `os` says. Where the image is the author's and nothing is said, as may be on AWS PCS, it
// may be any.
static bool may_be_ubuntu(const PlanCluster *cluster) {
    const bool is_said = subject_value(cluster->head.subject, CLUSTER_OS) != NULL;
    return is_said ? str_starts_with(cluster->os->string, STR("ubuntu")) : cluster->target == TARGET_PCS;
}

Str mount_script(LateText *late, const PlanCluster *cluster) {
    Arena *arena = late->stack->arena;
    const bool has_users = cluster->target == TARGET_PCS;
    StrBuf text = { .arena = arena };
    if (may_be_ubuntu(cluster)) {
        userdata_add_code(&text, userdata_library("node/mount-apt.sh"));
    }
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const MountRow *row = mount_row(storage->kind);
        if (row == NULL) {
            continue;
        }
        if (has_users) {
            add_homes(&text, storage);
        }
        add_mount(late, &text, cluster, storage, row);
        if (has_users) {
            add_users(&text, storage);
        }
    }
    const Str script = userdata_library("node/mount.sh");
    return userdata_bare_script(arena, userdata_script_with(arena, script, "mounts", strbuf_str(&text)));
}

// What a node installs of a client that its image lacks, and whose word it takes for it.
static const char *trusted(StorageKind kind) {
    switch (kind) {
    case STORAGE_EFS:
        return "where the image has Ubuntu and no amazon-efs-utils, its nodes run AWS's installer as root, which takes "
               "the newest version and has no SHA-256 to compare: an image that has the package installs nothing";
    case STORAGE_LUSTRE:
        return "where the image has Ubuntu and no Lustre client, its nodes install the one for their kernel from FSx's "
               "repository, by a key that they fetch over HTTPS: an image that has the client installs nothing";
    case STORAGE_NFS:
    case STORAGE_OPENZFS:
    case STORAGE_EBS:
    case STORAGE_ONTAP:
    case STORAGE_OTHER:
        return NULL; // from the system's own repository
    }
    return NULL;
}

void mount_decide(Stack *stack, const PlanCluster *cluster) {
    Arena *arena = stack->session->arena; // the stack's ends before they are printed
    for (uint32_t i = 0; i < cluster->storages.count && may_be_ubuntu(cluster); i++) {
        const PlanHead *head = &cluster->storages.items[i]->head;
        const char *text = trusted(cluster->storages.items[i]->kind);
        if (text != NULL) {
            const PlanDecision decision = { .span = head->subject->name_span,
                                            .subject = cluster->head.id,
                                            .text = str_format(arena, "%.*s: %s", STR_ARG(head->id), text) };
            vec_push(arena, &stack->decisions, decision);
        }
    }
}

const Origin *mount_script_origin(Arena *arena, const PlanCluster *cluster) {
    const Origin *origin = NULL;
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        origin = origin_join(arena, origin, cluster->storages.items[i]->head.origin);
    }
    return origin;
}
