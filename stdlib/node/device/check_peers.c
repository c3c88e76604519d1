// Whether peers answer over TCP, all of them asked at once. A refusal is an answer: the packets came through. It shows
// routes and security groups, nothing of EFA.
#include "stdlib/node/device/checks.h"
#include "stdlib/node/device/child.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ADDRESS_BYTES = 16 };

typedef struct Peer {
    char address[ADDRESS_BYTES];
    int descriptor; // -1: it has answered, or cannot be asked
    int fault;      // an errno
} Peer;

static void ask(Peer *peer, uint32_t port) {
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    peer->fault = EINVAL;
    peer->descriptor = -1;
    if (inet_pton(AF_INET, peer->address, &to.sin_addr) != 1) {
        return;
    }
    peer->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    peer->fault = connect(peer->descriptor, (const struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
}

static void await(Peer *peer, int64_t deadline) {
    struct pollfd one = { .fd = peer->descriptor, .events = POLLOUT };
    socklen_t size = sizeof peer->fault;
    const int64_t left = deadline - child_now_ms();
    if (peer->fault == EINPROGRESS && poll(&one, 1, left > 0 ? (int)left : 0) > 0) {
        (void)getsockopt(peer->descriptor, SOL_SOCKET, SO_ERROR, &peer->fault, &size);
    }
    if (peer->descriptor >= 0) {
        (void)close(peer->descriptor);
    }
}

void check_peers(const Node *node) {
    Finding finding = { .check = DEVICE_PEERS };
    Peer peers[NODE_LINE_VALUES_MAX];
    uint32_t count = 0;
    const int64_t deadline = child_now_ms() + node->expected->peer_ms;
    for (const char *at = node->expected->peers;
         at != NULL && *at != '\n' && *at != '\0' && count < NODE_LINE_VALUES_MAX;) {
        const size_t len = strcspn(at, " \n");
        text_into(peers[count].address, sizeof peers[count].address, "%.*s", (int)len, at);
        ask(&peers[count++], node->expected->peer_port);
        at += len + (at[len] == ' ');
    }
    for (uint32_t i = 0; i < count; i++) {
        await(&peers[i], deadline);
        if (peers[i].fault != 0 && peers[i].fault != ECONNREFUSED) {
            finding_fault(&finding, LEVEL_FAIL, peers[i].address, "%s",
                          peers[i].fault == EINPROGRESS ? "timeout" : "unreachable");
        }
    }
    if (count > 0) {
        findings_put(node->findings, &finding);
    }
}
