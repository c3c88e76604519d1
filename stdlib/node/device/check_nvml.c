// What the driver says of each GPU through NVML. A child asks: the library talks to a driver that may hang. What it is
// about to ask stands in `current`, so that a call which does not return has a name. A GPU that has no such thing, or a
// library that does not know of it, says so and is passed over; any other error is the GPU's.
#include "stdlib/node/device/checks.h"
#include "stdlib/node/device/child.h"
#include "stdlib/node/device/facts.h"
#include "stdlib/node/device/nvml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GPUS_MAX = 32, ADDRESS_BYTES = 32, SAMPLE_MS = 250, SECOND_MS = 1000, LINK_COUNTERS = 4 };

typedef struct Gpu {
    NvmlDevice handle;
    char name[ADDRESS_BYTES];
    int fault;                            // of the first call that failed; 0: none did
    const char *faulty_call;              // and its name
    unsigned width, width_most, links_up; // 0: it does not say
    unsigned most_milliwatts;             // that it may take; 0: likewise
    bool is_without_ecc;
    unsigned long long link_errors[NVML_LINKS_MAX][LINK_COUNTERS];
    unsigned long long slow; // reasons that both samples have
} Gpu;

typedef struct Look {
    const Node *node;
    Nvml nvml;
    uint32_t count;
    Gpu gpus[GPUS_MAX];
} Look;

