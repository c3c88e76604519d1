// Lines of the record that the first stage leaves to this one: what another program has to say, which costs room in
// user data, and what only records of an author's own ask for.
#include "stdlib/node/device/checks.h"

#include "stdlib/node/device/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB_SHIFT = 10, WORD_BYTES = 64 };

typedef struct Asked {
    const Node *node;
    ExpectedLine line;
    Finding finding;
} Asked;

// The first word of a text.
static void take_word(char word[WORD_BYTES], const char *text) {
    text += strspn(text, " \t");
    text_into(word, WORD_BYTES, "%.*s", (int)strcspn(text, " \t\n"), text);
}

// What is behind the first such label; empty: there is none.
static const char *behind(const char *text, const char *label) {
    const char *at = strstr(text, label);
    return at != NULL ? at + strlen(label) : "";
}

static Level level_of(const Asked *asked) {
    return asked->line.only_warns ? LEVEL_WARN : LEVEL_FAIL;
}

// ---- programs --------------------------------------------------------------------------------------------------

static int run(const Asked *asked, const char *program, const char *first, const char *second,
               char output[PROGRAM_OUTPUT_BYTES]) {
    char path[HOST_PATH_BYTES];
    host_path(&asked->node->host, path, program, NULL, NULL);
    return program_run(path, first, second, output);
}

static void check_libfabric(Asked *asked) {
    char output[PROGRAM_OUTPUT_BYTES];
    const int status = run(asked, asked->line.values, "-p", "efa", output);
    text_into(asked->finding.at, sizeof asked->finding.at, "%s", asked->line.values);
    if (status != 0) {
        finding_fault(&asked->finding, level_of(asked), "exit", "%d", status);
    } else if (strstr(output, "provider: efa") == NULL) {
        finding_fault(&asked->finding, level_of(asked), "efa", "absent");
    }
}

// It prints "Fabric Manager version is : 550.54.15". One of another version than the driver's ends at once, and then no
// program can use the GPUs of a machine with NVSwitches.
static void check_fabric_manager(Asked *asked) {
    char output[PROGRAM_OUTPUT_BYTES];
    char text[WORD_BYTES];
    char version[WORD_BYTES];
    char driver[WORD_BYTES];
    (void)run(asked, asked->line.values, "--version", NULL, output);
    (void)host_read(&asked->node->host, text, sizeof text, "/sys/module/nvidia/version", NULL, NULL);
    text_into(asked->finding.at, sizeof asked->finding.at, "%s", asked->line.values);
    take_word(version, behind(output, "ersion is :"));
    take_word(driver, text);
    if (version[0] == '\0' || strcmp(version, driver) != 0) {
        finding_fault(&asked->finding, level_of(asked), "fabric-manager", "%s", version);
        finding_note(&asked->finding, "driver", "%s", driver);
    }
}

// ---- limits ----------------------------------------------------------------------------------------------------

typedef struct Limit {
    const char *label;    // in /proc/PID/limits
    const char *property; // of a unit of systemd
    int shift;
} Limit;

// The limits that work will run under: those of the daemon that starts it. Before the daemon runs, its unit says what
// it will have. Programs start with the soft limit. False: nobody knows it.
static bool read_limit(Asked *asked, const Limit *limit, const char *daemon, char found[WORD_BYTES]) {
    char text[PROGRAM_OUTPUT_BYTES];
    char process[HOST_NAME_BYTES];
    if (host_process(&asked->node->host, process, daemon)) {
        text_into(asked->finding.at, sizeof asked->finding.at, "/proc/%s/limits", process);
        (void)host_read(&asked->node->host, text, sizeof text, "/proc", process, "limits");
        take_word(found, behind(text, limit->label));
        return true;
    }
    (void)run(asked, "/usr/bin/systemctl", "show", daemon, text);
    take_word(found, behind(text, limit->property));
    return strstr(text, "LoadState=loaded") != NULL;
}

