// dtc-collective device [--expect FILE] [--root DIR] [--verdict FILE] [--seconds N] [--nvml PATH] [--cuda PATH]
// [--quick]: looks at this node's devices more closely than the first stage can. The same verdict, the same classes,
// the same numbers to end with.
#include "stdlib/node/device/device_command.h"

#include "stdlib/node/collective/number.h"
#include "stdlib/node/device/sha256.h"
#include "stdlib/node/device/checks.h"
#include "stdlib/node/device/child.h"
#include "stdlib/node/device/kernel_log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_S = 30, OPEN_MS = 10000, SECONDS_MAX = 600 };

typedef struct Options {
    const char *expect, *root, *verdict, *nvml, *cuda;
    uint32_t seconds;
    bool is_quick; // nothing is copied
} Options;

static bool options_read(Options *options, int argc, char **argv) {
    *options = (Options){
        .expect = NODE_RECORD_PATH, .root = "", .nvml = "libnvidia-ml.so.1", .cuda = "libcuda.so.1", .seconds = LIMIT_S
    };
    const struct {
        const char *name;
        const char **value;
    } TEXTS[] = { { "--expect", &options->expect },
                  { "--root", &options->root },
                  { "--verdict", &options->verdict },
                  { "--nvml", &options->nvml },
                  { "--cuda", &options->cuda } };
    for (int i = 0; i < argc; i++) {
        bool is_known = false;
        if (strcmp(argv[i], "--quick") == 0) {
            options->is_quick = true;
            continue;
        }
        if (i + 1 == argc) {
            return false;
        }
        for (size_t k = 0; k < sizeof TEXTS / sizeof TEXTS[0]; k++) {
            if (strcmp(argv[i], TEXTS[k].name) == 0) {
                *TEXTS[k].value = argv[i + 1];
                is_known = true;
            }
        }
        is_known = is_known || (strcmp(argv[i], "--seconds") == 0 &&
                                number_read(argv[i + 1], strlen(argv[i + 1]), SECONDS_MAX, &options->seconds));
        if (!is_known) {
            return false;
        }
        i++;
    }
    return true;
}

static void run(const Node *node, bool is_quick) {
    const Expected *expected = node->expected;
    log_check(node->findings, &node->host, expected);
    check_root(node);
    check_memlock(node);
    check_pci_links(node);
    check_peers(node);
    check_record(node);
    if (expected->gpus > 0) {
        check_nvswitches(node);
        check_gpu_nodes(node);
        check_nvml(node);
    }
    if (expected->gpus > 0 && !is_quick) {
        check_cuda(node);
    }
    if (expected->neurons > 0) {
        check_neurons(node);
    }
}

static bool write_file(const char *path, const char *text) {
    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(temporary, "we");
    if (file == NULL) {
        return false;
    }
    const bool is_written = fprintf(file, "%s\n", text) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && is_written && rename(temporary, path) == 0;
}

// Puts "sha256:" and the sum of a file; nothing where it cannot be read.
static void put_sum(Text *text, const char *path) {
    enum { PIECE_BYTES = 4096 };
    char digits[SHA256_DIGITS];
    uint8_t piece[PIECE_BYTES];
    Sha256 hash;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return;
    }
    sha256_begin(&hash);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        sha256_add(&hash, piece, (int)got);
    }
    sha256_end(&hash, digits);
    if (ferror(file) == 0) {
        text_put(text, "sha256:%.*s", SHA256_DIGITS, digits);
    }
    (void)fclose(file);
}

// Whose the verdict is, when it was, and which program and record it is of: as the first stage has it.
static void put_head(Text *text, const Options *options, const Expected *expected, const char *host) {
    char instance[HOST_NAME_BYTES];
    const Host machine = { .root = options->root };
    (void)host_read(&machine, instance, sizeof instance, "/sys/class/dmi/id/board_asset_tag", NULL, NULL);
    instance[strcspn(instance, "\n")] = '\0';
    text_put(text, "{\"v\":%d,\"phase\":\"" NODE_PHASE_DEVICE "\",\"node\":", NODE_VERDICT_VERSION);
    text_put_quoted(text, host);
    text_put(text, ",\"instance\":");
    text_put_quoted(text, instance);
    text_put(text, ",\"time\":%lld,\"group\":", (long long)time(NULL));
    text_put_quoted(text, expected->group);
    text_put(text, ",\"core\":\"");
    put_sum(text, "/proc/self/exe");
    text_put(text, "\",\"record\":\"");
    put_sum(text, options->expect);
    text_put(text, "\"");
}

static int publish(const Options *options, const Expected *expected, const Findings *findings, int64_t ms) {
    enum { HOST_BYTES = 256 };
    char host[HOST_BYTES] = "";
    char *room = calloc(1, NODE_VERDICT_BYTES_MAX);
    if (room == NULL || gethostname(host, sizeof host - 1) != 0) {
        return NODE_EXIT_INTERNAL;
    }
    Text text = { .data = room, .size = NODE_VERDICT_BYTES_MAX };
    put_head(&text, options, expected, host);
    text_put(&text, ",\"checks\":[%.*s]", (int)findings->len, findings->room);
    text_put(&text, ",\"fail\":%u,\"warn\":%u,\"ms\":%lld,\"verdict\":\"%s\"}", findings->counts[LEVEL_FAIL],
             findings->counts[LEVEL_WARN], (long long)ms,
             findings->counts[LEVEL_FAIL] > 0   ? NODE_FAIL
             : findings->counts[LEVEL_WARN] > 0 ? NODE_WARN
                                                : NODE_PASS);
    if (options->verdict != NULL && !write_file(options->verdict, text.data)) {
        fprintf(stderr, "dtc-collective: cannot write %s: %s\n", options->verdict, strerror(errno));
        return NODE_EXIT_INTERNAL;
    }
    if (text.is_cut || printf("%s\n", text.data) < 0 || fflush(stdout) != 0) {
        return NODE_EXIT_INTERNAL;
    }
    free(room);
    return findings->hardware_fails > 0       ? NODE_EXIT_FAIL
           : findings->counts[LEVEL_FAIL] > 0 ? NODE_EXIT_IMAGE
                                              : NODE_EXIT_PASS;
}

int device_command(int argc, char **argv) {
    enum { MS = 1000 };
    const int64_t started_ms = child_now_ms();
    Options options;
    Expected expected;
    char reason[NODE_TEXT_BYTES_MAX];
    if (!options_read(&options, argc, argv)) {
        fprintf(stderr, "usage: dtc-collective device [--expect FILE] [--root DIR] [--verdict FILE] [--seconds N] "
                        "[--nvml PATH] [--cuda PATH] [--quick]\n");
        return NODE_EXIT_USAGE;
    }
    if (!expected_load(&expected, options.expect, reason, sizeof reason)) {
        fprintf(stderr, "dtc-collective: %s\n", reason);
        return NODE_EXIT_RECORD;
    }
    if (options.verdict != NULL) {
        (void)unlink(options.verdict); // one of before would be taken for this run's
    }
    const Node node = { .host = { .root = options.root },
                        .expected = &expected,
                        .findings = child_memory(sizeof *node.findings),
                        .nvml = options.nvml,
                        .cuda = options.cuda,
                        .limit_ms = (int64_t)options.seconds * MS,
                        .open_ms = OPEN_MS < (int64_t)options.seconds * MS ? OPEN_MS : (int64_t)options.seconds * MS };
    if (node.findings == NULL) {
        return NODE_EXIT_INTERNAL;
    }
    run(&node, options.is_quick);
    return publish(&options, &expected, node.findings, child_now_ms() - started_ms);
}