// Notes what is asked, asks, and notes the first error of a GPU. Whether there is an answer.
#define ASK(look, gpu, member, ...) \
    ((look)->nvml.member != NULL && is_answer((gpu), #member, (look)->nvml.member((gpu)->handle, __VA_ARGS__)))

static void note_call(const Look *look, const char *call, const Gpu *gpu) {
    Findings *findings = look->node->findings;
    text_into(findings->current, sizeof findings->current, "%s %s", call, gpu != NULL ? gpu->name : "");
}

static bool is_answer(Gpu *gpu, const char *call, int result) {
    if (result != NVML_SUCCESS && !nvml_is_unknown(result) && gpu->fault == 0) {
        gpu->fault = result;
        gpu->faulty_call = call;
    }
    return result == NVML_SUCCESS;
}

// ---- the library, and how many GPUs there are --------------------------------------------------------------------

static bool start(Look *look) {
    enum { VERSION_BYTES = 96 };
    Finding finding = { .check = DEVICE_NVML, .at = "libnvidia-ml.so.1" };
    char version[VERSION_BYTES] = "";
    char loaded[HOST_NAME_BYTES];
    note_call(look, "load", NULL);
    if (!nvml_load(&look->nvml, look->node->nvml)) {
        finding_fault(&finding, LEVEL_FAIL, "library", "absent");
        findings_put(look->node->findings, &finding);
        return false;
    }
    note_call(look, "init", NULL);
    const int result = look->nvml.init();
    if (result != NVML_SUCCESS) {
        finding_fault(&finding, LEVEL_FAIL, "init", "%s",
                      result == NVML_VERSION_MISMATCH    ? "another-version-than-the-driver"
                      : result == NVML_DRIVER_NOT_LOADED ? "driver-not-loaded"
                                                         : "error");
        finding_note(&finding, "error", "%d", result);
        findings_put(look->node->findings, &finding);
        return false;
    }
    note_call(look, "driver_version", NULL);
    (void)look->nvml.driver_version(version, sizeof version);
    (void)host_read(&look->node->host, loaded, sizeof loaded, "/sys/module/nvidia/version", NULL, NULL);
    loaded[strcspn(loaded, "\n")] = '\0';
    if (loaded[0] != '\0' && version[0] != '\0' && strcmp(loaded, version) != 0) {
        finding_fault(&finding, LEVEL_FAIL, version, "driver-is-%s", loaded);
    }
    findings_put(look->node->findings, &finding);
    return true;
}

static void list(Look *look) {
    enum { WANT_BYTES = 16, DOMAIN_SKIPPED = 4 };
    char want[WANT_BYTES];
    unsigned count = 0;
    const uint32_t wanted = look->node->expected->gpus;
    Finding finding = { .check = DEVICE_NVML_COUNT, .want = want, .at = "nvmlDeviceGetCount_v2" };
    text_into(want, sizeof want, "%u", wanted);
    note_call(look, "count", NULL);
    const int result = look->nvml.count(&count);
    count = result == NVML_SUCCESS ? count : 0;
    look->count = count < GPUS_MAX ? count : GPUS_MAX;
    for (uint32_t i = 0; i < look->count; i++) {
        NvmlPci pci = { .domain = 0 };
        Gpu *gpu = &look->gpus[i];
        text_into(gpu->name, sizeof gpu->name, "GPU%u", i);
        note_call(look, "device", gpu);
        (void)is_answer(gpu, "device", look->nvml.device(i, &gpu->handle));
        note_call(look, "pci", gpu);
        if (gpu->fault == 0 && ASK(look, gpu, pci, &pci)) { // "00000000:53:00.0", of which sysfs has the end
            text_into(gpu->name, sizeof gpu->name, "%s",
                      strnlen(pci.address, sizeof pci.address) > DOMAIN_SKIPPED ? pci.address + DOMAIN_SKIPPED : "?");
            for (char *at = gpu->name; *at != '\0'; at++) {
                *at = *at >= 'A' && *at <= 'F' ? (char)(*at + 'a' - 'A') : *at;
            }
        }
    }
    if (count != wanted) {
        finding.is_of_image = count == 0;
        finding_fault(&finding, LEVEL_FAIL, "GPUs", "%u", count);
    }
    findings_put(look->node->findings, &finding);
}

// A GPU that is divided into instances reaches no other one. NVML calls its links down, and those that lead to it
// (NVIDIA/DCGM@72fa3fe dcgmlib/src/DcgmTopology.cpp, UpdateNvLinkLinkStateFromNvml, 2026-07, read 2026-11). CUDA has
// the instances, and no GPU before there are some.
static void find_mig(Look *look) {
    for (uint32_t i = 0; i < look->count; i++) {
        unsigned is_on = 0;
        unsigned is_pending = 0;
        Gpu *gpu = &look->gpus[i];
        note_call(look, "mig", gpu);
        if (ASK(look, gpu, mig, &is_on, &is_pending) && is_on != 0) {
            look->node->findings->has_mig = true;
        }
    }
}

// ---- memory ------------------------------------------------------------------------------------------------------

// A GPU without ECC beside others with it counts no errors, and computes with them.
static void compare_ecc(Look *look, Finding *finding) {
    bool has_any = false;
    for (uint32_t i = 0; i < look->count; i++) {
        unsigned is_on = 0;
        unsigned is_pending = 0;
        Gpu *gpu = &look->gpus[i];
        note_call(look, "ecc_mode", gpu);
        const bool is_said = ASK(look, gpu, ecc_mode, &is_on, &is_pending);
        gpu->is_without_ecc = is_said && is_on == 0;
        has_any = has_any || is_on != 0;
    }
    for (uint32_t i = 0; has_any && i < look->count; i++) {
        if (look->gpus[i].is_without_ecc) {
            finding_fault(finding, LEVEL_WARN, look->gpus[i].name, "off");
        }
    }
}

static void check_ecc(Look *look) {
    Finding finding = { .check = DEVICE_NVML_ECC, .at = "nvmlDeviceGetTotalEccErrors" };
    compare_ecc(look, &finding);
    for (uint32_t i = 0; i < look->count; i++) {
        unsigned long long errors = 0;
        Gpu *gpu = &look->gpus[i];
        NvmlSram sram = { .version = NVML_VERSION_OF(NvmlSram, 1) };
        finding_look(&finding);
        note_call(look, "ecc", gpu);
        if (ASK(look, gpu, ecc, NVML_UNCORRECTED, NVML_VOLATILE, &errors) && errors > DEVICE_MOST_ecc_volatile) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "volatile:%llu", errors);
        }
        // A GPU keeps these for its life, those that were repaired as well: NVIDIA's own threshold says when it is to
        // go.
        if (ASK(look, gpu, ecc, NVML_UNCORRECTED, NVML_AGGREGATE, &errors) && errors > 0) {
            finding_note(&finding, gpu->name, "aggregate:%llu", errors);
        }
        note_call(look, "sram", gpu);
        if (ASK(look, gpu, sram, &sram) && sram.is_above_threshold != 0) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "sram-above-threshold:%llu",
                          sram.aggregate_parity + sram.aggregate_secded);
        }
    }
    findings_put(look->node->findings, &finding);
}

