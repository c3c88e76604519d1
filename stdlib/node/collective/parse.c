// Reads files, or standard input, and says what is wrong with what a benchmark printed there. A failure ends with
// NODE_EXIT_OTHER: no benchmark says which node was slow, so it is no reason to take this one out of service.
#include "stdlib/node/collective/parse.h"

#include "stdlib/node/collective/floor.h"
#include "stdlib/node/collective/message.h"
#include "stdlib/node/collective/number.h"
#include "stdlib/node/collective/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_MAX = 255, NODES_MAX = 1000000, FIRST_BYTES = 65536 };

typedef struct Order {
    BenchmarkWanted wanted;
    FloorHints hints; // its type is `type`
    uint64_t size_least;
    const char *path;   // NULL: standard input
    const char *record; // NULL: none
    char type[HOST_BYTES];
} Order;

static bool is_real(const char *text, double *number) {
    char *end = NULL;
    *number = strtod(text, &end);
    return text[0] != '\0' && strspn(text, "0123456789.") == strlen(text) && *end == '\0';
}

static bool take_option(Order *order, const char *name, const char *value) {
    uint32_t number = 0;
    double size = 0;
    if (strcmp(name, "--floor") == 0) {
        order->hints.is_given = true;
        return is_real(value, &order->hints.given_gbs);
    }
    if (strcmp(name, "--type") == 0) {
        text_into(order->type, sizeof order->type, "%s", value);
        return value[0] != '\0' && strlen(value) < sizeof order->type;
    }
    if (strcmp(name, "--nodes") == 0) {
        const bool is_number = number_read(value, strlen(value), NODES_MAX, &order->hints.nodes);
        order->wanted.nodes = order->hints.nodes;
        return is_number && order->hints.nodes > 0;
    }
    if (strcmp(name, "--size") == 0) {
        const bool is_whole = strspn(value, "0123456789") == strlen(value) && is_real(value, &size) && size < 1e18;
        order->size_least = (uint64_t)size;
        return is_whole;
    }
    if (strcmp(name, "--expect") == 0) {
        order->record = value;
        return true;
    }
    if (strcmp(name, "--status") == 0) {
        const bool is_status = number_read(value, strlen(value), STATUS_MAX, &number);
        order->wanted.status = (int)number;
        return is_status;
    }
    if (strcmp(name, "--net") == 0) {
        static const char *const NETS[] = {
            [BENCHMARK_NET_EFA] = "efa", [BENCHMARK_NET_PINNED] = "pinned", [BENCHMARK_NET_ANY] = "any"
        };
        for (size_t i = 0; i < sizeof NETS / sizeof NETS[0]; i++) {
            if (strcmp(value, NETS[i]) == 0) {
                order->wanted.net = (BenchmarkNet)i;
                return true;
            }
        }
    }
    return false;
}

static bool take_arguments(Order *order, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (i + 1 == argc || !take_option(order, argv[i], argv[i + 1])) {
                fprintf(stderr, "dtc-collective: parse: %s%s%s\n", argv[i], i + 1 == argc ? "" : " ",
                        i + 1 == argc ? "" : argv[i + 1]);
                return false;
            }
            i++;
        } else if (order->path != NULL) {
            fprintf(stderr, "dtc-collective: parse: one file at a time, not %s\n", argv[i]);
            return false;
        } else {
            order->path = argv[i];
        }
    }
    return true;
}

// What the record says where no option does. False, and said why, where it is no record.
static bool take_record(Order *order) {
    enum { BITS_OF_BYTE = 8 };
    Job job = { 0 };
    char reason[NODE_TEXT_BYTES_MAX];
    if (!record_load(order->record, &job, reason, sizeof reason)) {
        fprintf(stderr, "dtc-collective: parse: %s\n", reason);
        return false;
    }
    order->hints.record_gbs = (double)job.benchmark_floor_gbps / BITS_OF_BYTE;
    if (order->type[0] == '\0' || strcmp(order->type, job.type) == 0) {
        order->hints.interfaces = job.interfaces; // of the type that the record is of
    }
    if (order->type[0] == '\0') {
        memcpy(order->type, job.type, sizeof order->type);
    }
    return true;
}

// All of a file, up to BENCHMARK_BYTES_MAX; NULL, errno set, where that cannot be had.
static char *read_all(FILE *file, size_t *len) {
    size_t room = FIRST_BYTES;
    char *text = malloc(room);
    *len = 0;
    while (text != NULL) {
        *len += fread(text + *len, 1, room - *len, file);
        if (ferror(file) != 0 || *len < room) {
            break;
        }
        if (room >= BENCHMARK_BYTES_MAX) {
            errno = EFBIG;
            free(text);
            return NULL;
        }
        room *= 2;
        char *larger = realloc(text, room);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    if (text != NULL && ferror(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

int parse_command(int argc, char **argv) {
    Order order = { 0 };
    if (!take_arguments(&order, argc, argv)) {
        return NODE_EXIT_USAGE;
    }
    if (order.record != NULL && !take_record(&order)) {
        return NODE_EXIT_RECORD;
    }
    order.hints.type = order.type;
    const bool is_input = order.path == NULL || strcmp(order.path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(order.path, "re");
    size_t len = 0;
    char *text = file == NULL ? NULL : read_all(file, &len);
    if (text == NULL) {
        fprintf(stderr, "dtc-collective: %s: %s\n", is_input ? "standard input" : order.path, strerror(errno));
        return NODE_EXIT_RECORD;
    }
    Benchmark benchmark = { .size_least = order.size_least };
    benchmark_read(text, len, &benchmark);
    const Floor floor = floor_choose(&order.hints, &benchmark);
    order.wanted.floor_gbs = floor.gbs;
    if (floor.measured != NULL) {
        // Which sizes there are is known only now, and what counts is the size that was measured.
        benchmark = (Benchmark){ .size_least = floor.measured->bytes, .size_most = floor.measured->bytes };
        benchmark_read(text, len, &benchmark);
    }
    free(text);
    if (!is_input) {
        (void)fclose(file);
    }
    char room[NODE_VERDICT_BYTES_MAX];
    char host[HOST_BYTES] = "";
    (void)gethostname(host, sizeof host - 1);
    Text verdict = { .data = room, .size = sizeof room };
    text_put(&verdict, "{\"v\":%d,\"phase\":\"benchmark\",\"node\":", NODE_VERDICT_VERSION);
    text_put_quoted(&verdict, host);
    text_put(&verdict, ",");
    floor_put(&floor, &verdict);
    const bool has_passed = benchmark_judge(&benchmark, &order.wanted, &verdict);
    if (printf("%s\n", room) < 0 || fflush(stdout) != 0 || verdict.is_cut) {
        return NODE_EXIT_INTERNAL;
    }
    return has_passed ? NODE_EXIT_PASS : NODE_EXIT_OTHER;
}
