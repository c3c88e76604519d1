// /dev/kmsg gives one message at a time, and says so where older ones were overwritten meanwhile. A file of a test has
// many. The rows of schema/device_faults.yaml and devices.yaml say what counts.
#include "stdlib/node/device/kernel_log.h"

#include "stdlib/node/device/disk.h"
#include "stdlib/node/device/facts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 65536, FAULTS_MAX = 256 };

static const char NO_DEVICE[] = "kernel"; // of a message that names none

// Whether an address on the PCI bus begins there: "0000:53:00", with or without ".0".
static bool is_address(const char *text) {
    static const char FORM[] = "xxxx:xx:xx";
    for (size_t i = 0; i < sizeof FORM - 1; i++) {
        if (FORM[i] == 'x' ? !isxdigit((unsigned char)text[i]) : text[i] != FORM[i]) {
            return false;
        }
    }
    return true;
}

static void copy_while(char *to, size_t size, const char *from, const char *letters) {
    size_t len = strspn(from, letters);
    len = len < size ? len : size - 1;
    memcpy(to, from, len);
    to[len] = '\0';
    while (len > 0 && strchr(":.", to[len - 1]) != NULL) {
        to[--len] = '\0';
    }
}

// The first device that the message names. The next ones are those that tell of it.
static void find_device(const char *message, char device[LOG_DEVICE_BYTES]) {
    static const char *const NAMES[] = { "nvme", "nd-id=", "neuron", "md", "dm-" };
    static const char *const FILE_SYSTEMS[] = { "EXT4-fs (", "XFS (" };
    for (size_t i = 0; i < sizeof FILE_SYSTEMS / sizeof FILE_SYSTEMS[0]; i++) {
        const char *at = strstr(message, FILE_SYSTEMS[i]);
        if (at != NULL) {
            copy_while(device, LOG_DEVICE_BYTES, at + strlen(FILE_SYSTEMS[i]), "abcdefghijklmnopqrstuvwxyz-0123456789");
            return;
        }
    }
    for (const char *at = message; *at != '\0'; at++) {
        if (is_address(at)) {
            copy_while(device, LOG_DEVICE_BYTES, at, "0123456789abcdefABCDEF:.");
            return;
        }
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        for (const char *at = message; (at = strstr(at, NAMES[i])) != NULL; at++) {
            if (isdigit((unsigned char)at[strlen(NAMES[i])])) {
                copy_while(device, LOG_DEVICE_BYTES, at, "abcdefghijklmnopqrstuvwxyz-=0123456789");
                return;
            }
        }
    }
    text_into(device, LOG_DEVICE_BYTES, NO_DEVICE);
}

static bool is_sxid(uint64_t code) {
    for (uint32_t i = 0; i < DEVICE_SXID_COUNT; i++) {
        if (DEVICE_SXIDS[i] == code) {
            return true;
        }
    }
    return false;
}

// "nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 LTSSM Fault Up"
static bool judge_sxid(const char *at, LogFault *fault) {
    uint64_t code = 0;
    const char *behind = strstr(at, "): ");
    if (behind == NULL || !host_number_of(behind + 3, &code)) {
        return false;
    }
    const bool is_fatal = strstr(behind, ", Fatal") != NULL;
    fault->check = DEVICE_LOG_NVSWITCH;
    fault->level = is_fatal ? LEVEL_FAIL : LEVEL_WARN;
    text_into(fault->what, sizeof fault->what, "%llu:%s", (unsigned long long)code, is_fatal ? "fatal" : "not-fatal");
    return is_fatal || is_sxid(code);
}

// "NVRM: Xid (PCI:0000:53:00): 79, pid=1, GPU has fallen off the bus.": errors of NVLink 5 say whether they are fatal,
// and 154 says what a GPU needs; "to 0x0 (None)" is nothing.
static bool judge_xid(const char *at, LogFault *fault) {
    uint64_t code = 0;
    const char *behind = strstr(at, "): ");
    if (behind == NULL || !host_number_of(behind + 3, &code) || strstr(behind, "onfatal") != NULL ||
        strstr(behind, "to 0x0") != NULL) {
        return false;
    }
    for (uint32_t i = 0; i < DEVICE_XID_COUNT; i++) {
        if (DEVICE_XIDS[i].code == code) {
            fault->check = DEVICE_LOG_GPU;
            fault->level = LEVEL_FAIL;
            text_into(fault->what, sizeof fault->what, "%llu:%s", (unsigned long long)code, DEVICE_XIDS[i].action);
            return true;
        }
    }
    return false;
}