static void check_rows(Look *look) {
    Finding rows = { .check = DEVICE_NVML_ROWS, .at = "nvmlDeviceGetRemappedRows" };
    Finding pages = { .check = DEVICE_NVML_PAGES, .at = "nvmlDeviceGetRetiredPagesPendingStatus" };
    for (uint32_t i = 0; i < look->count; i++) {
        unsigned corrected = 0;
        unsigned uncorrected = 0;
        unsigned is_pending = 0;
        unsigned has_failed = 0;
        int is_page_pending = 0;
        Gpu *gpu = &look->gpus[i];
        finding_look(&rows);
        finding_look(&pages);
        note_call(look, "rows", gpu);
        if (ASK(look, gpu, rows, &corrected, &uncorrected, &is_pending, &has_failed)) {
            if (has_failed != 0) {
                finding_fault(&rows, LEVEL_FAIL, gpu->name, "remapping-failed");
            } else if (is_pending != 0) { // a reset takes them out of use
                finding_fault(&rows, LEVEL_FAIL, gpu->name, "remapping-pending");
            } else if (uncorrected > 0) {
                finding_note(&rows, gpu->name, "remapped:%u", uncorrected);
            }
        }
        note_call(look, "pages", gpu);
        if (ASK(look, gpu, pages, &is_page_pending) && is_page_pending != 0) {
            finding_fault(&pages, LEVEL_FAIL, gpu->name, "retirement-pending");
        }
    }
    findings_put(look->node->findings, &rows);
    findings_put(look->node->findings, &pages);
}

// The board's own memory: serial number, settings, what was remapped and retired. DCGM warns of one that is not whole
// (NVIDIA/DCGM@72fa3fe modules/health/DcgmHealthWatch.cpp, MonitorInforom, 2026-07, read 2026-11).
static void check_inforom(Look *look) {
    Finding finding = { .check = DEVICE_NVML_INFOROM, .at = "nvmlDeviceValidateInforom" };
    for (uint32_t i = 0; i < look->count && look->nvml.inforom != NULL; i++) {
        const Gpu *gpu = &look->gpus[i];
        note_call(look, "inforom", gpu);
        if (look->nvml.inforom(gpu->handle) == NVML_CORRUPTED_INFOROM) {
            finding_fault(&finding, LEVEL_WARN, gpu->name, "corrupted");
        }
    }
    findings_put(look->node->findings, &finding);
}

// ---- what is looked at twice ---------------------------------------------------------------------------------------

static void sample(Look *look, Gpu *gpu, bool is_first) {
    unsigned long long slow = 0;
    note_call(look, "clocks", gpu);
    const bool is_said =
        look->nvml.clocks != NULL ? ASK(look, gpu, clocks, &slow) : ASK(look, gpu, clocks_before, &slow);
    gpu->slow = !is_said ? 0 : is_first ? slow : gpu->slow & slow;
    for (unsigned link = 0; link < NVML_LINKS_MAX; link++) {
        for (int counter = 0; counter < LINK_COUNTERS; counter++) {
            unsigned long long errors = 0;
            unsigned long long *sum = &gpu->link_errors[link][counter];
            note_call(look, "link_errors", gpu);
            if (ASK(look, gpu, link_errors, link, counter, &errors)) {
                *sum = is_first ? errors : errors > *sum ? errors - *sum : 0;
            } else {
                *sum = 0;
            }
        }
    }
}

