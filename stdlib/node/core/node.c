// Where a check looks, and where it puts what it found.
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

// Offsets in an entry of getdents64: its length and its name.
enum { ENTRY_LENGTH_AT = 16, ENTRY_NAME_AT = 19 };

const char *node_path(Node *node, const char *pattern, const char *a, const char *b) {
    node->path = (Text){ .data = node->path_data, .size = PATH_SIZE - 1 };
    text_put(&node->path, pattern, a, b);
    node->path_data[node->path.len] = '\0';
    return node->path_data + 1;
}

int node_read(int file, char *text, int size) {
    int len = 0;
    for (int got; (got = sys_read(file, text + len, size - len)) > 0;) {
        len += got;
    }
    sys_close(file);
    return len;
}

const char *node_look(Node *node, const char *pattern, const char *a, const char *b) {
    const int file = sys_open(node_path(node, pattern, a, b), OPEN_READ);
    node->scratch[node_read(file, node->scratch, SCRATCH_SIZE - 1)] = '\0';
    return node->scratch;
}

bool node_has(Node *node, const char *pattern, const char *a, const char *b) {
    return sys_can_read(node_path(node, pattern, a, b));
}

void folder_open(Folder *folder, const char *path, const char *prefix) {
    folder->descriptor = sys_open(path, OPEN_READ);
    folder->len = 0;
    folder->at = 0;
    folder->prefix = prefix;
}

const char *folder_next(Folder *folder) {
    for (;;) {
        if (folder->at >= folder->len) {
            folder->at = 0;
            folder->len = sys_read_folder(folder->descriptor, folder->buffer, sizeof folder->buffer);
            if (folder->len <= 0) {
                sys_close(folder->descriptor);
                return NULL;
            }
        }
        const char *entry = folder->buffer + folder->at;
        folder->at += (uint8_t)entry[ENTRY_LENGTH_AT] | (uint8_t)entry[ENTRY_LENGTH_AT + 1] << 8;
        const char *name = entry + ENTRY_NAME_AT;
        const char *number = text_after(name, folder->prefix != NULL ? folder->prefix : "");
        if (folder->prefix == NULL ? *name != '.' : number != NULL && is_digit(*number)) {
            return name;
        }
    }
}

const char *node_first_in(Node *node, const char *pattern, const char *a) {
    Folder folder;
    folder_open(&folder, node_path(node, pattern, a, NULL), NULL);
    const char *name = folder_next(&folder);
    Text copy = { .data = node->scratch, .size = PATH_SIZE };
    if (name != NULL) {
        sys_close(folder.descriptor);
        text_put(&copy, "$", name, NULL);
    }
    node->scratch[copy.len] = '\0';
    return node->scratch;
}

void node_fault(Node *node, const char *device, const char *what) {
    text_put(&node->got, node->got.len > 0 ? " $=$" : "$=$", device, what);
}

static void put_check(Node *node, const char *id, const char *want, Status status) {
    static const char WORDS[][5] = { [PASS] = NODE_PASS, [WARN] = NODE_WARN, [FAIL] = NODE_FAIL, [SKIP] = NODE_SKIP };
    Text *verdict = &node->verdict;
    if (status == FAIL && node->only_warns) {
        status = WARN;
    }
    node->counts[status]++;
    node->late[status] += !node->is_fixed;
    if (status == FAIL && !node->is_of_image) {
        node->hardware_fails++;
        node->is_hopeless = node->is_hopeless || node->is_fixed;
    }
    node->got_data[node->got.len] = '\0';
    text_put(verdict, verdict->data[verdict->len - 1] == '}' ? ",{'id':'%','s':'%'" : "{'id':'%','s':'%'", id,
             WORDS[status]);
    text_put(verdict, ",'want':'%','got':'%'", want, node->got_data);
    text_put(verdict, ",'at':'%','class':'%'}", node->path_data,
             node->is_of_image ? NODE_CLASS_IMAGE : NODE_CLASS_HARDWARE);
    node->got = (Text){ .data = node->got_data, .size = GOT_SIZE - 1 };
    node->path_data[0] = '\0';
}

void node_check_status(Node *node, Status status) {
    put_check(node, key_name(node->line->key), node->line->values, status);
}

void node_check(Node *node, bool is_right) {
    node_check_status(node, is_right ? PASS : FAIL);
}

void node_check_more(Node *node, Check check, Status status) {
    static const struct {
        char id[11];
        char want[13];
    } CHECKS[] = {
#define NODE_CHECK(ID, id, want, class, text) [CHECK_##ID] = { id, want },
        NODE_CHECKS(NODE_CHECK)
#undef NODE_CHECK
    };
    put_check(node, CHECKS[check].id, CHECKS[check].want, status);
}

void check_at_least(Node *node, uint64_t number) {
    text_put_number(&node->got, number);
    node_check(node, number >= number_at(node->line->values));
}
