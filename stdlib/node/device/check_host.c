// The machine around the accelerators. A PCI device is held against those of its kind: no source says what a guest sees
// of the links of each instance type, and a slot that is narrow by design is narrow for all of them.
#include "stdlib/node/device/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

static const char BUS[] = "/sys/bus/pci/devices";

// On a disk without room each job ends at once, and the node soon has the next one. The work fills it, and may empty
// it.
static void look_at_room(const Node *node, Finding *finding) {
    char path[HOST_PATH_BYTES];
    struct statvfs room;
    host_path(&node->host, path, "/", NULL, NULL);
    if (statvfs(path, &room) != 0) {
        return;
    }
    if (room.f_blocks > 0 && room.f_bavail == 0) {
        finding_fault(finding, LEVEL_WARN, "/", "full");
    } else if (room.f_files > 0 && room.f_favail == 0) {
        finding_fault(finding, LEVEL_WARN, "/", "no-inodes");
    }
}

// The last line with the mount point counts: what was mounted there before is hidden by it.
void check_root(const Node *node) {
    Finding finding = { .check = DEVICE_ROOT, .at = "/proc/mounts" };
    char *text = calloc(1, HOST_FILE_BYTES);
    bool is_writable = true;
    bool is_found = false;
    if (text == NULL || !host_read(&node->host, text, HOST_FILE_BYTES, "/proc/mounts", NULL, NULL)) {
        findings_skip(node->findings, DEVICE_ROOT, "cannot be read");
        free(text);
        return;
    }
    for (char *line = text; line != NULL && *line != '\0';) {
        const char *place = strchr(line, ' ');
        if (place != NULL && strncmp(place, " / ", 3) == 0) {
            const char *options = strchr(place + 3, ' ');
            is_found = true;
            is_writable = options == NULL || (strncmp(options, " ro,", 4) != 0 && strncmp(options, " ro ", 4) != 0);
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    free(text);
    if (!is_found) {
        findings_skip(node->findings, DEVICE_ROOT, "not listed");
        return;
    }
    if (!is_writable) {
        finding_fault(&finding, LEVEL_FAIL, "/", "ro");
    }
    look_at_room(node, &finding);
    findings_put(node->findings, &finding);
}

// Containers have the limits of what starts them, unless whoever starts them says otherwise. EFA's buffers are locked.
void check_memlock(const Node *node) {
    static const char *const DAEMONS[] = { "containerd", "dockerd" };
    enum { LIMITS_BYTES = 4096 };
    Finding finding = { .check = DEVICE_MEMLOCK_DAEMON };
    bool is_found = false;
    for (size_t i = 0; node->expected->efas > 0 && i < sizeof DAEMONS / sizeof DAEMONS[0]; i++) {
        char process[HOST_NAME_BYTES];
        char limits[LIMITS_BYTES];
        if (!host_process(&node->host, process, DAEMONS[i]) ||
            !host_read(&node->host, limits, sizeof limits, "/proc", process, "limits")) {
            continue;
        }
        const char *limit = strstr(limits, "Max locked memory");
        limit = limit != NULL ? limit + strcspn(limit, "0123456789u\n") : "";
        is_found = true;
        text_into(finding.at, sizeof finding.at, "/proc/%s/limits", process);
        if (strncmp(limit, "unlimited", strlen("unlimited")) != 0) {
            finding_fault(&finding, LEVEL_WARN, DAEMONS[i], "%.*s", (int)strcspn(limit, " \n"), limit);
        }
    }
    if (is_found) {
        findings_put(node->findings, &finding);
    }
}

// ---- PCI Express ---------------------------------------------------------------------------------------------------

enum { LINKS_MAX = 64, EVENT_BYTES = 1024 };

typedef struct Link {
    char name[HOST_NAME_BYTES];
    char id[16];                                   // of the same device, such as "10DE:2330"
    uint64_t width, width_most, speed, speed_most; // speed in tenths of GT/s; 0: the function does not say
} Link;

typedef struct Links {
    uint32_t count;
    Link links[LINKS_MAX];
} Links;

// "16.0 GT/s PCIe" in tenths; 0: "Unknown".
static uint64_t speed_of(const Node *node, const char *name, const char *file) {
    char text[HOST_NAME_BYTES];
    uint64_t whole = 0;
    (void)host_read(&node->host, text, sizeof text, BUS, name, file);
    if (!host_number_of(text, &whole)) {
        return 0;
    }
    const char *point = strchr(text, '.');
    return whole * 10 + (point != NULL && point[1] >= '0' && point[1] <= '9' ? (uint64_t)(point[1] - '0') : 0);
}

static bool is_wanted(const char *event) {
    const char *class = strstr(event, "PCI_CLASS=");
    const bool is_display = class != NULL && strncmp(class, "PCI_CLASS=3", 11) == 0;
    return (strstr(event, "PCI_ID=10DE:") != NULL && is_display) || strstr(event, "PCI_ID=1D0F:EFA") != NULL ||
           strstr(event, "PCI_ID=1D0F:7") != NULL;
}

static void read_links(const Node *node, Links *links) {
    HostNames *names = host_names(&node->host, BUS, NULL);
    for (uint32_t i = 0; names != NULL && i < names->count && links->count < LINKS_MAX; i++) {
        char event[EVENT_BYTES];
        const char *name = names->names[i];
        (void)host_read(&node->host, event, sizeof event, BUS, name, "uevent");
        if (!is_wanted(event)) {
            continue;
        }
        Link *link = &links->links[links->count++];
        const char *id = strstr(event, "PCI_ID=") + strlen("PCI_ID=");
        text_into(link->name, sizeof link->name, "%s", name);
        text_into(link->id, sizeof link->id, "%.*s", (int)strcspn(id, "\n"), id);
        (void)host_number(&node->host, &link->width, BUS, name, "current_link_width");
        (void)host_number(&node->host, &link->width_most, BUS, name, "max_link_width");
        link->speed = speed_of(node, name, "current_link_speed");
        link->speed_most = speed_of(node, name, "max_link_speed");
    }
    free(names);
}

// The most that one of its kind has.
static uint64_t most_of(const Links *links, const Link *of, bool is_width) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < links->count; i++) {
        const Link *link = &links->links[i];
        const uint64_t value = is_width ? link->width : link->speed;
        most = strcmp(link->id, of->id) == 0 && value > most ? value : most;
    }
    return most;
}