// A GPU that may take less power than the others is as slow as they would be with it, and each step waits for it.
static void compare_power(Look *look, Finding *finding) {
    enum { MILLI = 1000 };
    unsigned most = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        Gpu *gpu = &look->gpus[i];
        note_call(look, "power", gpu);
        if (!ASK(look, gpu, power, &gpu->most_milliwatts)) {
            gpu->most_milliwatts = 0;
        }
        most = gpu->most_milliwatts > most ? gpu->most_milliwatts : most;
    }
    for (uint32_t i = 0; i < look->count; i++) {
        const unsigned milliwatts = look->gpus[i].most_milliwatts;
        if (milliwatts > 0 && milliwatts < most) {
            finding_fault(finding, LEVEL_WARN, look->gpus[i].name, "%uW-of-%uW", milliwatts / MILLI, most / MILLI);
        }
    }
}

static void check_clocks(Look *look) {
    static const struct {
        unsigned long long bit;
        Level level;
        const char *word;
    } REASONS[] = {
        { NVML_SLOW_HARDWARE, LEVEL_FAIL, "hardware-slowdown" },
        { NVML_SLOW_HEAT, LEVEL_FAIL, "heat" },
        { NVML_SLOW_POWER_BRAKE, LEVEL_FAIL, "power-brake" },
        { NVML_SLOW_SOFTWARE_HEAT, LEVEL_WARN, "heat-by-software" },
    };
    Finding finding = { .check = DEVICE_NVML_CLOCKS, .at = "nvmlDeviceGetCurrentClocksEventReasons" };
    compare_power(look, &finding);
    for (uint32_t i = 0; i < look->count; i++) {
        finding_look(&finding);
        for (size_t k = 0; k < sizeof REASONS / sizeof REASONS[0]; k++) {
            if ((look->gpus[i].slow & REASONS[k].bit) != 0) {
                finding_fault(&finding, REASONS[k].level, look->gpus[i].name, "%s", REASONS[k].word);
            }
        }
    }
    findings_put(look->node->findings, &finding);
}

static void check_link_errors(Look *look) {
    Finding finding = { .check = DEVICE_NVML_NVLINK_ERRORS, .at = "nvmlDeviceGetNvLinkErrorCounter" };
    for (uint32_t i = 0; i < look->count; i++) {
        Gpu *gpu = &look->gpus[i];
        finding_look(&finding);
        for (unsigned link = 0; link < NVML_LINKS_MAX; link++) {
            const unsigned long long *grown = gpu->link_errors[link];
            NvmlField field = { .field = NVML_FIELD_LINK_RECOVERY_FAILED, .scope = link };
            if (grown[NVML_LINK_REPLAY] + grown[NVML_LINK_RECOVERY] > DEVICE_MOST_nvlink_errors) {
                finding_fault(&finding, LEVEL_FAIL, gpu->name, "link%u:replays-and-recoveries:%llu", link,
                              grown[NVML_LINK_REPLAY] + grown[NVML_LINK_RECOVERY]);
            }
            const unsigned long long checksums =
                (grown[NVML_LINK_CRC_FLIT] + grown[NVML_LINK_CRC_DATA]) * SECOND_MS / SAMPLE_MS;
            if (checksums > DEVICE_MOST_nvlink_crc_per_second) {
                finding_fault(&finding, LEVEL_FAIL, gpu->name, "link%u:checksums-a-second:%llu", link, checksums);
            }
            note_call(look, "fields", gpu);
            if (ASK(look, gpu, fields, 1, &field) && field.result == NVML_SUCCESS && field.value.large > 0) {
                finding_fault(&finding, LEVEL_FAIL, gpu->name, "link%u:recovery-failed:%llu", link, field.value.large);
            }
        }
    }
    findings_put(look->node->findings, &finding);
}

static void sample_twice(Look *look) {
    for (uint32_t i = 0; i < look->count; i++) {
        sample(look, &look->gpus[i], true);
    }
    nanosleep(&(struct timespec){ .tv_nsec = SAMPLE_MS * 1000000L }, NULL);
    for (uint32_t i = 0; i < look->count; i++) {
        sample(look, &look->gpus[i], false);
    }
    check_clocks(look);
    check_link_errors(look);
}

