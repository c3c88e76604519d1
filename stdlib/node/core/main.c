// dtc-node [--expect FILE] [--root DIR] [--wait S]: reads the record and looks at the node, again and again, until it
// passes, cannot pass any more, or the time is over. Leaves the verdict in a file and on standard output. Where the
// file is missing, whatever ended the program, the wrapper fails the node.
#include "stdlib/node/core/main.h"
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

enum { AGAIN_MS = 250, OUTPUT = 1, ERRORS = 2 };

typedef struct {
    const char *expect; // NULL: the usual place, below the root
    const char *root;
    int64_t wait_ms;
} Options;

static bool options_read(Options *options, char **arguments) {
    *options = (Options){ .root = "/" };
    for (; arguments[0] != NULL; arguments += 2) {
        const char *value = arguments[1];
        if (value == NULL) {
            return false;
        }
        if (word_is(arguments[0], "--expect")) {
            options->expect = value;
        } else if (word_is(arguments[0], "--root")) {
            options->root = value;
        } else if (word_is(arguments[0], "--wait")) {
            options->wait_ms = (int64_t)number_at(value) * 1000;
        } else {
            return false;
        }
    }
    return true;
}

static bool publish(Text *verdict) {
    static const char NEW_PATH[] = NODE_VERDICT_PATH ".new";
    const int file = sys_open(NEW_PATH + 1, OPEN_NEW);
    const int len = verdict->len;
    const bool is_written = len < verdict->size && sys_write(file, verdict->data, len) == len;
    sys_close(file);
    return is_written && sys_rename(NEW_PATH + 1, &NODE_VERDICT_PATH[1]) == 0 &&
           sys_write(OUTPUT, verdict->data, len) == len;
}

static void check_record(Node *node) {
    char digits[16];
    Text line = { .data = digits, .size = sizeof digits - 1 };
    text_put_number(&line, (uint64_t)node->record.fault_line);
    digits[line.len] = '\0';
    text_put(&node->got, "%", node->record.fault, NULL);
    (void)node_path(node, "line %", digits, NULL);
    node->only_warns = false;
    node->is_of_image = true;
    node->is_fixed = true;
    node_check_more(node, CHECK_RECORD, FAIL);
}

static void judge(Node *node, int64_t started_ms) {
    const Record *record = &node->record;
    const char *group = record_values(record, KEY_GROUP);
    Text *verdict = &node->verdict;
    *verdict = (Text){ .data = node->verdict_data, .size = sizeof node->verdict_data };
    node->got = (Text){ .data = node->got_data, .size = GOT_SIZE - 1 };
    for (int i = 0; i <= SKIP; i++) {
        node->counts[i] = 0;
        node->late[i] = 0;
    }
    node->hardware_fails = 0;
    node->is_hopeless = false;
    text_put(verdict, "{'v':1,'phase':'" NODE_PHASE_PREFLIGHT "','node':'%'",
             node_look(node, "/proc/sys/kernel/hostname", NULL, NULL), NULL);
    text_put(verdict, ",'instance':'%','time':", node_look(node, "/sys/class/dmi/id/board_asset_tag", NULL, NULL),
             NULL);
    text_put_number(verdict, (uint64_t)sys_time_s());
    text_put(verdict, ",'group':'%','checks':[", group != NULL ? group : "", NULL);
    if (record->fault == NULL) {
        node_run(node);
    } else {
        check_record(node);
    }
    text_put(verdict, "],'fail':", NULL, NULL);
    text_put_number(verdict, (uint64_t)node->counts[FAIL]);
    text_put(verdict, ",'warn':", NULL, NULL);
    text_put_number(verdict, (uint64_t)node->counts[WARN]);
    text_put(verdict, ",'ms':", NULL, NULL);
    text_put_number(verdict, (uint64_t)(sys_now_ms() - started_ms));
    text_put(verdict, ",'verdict':'%'}\n",
             record->fault != NULL    ? NODE_ERROR
             : node->counts[FAIL] > 0 ? NODE_FAIL
             : node->counts[WARN] > 0 ? NODE_WARN
                                      : NODE_PASS,
             NULL);
}

// How long after the start there is a reason to look again.
static int64_t patience_ms(const Node *node, int64_t wait_ms) {
    if (node->is_hopeless) {
        return 0;
    }
    const int64_t most_ms = node->late[FAIL] > 0 ? wait_ms : node->late[WARN] > 0 ? NODE_WARNING_MS : 0;
    return most_ms < wait_ms ? most_ms : wait_ms;
}

static int run(const Options *options, int64_t started_ms) {
    char text[NODE_RECORD_BYTES_MAX + 1];
    Node node;
    node.is_rooted = !word_is(options->root, "/");
    // A path of --expect is the caller's: it does not start from the root.
    const int given = options->expect != NULL ? sys_open(options->expect, OPEN_READ) : -1;
    if (sys_enter(options->root) != 0) {
        return NODE_EXIT_INTERNAL;
    }
    sys_make_folder("run");
    sys_make_folder(&NODE_FOLDER[1]);
    const int expect = options->expect != NULL ? given : sys_open(&NODE_RECORD_PATH[1], OPEN_READ);
    record_read(&node.record, text, expect < 0 ? expect : node_read(expect, text, sizeof text));
    for (;;) {
        judge(&node, started_ms);
        if (sys_now_ms() - started_ms >= patience_ms(&node, options->wait_ms)) {
            break;
        }
        sys_sleep(AGAIN_MS);
    }
    if (!publish(&node.verdict)) {
        return NODE_EXIT_INTERNAL;
    }
    return node.record.fault != NULL ? NODE_EXIT_RECORD
           : node.hardware_fails > 0 ? NODE_EXIT_FAIL
           : node.counts[FAIL] > 0   ? NODE_EXIT_IMAGE
                                     : NODE_EXIT_PASS;
}

int core_main(int argc, char **argv) {
    static const char USAGE[] = "see dtc-node(7)\n";
    const int64_t started_ms = sys_now_ms();
    Options options;
    if (argc < 1 || !options_read(&options, argv + 1)) {
        (void)sys_write(ERRORS, USAGE, sizeof USAGE - 1);
        return NODE_EXIT_USAGE;
    }
    return run(&options, started_ms);
}
