// Processes: that run, those whose limits work will run under, and the vendors' programs, which are run here for what
// they say, and for a bounded time: one that talks to a broken driver may hang.
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

enum { LOOK_MS = 5, EXIT_LATE = 124, EXIT_ABSENT = 127, EXIT_SIGNAL = 128, KIB_SHIFT = 10 };

// Runs a program with two arguments, which it does not outlive the call of. What it prints stays in a file beside the
// verdict, and in the node's scratch. The status that a shell would give: 124 where it was not done in time.
static int run(Node *node, const char *path, const char *first, const char *second) {
    const int64_t deadline = sys_now_ms() + NODE_PROGRAM_MS;
    const int output = sys_open(&NODE_OUTPUT_PATH[1], OPEN_NEW);
    const int process = sys_start(node_path(node, "$", path, NULL), first, second, output);
    int status = EXIT_ABSENT << 8; // unless it ends otherwise
    sys_close(output);
    while (!sys_ended(process, &status)) {
        if (sys_now_ms() > deadline) {
            sys_kill(process);
            status = EXIT_LATE << 8;
            break;
        }
        sys_sleep(LOOK_MS);
    }
    (void)node_look(node, NODE_OUTPUT_PATH, NULL, NULL);
    return (status & 0x7f) != 0 ? EXIT_SIGNAL + (status & 0x7f) : status >> 8;
}

static void put_exit(Node *node, int status) {
    text_put(&node->got, "exit=", NULL, NULL);
    text_put_number(&node->got, (unsigned)status);
}

void check_libfabric(Node *node) {
    const int status = run(node, node->line->values, "-p", "efa");
    put_exit(node, status);
    node_check(node, status == 0 && *text_find(node->scratch, "provider: efa") != '\0');
}

// It prints "Fabric Manager version is : 550.54.15". One of another version than the driver's ends at once, and then no
// program can use the GPUs of a machine with NVSwitches.
void check_gpu_fabric(Node *node) {
    (void)run(node, node->line->values, "--version", NULL);
    text_put(&node->got, "$ driver=", word_next(text_find(node->scratch, "ersion is :")), NULL);
    const char *driver = node_look(node, "/sys/module/nvidia/version", NULL, NULL);
    text_put(&node->got, "$", driver, NULL);
    node_check(node, is_digit(*driver) && word_is(node->got_data, driver));
}

// The folder in /proc of a process with the command, which is cut there to 15 characters; NULL: none runs.
static const char *find_process(Node *node, Folder *folder, const char *command) {
    folder_open(folder, "proc", "");
    for (const char *name; (name = folder_next(folder)) != NULL;) {
        if (word_is(node_look(node, "/proc/$/comm", name, NULL), command)) {
            sys_close(folder->descriptor);
            return name;
        }
    }
    return NULL;
}

void check_proc(Node *node) {
    Folder folder;
    const bool is_running = find_process(node, &folder, node->line->values) != NULL;
    node_check(node, is_running);
}

// The limits that work will run under: those of the daemon that starts it, never those of this process, which
// cloud-init started. Before the daemon runs, its unit says what it will have. Programs start with the soft limit.
void check_limit(Node *node) {
    const bool is_memory = node->line->key == KEY_MEMLOCK;
    const int shift = is_memory ? KIB_SHIFT : 0;
    const char *values = node->line->values;
    const char *daemon = word_next(values);
    const char *limit;
    Folder folder;
    const char *process = find_process(node, &folder, daemon);
    if (process != NULL) {
        const char *limits = node_look(node, "/proc/$/limits", process, NULL);
        limit = word_next(text_find(limits, is_memory ? "Max locked memory" : "Max open files"));
    } else {
        (void)run(node, "/usr/bin/systemctl", "show", daemon);
        if (*text_find(node->scratch, "LoadState=loaded") == '\0') {
            node_check_status(node, SKIP);
            return;
        }
        limit = text_find(node->scratch, is_memory ? "LimitMEMLOCKSoft=" : "LimitNOFILESoft=");
    }
    const uint64_t number = number_at(limit) >> shift;
    bool is_enough = *limit != '\0';
    if (is_digit(*limit)) {
        is_enough = is_digit(*values) && number >= number_at(values);
        text_put_number(&node->got, number);
    } else {
        text_put(&node->got, "$", limit, NULL);
    }
    node_check(node, is_enough);
}
