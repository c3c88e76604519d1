// A preflight while it runs: what the record asks of this node, and what was found so far. A check looks at one line of
// the record, and puts one or several checks into the verdict. Each family of checks has a file.
#pragma once

#include "stdlib/node/core/record.h"
#include "stdlib/node/core/text.h"

#define NODE_CHECK(ID, id, want, class, text) CHECK_##ID,
typedef enum { NODE_CHECKS(NODE_CHECK) } Check;
#undef NODE_CHECK

typedef enum { PASS, WARN, FAIL, SKIP } Status;

enum { PATH_SIZE = 1200, GOT_SIZE = 2 * NODE_TEXT_BYTES_MAX, SCRATCH_SIZE = 65536 };

typedef struct {
    const Line *line;     // that is being looked at
    bool only_warns;      // what fails
    bool is_of_image;     // what fails, as the line's key has it unless the check found otherwise
    bool is_fixed;        // likewise: nobody need look again
    Text path;            // of the file looked at last, with a NUL behind it: the check's `at`
    Text got;             // of the check on its way
    Text verdict;         // so far
    int counts[SKIP + 1]; // of its checks, by their status
    int hardware_fails;   // of those that failed
    int late[SKIP + 1];   // of those that may still come right, by their status
    bool is_hopeless;     // the machine fails, and will
    bool is_rooted;       // --root: the files are not those of the machine that runs this
    Record record;
    char path_data[PATH_SIZE];
    char got_data[GOT_SIZE];
    char verdict_data[NODE_VERDICT_BYTES_MAX + 1];
    char scratch[SCRATCH_SIZE]; // the file looked at last, with a NUL behind it
} Node;

// Reads what there is of a file, at most `size` bytes, and closes it. How many there were.
int node_read(int file, char *text, int size);

// Looks at a file: makes its path from a pattern, absolute, as text_put() does, and gives its text; empty: there is no
// such file, or nothing in it. Read anew by each call.
const char *node_look(Node *node, const char *pattern, const char *a, const char *b);
const char *node_path(Node *node, const char *pattern, const char *a, const char *b); // where it is, from the root
bool node_has(Node *node, const char *pattern, const char *a, const char *b);
const char *node_first_in(Node *node, const char *pattern, const char *a); // a name in the folder; empty: none

// Puts a check that the line's key wants. What was put into node->got is what was found, the path last made is where;
// both are empty afterwards. A line that only warns makes a warning of a failure.
void node_check(Node *node, bool is_right);
void node_check_status(Node *node, Status status);
void node_check_more(Node *node, Check check, Status status);      // one of NODE_CHECKS
void node_fault(Node *node, const char *device, const char *what); // puts DEVICE=WHAT

// Names in a folder, in the order of the file system, that begin with a digit behind the prefix, or, without one, with
// anything but a dot.
typedef struct {
    int descriptor;
    int len;
    int at;
    const char *prefix;
    char buffer[4096];
} Folder;

void folder_open(Folder *folder, const char *path, const char *prefix);
const char *folder_next(Folder *folder); // valid until the next call; NULL: that was all, and it is closed

typedef enum { FAMILY_EFA, FAMILY_GPU, FAMILY_NVSWITCH, FAMILY_NEURON } Family;

void node_run(Node *node); // the whole of its record

void check_efa(Node *node);
void check_efa_pci(Node *node);
void check_efa_p2p(Node *node);
void check_count(Node *node, Family family);
void check_neuron_ecc(Node *node);
void check_klog(Node *node);

void check_at_least(Node *node, uint64_t number);
void check_cpus(Node *node);
void check_nvme(Node *node);
void check_proc(Node *node);
void check_mount(Node *node);
