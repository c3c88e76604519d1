// Whether peers answer over TCP, all of them asked at once. A refusal is an answer: the packets came through. It shows
// routes and security groups, nothing of EFA.
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

static uint32_t address_at(const char *text) {
    uint32_t address = 0;
    for (int i = 0; i < 4; i++) {
        address = address << 8 | (number_at(text) & 0xff);
        while (is_digit(*text)) {
            text++;
        }
        text += *text == '.';
    }
    return address;
}

static int64_t fact(const Node *node, Key key, int otherwise) {
    const char *values = record_values(&node->record, key);
    return values != NULL ? (int64_t)number_at(values) : otherwise;
}

void check_peers(Node *node) {
    const int64_t deadline = sys_now_ms() + fact(node, KEY_PEER_MS, NODE_PEER_MS);
    const int64_t port = fact(node, KEY_PEER_PORT, NODE_PEER_PORT);
    int started[NODE_LINE_VALUES_MAX];
    int count = 0;
    for (const char *peer = node->line->values; *peer != '\0'; peer = word_next(peer)) {
        started[count++] = sys_connect(address_at(peer), (uint16_t)port);
    }
    count = 0;
    for (const char *peer = node->line->values; *peer != '\0'; peer = word_next(peer)) {
        const int64_t left = deadline - sys_now_ms();
        const int fault = sys_connect_fault(started[count++], left > 0 ? left : 0);
        if (fault != 0 && fault != FAULT_REFUSED) {
            node_fault(node, peer, fault == FAULT_TIMED_OUT ? "timeout" : "unreachable");
        }
    }
    node_check(node, node->got.len == 0);
}