// ---- links ---------------------------------------------------------------------------------------------------------

static void check_nvlinks(Look *look) {
    if (look->node->findings->has_mig) {
        findings_skip(look->node->findings, DEVICE_NVML_NVLINK, FINDINGS_MIG);
        return;
    }
    Finding finding = { .check = DEVICE_NVML_NVLINK, .at = "nvmlDeviceGetNvLinkState" };
    unsigned most = 0;
    unsigned known = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        Gpu *gpu = &look->gpus[i];
        for (unsigned link = 0; link < NVML_LINKS_MAX; link++) {
            int is_up = 0;
            note_call(look, "link", gpu);
            if (ASK(look, gpu, link, link, &is_up)) {
                known++;
                gpu->links_up += is_up != 0;
            }
        }
        most = gpu->links_up > most ? gpu->links_up : most;
    }
    for (uint32_t i = 0; i < look->count; i++) {
        const Gpu *gpu = &look->gpus[i];
        finding_look(&finding);
        if (gpu->links_up < most || (most == 0 && known > 0 && look->node->expected->has_fabric_manager)) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "%u-of-%u", gpu->links_up, most);
        }
    }
    findings_put(look->node->findings, &finding);
}

// Transfers that were repeated, since the driver was loaded, which is not long after the boot.
static void check_replays(Look *look) {
    enum { SECONDS = 60 };
    char text[HOST_NAME_BYTES];
    uint64_t up_s = 0;
    Finding finding = { .check = DEVICE_NVML_REPLAYS, .at = "nvmlDeviceGetPcieReplayCounter" };
    (void)host_read(&look->node->host, text, sizeof text, "/proc/uptime", NULL, NULL);
    (void)host_number_of(text, &up_s);
    const uint64_t most = (up_s / SECONDS + 1) * DEVICE_MOST_pcie_replays_per_minute;
    for (uint32_t i = 0; i < look->count; i++) {
        unsigned replays = 0;
        Gpu *gpu = &look->gpus[i];
        note_call(look, "replays", gpu);
        if (ASK(look, gpu, replays, &replays) && replays > most) {
            finding_fault(&finding, LEVEL_WARN, gpu->name, "%u", replays);
        }
    }
    findings_put(look->node->findings, &finding);
}

static void check_width(Look *look) {
    Finding finding = { .check = DEVICE_NVML_WIDTH, .at = "nvmlDeviceGetCurrPcieLinkWidth" };
    unsigned most = 0;
    for (uint32_t i = 0; i < look->count; i++) {
        Gpu *gpu = &look->gpus[i];
        note_call(look, "width", gpu);
        (void)(ASK(look, gpu, width, &gpu->width) && ASK(look, gpu, width_most, &gpu->width_most));
        most = gpu->width > most ? gpu->width : most;
    }
    for (uint32_t i = 0; i < look->count; i++) {
        const Gpu *gpu = &look->gpus[i];
        if (gpu->width > 0 && gpu->width < most && gpu->width < gpu->width_most) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "x%u-of-x%u", gpu->width, most);
        }
    }
    findings_put(look->node->findings, &finding);
}

// Versions of the structure, the newest first: a library takes those it knows.
static bool ask_fabric(Look *look, Gpu *gpu, NvmlFabric *fabric) {
    const unsigned versions[] = { NVML_VERSION_OF(NvmlFabric, 3), (unsigned)offsetof(NvmlFabric, health) | 2U << 24 };
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        *fabric = (NvmlFabric){ .version = versions[i] };
        note_call(look, "fabric", gpu);
        if (ASK(look, gpu, fabric, fabric)) {
            return true;
        }
    }
    return false;
}

