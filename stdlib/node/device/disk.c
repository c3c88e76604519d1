// An NVMe disk says by its model whether it is the instance's own; another one is a volume of EBS. Arrays and logical
// volumes are made of disks, which sysfs lists as their slaves. The root is what the kernel mounts at /, by its number:
// its source may be called /dev/root.
#include "stdlib/node/device/disk.h"

#include "stdlib/node/collective/text.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 4 }; // of what a disk is made of

static const char BLOCK[] = "/sys/class/block";
static const char DIGITS[] = "0123456789";

// The whole of which a name is a part: "nvme0" of "nvme0n1p1", "md127" of "md127p1", "xvdf" of "xvdf1". False: it is no
// disk.
static bool whole_of(const char *device, char whole[HOST_NAME_BYTES]) {
    static const struct {
        const char *prefix, *number;
    } FORMS[] = { { "nvme", DIGITS }, { "md", DIGITS }, { "dm-", DIGITS }, { "xvd", "abcdefghijklmnopqrstuvwxyz" } };
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        const size_t skipped = strlen(FORMS[i].prefix);
        if (strncmp(device, FORMS[i].prefix, skipped) == 0) {
            const size_t len = strspn(device + skipped, FORMS[i].number);
            text_into(whole, HOST_NAME_BYTES, "%.*s", (int)(skipped + len), device);
            return len > 0;
        }
    }
    return false;
}

// The last line with that mount point counts. The words are counted from 1.
static void word_of_root(const Host *host, const char *file, int place_at, int word_at, char word[HOST_NAME_BYTES]) {
    char *text = calloc(1, HOST_FILE_BYTES);
    char *rest = NULL;
    word[0] = '\0';
    if (text != NULL) {
        (void)host_read(host, text, HOST_FILE_BYTES, file, NULL, NULL);
    }
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *next = NULL;
        const char *found = "";
        bool is_root = false;
        int i = 1;
        for (const char *one = strtok_r(line, " ", &next); one != NULL; one = strtok_r(NULL, " ", &next), i++) {
            found = i == word_at ? one : found;
            is_root = is_root || (i == place_at && strcmp(one, "/") == 0);
        }
        if (is_root) {
            text_into(word, HOST_NAME_BYTES, "%s", found);
        }
    }
    free(text);
}

// The name of what the root file system is on; empty: nobody knows it.
static void find_root(const Host *host, char root[HOST_NAME_BYTES]) {
    enum { INFO_PLACE_AT = 5, INFO_NUMBER_AT = 3, MOUNTS_PLACE_AT = 2, MOUNTS_SOURCE_AT = 1 };
    static const char FOLDER[] = "/dev/";
    char number[HOST_NAME_BYTES];
    char source[HOST_NAME_BYTES];
    word_of_root(host, "/proc/self/mountinfo", INFO_PLACE_AT, INFO_NUMBER_AT, number);
    HostNames *names = number[0] != '\0' ? host_names(host, BLOCK, NULL) : NULL;
    root[0] = '\0';
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        char other[HOST_NAME_BYTES];
        (void)host_read(host, other, sizeof other, BLOCK, names->names[i], "dev");
        other[strcspn(other, "\n")] = '\0';
        if (strcmp(other, number) == 0) {
            text_into(root, HOST_NAME_BYTES, "%s", names->names[i]);
        }
    }
    free(names);
    if (root[0] == '\0') {
        word_of_root(host, "/proc/mounts", MOUNTS_PLACE_AT, MOUNTS_SOURCE_AT, source);
        if (strncmp(source, FOLDER, sizeof FOLDER - 1) == 0) {
            text_into(root, HOST_NAME_BYTES, "%s", source + sizeof FOLDER - 1);
        }
    }
}

// What a disk is made of. NULL: there is no memory.
static HostNames *slaves_of(const Host *host, const char *device) {
    char folder[HOST_PATH_BYTES];
    text_into(folder, sizeof folder, "%s/%s/slaves", BLOCK, device);
    return host_names(host, folder, NULL);
}

// Whether the one is the other, or a part of what it is made of.
static bool holds(const Host *host, const char *device, const char *disk, int depth) {
    char whole[HOST_NAME_BYTES];
    bool is_held = whole_of(device, whole) && strcmp(whole, disk) == 0;
    HostNames *slaves = depth < DEPTH_MAX && !is_held ? slaves_of(host, device) : NULL;
    for (uint32_t i = 0; slaves != NULL && i < slaves->count && !is_held; i++) {
        is_held = holds(host, slaves->names[i], disk, depth + 1);
    }
    free(slaves);
    return is_held;
}

static bool is_machines(const Host *host, const char *device, const char *root, int depth) {
    static const char OWN[] = "Amazon EC2 NVMe Instance Storage";
    char whole[HOST_NAME_BYTES];
    char model[HOST_NAME_BYTES];
    if (!whole_of(device, whole)) {
        return false;
    }
    (void)host_read(host, model, sizeof model, "/sys/class/nvme", whole, "model");
    bool is_own = strncmp(model, OWN, sizeof OWN - 1) == 0 || holds(host, root, whole, 0);
    HostNames *slaves = depth < DEPTH_MAX && !is_own ? slaves_of(host, whole) : NULL;
    for (uint32_t i = 0; slaves != NULL && i < slaves->count && !is_own; i++) {
        is_own = is_machines(host, slaves->names[i], root, depth + 1);
    }
    free(slaves);
    return is_own;
}

// A volume may be taken away while a program uses it, as Kubernetes does after six minutes
// (kubernetes-sigs/aws-ebs-csi-driver docs/faq.md, read 2026-11). If one of the instance's own is gone, nvme.count says
// so.
DiskOwner disk_owner(const Host *host, const char *device) {
    char whole[HOST_NAME_BYTES];
    char root[HOST_NAME_BYTES];
    if (!whole_of(device, whole)) {
        return DISK_MACHINE;
    }
    if (strncmp(whole, "nvme", strlen("nvme")) == 0 && !host_has(host, "/sys/class/nvme", whole, NULL)) {
        return DISK_GONE;
    }
    find_root(host, root);
    return is_machines(host, whole, root, 0) ? DISK_MACHINE : DISK_VOLUME;
}