static bool has_all(const char *message, const DeviceMessage *row) {
    for (int i = 0; i < DEVICE_TEXTS_MAX && row->texts[i] != NULL; i++) {
        if (strstr(message, row->texts[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool judge_text(const char *message, LogFault *fault) {
    for (uint32_t i = 0; i < DEVICE_MESSAGE_COUNT; i++) {
        const DeviceMessage *row = &DEVICE_MESSAGES[i];
        if (!has_all(message, row)) {
            continue;
        }
        for (int check = 0; check < DEVICE_CHECKS; check++) {
            if (strcmp(findings_id((DeviceCheck)check), row->check) == 0) {
                fault->check = (DeviceCheck)check;
            }
        }
        fault->level = strcmp(row->level, NODE_FAIL) == 0 ? LEVEL_FAIL : LEVEL_WARN;
        text_into(fault->what, sizeof fault->what, "%s", row->texts[1] != NULL ? row->texts[1] : row->texts[0]);
        for (char *at = fault->what; *at != '\0'; at++) {
            *at = *at == ' ' ? '-' : *at;
        }
        return true;
    }
    return false;
}

bool log_judge(const char *message, LogFault *fault) {
    *fault = (LogFault){ .check = DEVICE_LOG };
    const char *xid = strstr(message, "Xid (");
    const bool is_switch = xid != NULL && xid > message && xid[-1] == 'S';
    const bool is_fault = xid == NULL ? judge_text(message, fault)
                          : is_switch ? judge_sxid(xid, fault)
                                      : judge_xid(xid, fault);
    if (is_fault) {
        find_device(xid != NULL ? xid : message, fault->device);
    }
    return is_fault;
}

// ---- the whole log -------------------------------------------------------------------------------------------------

typedef struct Seen {
    char room[MESSAGE_BYTES]; // of the message read last
    uint32_t count;
    LogFault faults[FAULTS_MAX]; // each once
} Seen;

static void see(Seen *seen, const char *message) {
    LogFault fault;
    if (!log_judge(message, &fault) || seen->count == FAULTS_MAX) {
        return;
    }
    for (uint32_t i = 0; i < seen->count; i++) {
        const LogFault *other = &seen->faults[i];
        if (other->check == fault.check && strcmp(other->device, fault.device) == 0 &&
            strcmp(other->what, fault.what) == 0) {
            return;
        }
    }
    seen->faults[seen->count++] = fault;
}

// 0, or what went wrong.
static int read_log(Seen *seen, const char *path) {
    char *room = seen->room;
    const int log = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = 0;
    if (log < 0) {
        return errno;
    }
    do {
        len = read(log, room, MESSAGE_BYTES - 1);
        room[len > 0 ? len : 0] = '\0';
        for (char *line = room; *line != '\0';) {
            char *end = strchr(line, '\n');
            if (end != NULL) {
                *end = '\0';
            }
            see(seen, line);
            line = end != NULL ? end + 1 : line + strlen(line);
        }
    } while (len > 0 || (len < 0 && (errno == EPIPE || errno == EINTR)));
    const int fault = len < 0 && errno != EAGAIN ? errno : 0;
    (void)close(log);
    return fault;
}

// What the kernel knows since boot, whatever its log has lost: it handled a machine check
// (Documentation/admin-guide/tainted-kernels.rst of torvalds/linux, 2026-11).
static void look_at_taint(Seen *seen, const Host *host) {
    enum { MACHINE_CHECK = 16 };
    uint64_t taints = 0;
    LogFault fault = { .check = DEVICE_LOG_MACHINE, .level = LEVEL_FAIL, .what = "machine-check" };
    text_into(fault.device, sizeof fault.device, "%s", NO_DEVICE);
    if (host_number(host, &taints, "/proc/sys/kernel/tainted", NULL, NULL) && (taints & MACHINE_CHECK) != 0 &&
        seen->count < FAULTS_MAX) {
        seen->faults[seen->count++] = fault;
    }
}

// What a fault is where the disk is nobody's but a pod's: no reason to end the machine. Of one that was taken away,
// only what would have been a failure is said.
static Level level_of(const Host *host, const LogFault *fault) {
    switch (disk_owner(host, fault->device)) {
    case DISK_MACHINE:
        return fault->level;
    case DISK_VOLUME:
        return LEVEL_WARN;
    case DISK_GONE:
        return fault->level == LEVEL_FAIL ? LEVEL_WARN : LEVEL_PASS;
    }
    return fault->level;
}

// "0000:53:00" and "0000:53:00.0" are one device.
static bool is_same_device(const LogFault *fault, const LogFault *other) {
    const size_t len = is_address(fault->device) ? sizeof "xxxx:xx:xx" - 1 : LOG_DEVICE_BYTES;
    return strncmp(fault->device, other->device, len) == 0;
}

// Whether a device fails that none before it in the list is.
static bool is_first_of_device(const Seen *seen, uint32_t index) {
    const LogFault *fault = &seen->faults[index];
    if (fault->level != LEVEL_FAIL || strcmp(fault->device, NO_DEVICE) == 0) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        const LogFault *other = &seen->faults[i];
        if (other->check == fault->check && other->level == LEVEL_FAIL && is_same_device(fault, other)) {
            return false;
        }
    }
    return true;
}

// `devices` are as many as the node has of that kind; 0: nobody knows.
static void put_kind(Findings *findings, const Host *host, const Seen *seen, DeviceCheck check, uint32_t devices) {
    static const char INIT[] = "RmInitAdapter-failed";
    Finding finding = { .check = check, .at = "/dev/kmsg" };
    uint32_t lost = 0;
    uint32_t failed = 0;
    for (uint32_t i = 0; i < seen->count; i++) {
        const LogFault *fault = &seen->faults[i];
        const Level level = fault->check == check ? level_of(host, fault) : LEVEL_PASS;
        if (level != LEVEL_PASS) {
            finding_fault(&finding, level, fault->device, "%s", fault->what);
            lost += strcmp(fault->what, INIT) == 0;
            failed += is_first_of_device(seen, i);
        }
    }
    // If no GPU could be initialised, their driver cannot, be it the only one.
    finding.is_of_image = devices > 0 && lost >= devices;
    finding.devices = devices;
    finding.failed = failed;
    findings_put(findings, &finding);
}

void log_check(Findings *findings, const Host *host, const Expected *expected) {
    static const DeviceCheck OF_ALL[] = { DEVICE_LOG_PCI, DEVICE_LOG_MACHINE, DEVICE_LOG_NVME, DEVICE_LOG_DISK };
    Seen *seen = calloc(1, sizeof *seen);
    char path[HOST_PATH_BYTES];
    host_path(host, path, "/dev/kmsg", NULL, NULL);
    const int fault = seen != NULL ? read_log(seen, path) : ENOMEM;
    Finding finding = { .check = DEVICE_LOG, .at = "/dev/kmsg" };
    if (fault != 0) {
        finding_fault(&finding, LEVEL_FAIL, "log", "%s", strerror(fault));
    }
    findings_put(findings, &finding);
    if (seen == NULL) {
        return;
    }
    look_at_taint(seen, host);
    if (expected->gpus > 0) {
        put_kind(findings, host, seen, DEVICE_LOG_GPU, expected->gpus);
        put_kind(findings, host, seen, DEVICE_LOG_NVSWITCH, 0);
    }
    if (expected->efas > 0) {
        put_kind(findings, host, seen, DEVICE_LOG_EFA, expected->efas);
    }
    for (size_t i = 0; i < sizeof OF_ALL / sizeof OF_ALL[0]; i++) {
        put_kind(findings, host, seen, OF_ALL[i], 0);
    }
    if (expected->neurons > 0) {
        put_kind(findings, host, seen, DEVICE_LOG_NEURON, expected->neurons);
    }
    free(seen);
}