static void check_fabric(Look *look) {
    if (look->node->findings->has_mig) {
        findings_skip(look->node->findings, DEVICE_NVML_FABRIC, FINDINGS_MIG);
        return;
    }
    Finding finding = { .check = DEVICE_NVML_FABRIC, .at = "nvmlDeviceGetGpuFabricInfoV" };
    for (uint32_t i = 0; i < look->count; i++) {
        NvmlFabric fabric;
        Gpu *gpu = &look->gpus[i];
        finding_look(&finding);
        if (!ask_fabric(look, gpu, &fabric) || fabric.state == NVML_FABRIC_NOT_SUPPORTED) {
            continue;
        }
        enum { BITS = 3, DEGRADED_AT = 0, UNHEALTHY_AT = 4, TRUE_BITS = 1 };
        if (fabric.state != NVML_FABRIC_COMPLETED) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "state:%u", fabric.state);
        } else if (fabric.status != NVML_SUCCESS) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "status:%d", fabric.status);
        } else if (fabric.health == NVML_FABRIC_UNHEALTHY || (fabric.health_mask >> UNHEALTHY_AT & BITS) == TRUE_BITS) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "unhealthy");
        } else if (fabric.health == NVML_FABRIC_LIMITED || (fabric.health_mask >> DEGRADED_AT & BITS) == TRUE_BITS) {
            finding_fault(&finding, LEVEL_WARN, gpu->name, "degraded");
        }
    }
    findings_put(look->node->findings, &finding);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

// Last: what any call said of a GPU counts here.
static void check_state(Look *look) {
    static const char *const ACTIONS[] = { "none", "reset", "reboot", "drain", "drain-and-reset", "recover-domain" };
    Finding finding = { .check = DEVICE_NVML_STATE, .at = "nvmlDeviceGetFieldValues" };
    for (uint32_t i = 0; i < look->count; i++) {
        Gpu *gpu = &look->gpus[i];
        NvmlField field = { .field = NVML_FIELD_RECOVERY_ACTION };
        note_call(look, "fields", gpu);
        finding_look(&finding);
        const bool is_said = gpu->fault == 0 && ASK(look, gpu, fields, 1, &field) && field.result == NVML_SUCCESS;
        if (gpu->fault != 0) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "%s:%s:%d",
                          gpu->fault == NVML_GPU_IS_LOST      ? "lost"
                          : gpu->fault == NVML_RESET_REQUIRED ? "needs-reset"
                                                              : "error",
                          gpu->faulty_call, gpu->fault);
        } else if (is_said && field.value.small > 0) {
            finding_fault(&finding, LEVEL_FAIL, gpu->name, "needs-%s",
                          field.value.small < sizeof ACTIONS / sizeof ACTIONS[0] ? ACTIONS[field.value.small]
                                                                                 : "action");
        }
    }
    findings_put(look->node->findings, &finding);
}

static void ask_all(void *context) {
    Look *look = calloc(1, sizeof *look);
    if (look == NULL) {
        return;
    }
    look->node = context;
    if (start(look)) {
        list(look);
        find_mig(look);
        check_ecc(look);
        check_rows(look);
        check_inforom(look);
        check_nvlinks(look);
        check_replays(look);
        check_width(look);
        check_fabric(look);
        sample_twice(look);
        check_state(look);
    }
    look->node->findings->current[0] = '\0';
    free(look);
}

// A library that crashes or hangs came with the image, which is the same on every node. Of a GPU that no driver can
// talk to, the kernel's log and its device node say more.
void check_nvml(const Node *node) {
    Node copy = *node;
    const ChildEnd end = child_run(ask_all, &copy, node->limit_ms);
    if (end == CHILD_HUNG || end == CHILD_CRASHED) {
        Finding finding = { .check = DEVICE_NVML_STATE, .at = "libnvidia-ml.so.1", .is_of_image = true };
        finding_fault(&finding, LEVEL_FAIL, node->findings->current, end == CHILD_HUNG ? "hangs" : "crashes");
        findings_put(node->findings, &finding);
    } else if (end == CHILD_NONE) {
        findings_skip(node->findings, DEVICE_NVML, "no process");
    }
}