static void put_links(const Node *node, const Links *links, bool is_width) {
    Finding finding = { .check = is_width ? DEVICE_PCI_WIDTH : DEVICE_PCI_SPEED, .at = "/sys/bus/pci/devices" };
    for (uint32_t i = 0; i < links->count; i++) {
        const Link *link = &links->links[i];
        const uint64_t value = is_width ? link->width : link->speed;
        const uint64_t own_most = is_width ? link->width_most : link->speed_most;
        const uint64_t most = most_of(links, link, is_width);
        const bool has_less = value > 0 && value < most && (own_most == 0 || value < own_most);
        if (has_less && is_width) {
            finding_fault(&finding, LEVEL_FAIL, link->name, "x%llu-of-x%llu", (unsigned long long)value,
                          (unsigned long long)most);
        } else if (has_less) { // a GPU that rests may lower it
            finding_fault(&finding, LEVEL_WARN, link->name, "%llu.%llu-of-%llu.%llu", (unsigned long long)value / 10,
                          (unsigned long long)value % 10, (unsigned long long)most / 10, (unsigned long long)most % 10);
        }
    }
    findings_put(node->findings, &finding);
}

void check_pci_links(const Node *node) {
    Links *links = calloc(1, sizeof *links);
    if (links != NULL) {
        read_links(node, links);
    }
    if (links != NULL && links->count > 0) {
        put_links(node, links, true);
        put_links(node, links, false);
    }
    free(links);
}

// How many there are no source says of a guest, type by type; each that there is has its driver, or no GPU reaches
// another.
void check_nvswitches(const Node *node) {
    Finding finding = { .check = DEVICE_NVSWITCH, .at = "/sys/bus/pci/devices" };
    HostNames *names = host_names(&node->host, BUS, NULL);
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        char event[EVENT_BYTES];
        (void)host_read(&node->host, event, sizeof event, BUS, names->names[i], "uevent");
        if (strstr(event, "PCI_ID=10DE:") == NULL || strstr(event, "PCI_CLASS=680") == NULL) {
            continue;
        }
        finding_look(&finding);
        const char *driver = strstr(event, "DRIVER=");
        driver = driver != NULL ? driver + strlen("DRIVER=") : "none\n";
        if (strncmp(driver, "nvidia-nvswitch\n", strlen("nvidia-nvswitch\n")) != 0) {
            finding_fault(&finding, LEVEL_FAIL, names->names[i], "%.*s", (int)strcspn(driver, "\n"), driver);
        }
    }
    free(names);
    if (finding.devices > 0) {
        findings_put(node->findings, &finding);
    }
}