static void check_limit(Asked *asked, const Limit *limit) {
    char wanted[WORD_BYTES];
    char daemon[WORD_BYTES];
    char found[WORD_BYTES];
    uint64_t most = 0;
    uint64_t least = 0;
    take_word(wanted, asked->line.values);
    take_word(daemon, asked->line.values + strcspn(asked->line.values, " "));
    if (!read_limit(asked, limit, daemon, found)) {
        asked->finding.level = LEVEL_SKIP;
        return;
    }
    if (!host_number_of(found, &most)) {
        if (found[0] == '\0') {
            finding_fault(&asked->finding, level_of(asked), daemon, "unknown");
        }
        return; // unlimited, or infinity
    }
    most >>= limit->shift;
    if (!host_number_of(wanted, &least) || most < least) {
        finding_fault(&asked->finding, level_of(asked), daemon, "%llu", (unsigned long long)most);
    }
}

static void check_memlock_line(Asked *asked) {
    check_limit(asked, &(Limit){ "Max locked memory", "LimitMEMLOCKSoft=", KIB_SHIFT });
}

static void check_nofile(Asked *asked) {
    check_limit(asked, &(Limit){ "Max open files", "LimitNOFILESoft=", 0 });
}

// ---- networks --------------------------------------------------------------------------------------------------

// Interfaces that are devices: not the loopback, not the bridges and ends of containers.
static void check_mtu(Asked *asked) {
    static const char FOLDER[] = "/sys/class/net";
    const Host *host = &asked->node->host;
    HostNames *names = host_names(host, FOLDER, NULL);
    uint64_t wanted = 0;
    bool has_any = false;
    (void)host_number_of(asked->line.values, &wanted);
    text_into(asked->finding.at, sizeof asked->finding.at, "%s", FOLDER);
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        uint64_t mtu = 0;
        if (host_has(host, FOLDER, names->names[i], "device")) {
            has_any = true;
            (void)host_number(host, &mtu, FOLDER, names->names[i], "mtu");
            if (mtu < wanted) {
                finding_fault(&asked->finding, level_of(asked), names->names[i], "%llu", (unsigned long long)mtu);
            }
        }
    }
    free(names);
    if (!has_any) {
        finding_fault(&asked->finding, level_of(asked), "interface", "absent");
    }
}

// "10.0.1.5@efa up 1 ...": an address, and whether it works. Lustre falls back to TCP without a word.
static void check_lnet(Asked *asked) {
    static const char FILE_NAME[] = "/sys/kernel/debug/lnet/nis";
    char text[HOST_FILE_BYTES];
    char state[WORD_BYTES] = "";
    const char *network = asked->line.values;
    (void)host_read(&asked->node->host, text, sizeof text, FILE_NAME, NULL, NULL);
    text_into(asked->finding.at, sizeof asked->finding.at, "%s", FILE_NAME);
    for (const char *at = text; (at = strchr(at, '@')) != NULL;) {
        at++;
        if (strncmp(at, network, strlen(network)) == 0) {
            take_word(state, at + strcspn(at, " \t\n"));
        }
    }
    if (strcmp(state, "up") != 0) {
        finding_fault(&asked->finding, level_of(asked), network, "%s", state[0] != '\0' ? state : "absent");
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

void check_record(const Node *node) {
    static const struct {
        DeviceCheck check;
        void (*look)(Asked *asked);
    } CHECKS[] = {
        { DEVICE_GPU_FABRIC, check_fabric_manager },
        { DEVICE_LIBFABRIC, check_libfabric },
        { DEVICE_MEMLOCK, check_memlock_line },
        { DEVICE_NOFILE, check_nofile },
        { DEVICE_MTU, check_mtu },
        { DEVICE_LNET, check_lnet },
    };
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        Asked asked = { .node = node, .finding = { .check = CHECKS[i].check } };
        if (expected_line(node->expected, &asked.line, findings_id(CHECKS[i].check))) {
            asked.finding.want = asked.line.values;
            CHECKS[i].look(&asked);
            findings_put(node->findings, &asked.finding);
        }
    }
}
