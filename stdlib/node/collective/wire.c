// Sockets for messages. Writes wait, for a bounded time. Reads never wait.
#include "stdlib/node/collective/wire.h"

#include "stdlib/node/collective/text.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { BACKLOG = 2 * RANKS_MAX, PORT_DIGITS = 8, ADDRESS_TEXT_BYTES = 64 };

Received inbox_take(Inbox *inbox, Message *message) {
    while (inbox->filled < MESSAGE_BYTES) {
        const ssize_t count =
            recv(inbox->fd, inbox->bytes + inbox->filled, MESSAGE_BYTES - inbox->filled, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return RECEIVED_NOTHING;
        }
        if (count <= 0) {
            return RECEIVED_END;
        }
        inbox->filled += (size_t)count;
    }
    inbox->filled = 0;
    return message_decode(inbox->bytes, message) ? RECEIVED_MESSAGE : RECEIVED_NONSENSE;
}

bool wire_send(int fd, const Message *message) {
    uint8_t bytes[MESSAGE_BYTES];
    message_encode(message, bytes);
    size_t sent = 0;
    while (sent < MESSAGE_BYTES) {
        const ssize_t count = send(fd, bytes + sent, MESSAGE_BYTES - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        // Half a message on a stream cannot be taken back: the connection is of no more use.
        if (count <= 0) {
            return false;
        }
        sent += (size_t)count;
    }
    return true;
}

static void set_options(int fd) {
    const int yes = 1;
    const struct timeval limit = { .tv_sec = WIRE_SEND_MS / 1000, .tv_usec = WIRE_SEND_MS % 1000 * 1000 };
    // Each of these may fail without harm: it only makes the connection slower to answer.
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static int listen_on(int family, const struct sockaddr *address, socklen_t len) {
    const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    const int yes = 1;
    const int no = 0;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (family == AF_INET6) {
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    }
    if (bind(fd, address, len) == 0 && listen(fd, BACKLOG) == 0) {
        return fd;
    }
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int wire_listen(uint16_t port) {
    const struct sockaddr_in6 any6 = { .sin6_family = AF_INET6,
                                       .sin6_port = htons(port),
                                       .sin6_addr = IN6ADDR_ANY_INIT };
    const struct sockaddr_in any4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    const int fd = listen_on(AF_INET6, (const struct sockaddr *)&any6, sizeof any6);
    return fd >= 0 || errno == EADDRINUSE ? fd : listen_on(AF_INET, (const struct sockaddr *)&any4, sizeof any4);
}

int wire_accept(int listener, char *address, size_t address_size) {
    static const char MAPPED[] = "::ffff:"; // IPv4, on a socket of IPv6
    struct sockaddr_storage peer = { 0 };
    socklen_t len = sizeof peer;
    char text[ADDRESS_TEXT_BYTES] = "?";
    const int fd = accept4(listener, (struct sockaddr *)&peer, &len, SOCK_CLOEXEC);
    if (fd >= 0) {
        set_options(fd);
        (void)getnameinfo((struct sockaddr *)&peer, len, text, sizeof text, NULL, 0, NI_NUMERICHOST);
        const bool is_mapped = strncmp(text, MAPPED, sizeof MAPPED - 1) == 0;
        text_into(address, address_size, "%s", is_mapped ? text + sizeof MAPPED - 1 : text);
    }
    return fd;
}

static bool connect_within(int fd, const struct addrinfo *address, int limit_ms) {
    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
        return true;
    }
    struct pollfd waited = { .fd = fd, .events = POLLOUT };
    if (errno != EINPROGRESS) {
        return false;
    }
    if (poll(&waited, 1, limit_ms) != 1) {
        errno = ETIMEDOUT;
        return false;
    }
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        errno = error;
        return false;
    }
    return true;
}

int wire_connect(const char *host, uint16_t port, int limit_ms, char *reason, size_t reason_size) {
    char digits[PORT_DIGITS];
    text_into(digits, sizeof digits, "%u", port);
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
    struct addrinfo *addresses = NULL;
    const int status = getaddrinfo(host, digits, &hints, &addresses);
    if (status != 0) {
        text_into(reason, reason_size, "%s: %s", host, gai_strerror(status));
        return WIRE_NO_NAME;
    }
    int connected = WIRE_NONE;
    for (const struct addrinfo *address = addresses; address != NULL && connected < 0; address = address->ai_next) {
        const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && connect_within(fd, address, limit_ms) && fcntl(fd, F_SETFL, 0) == 0) {
            set_options(fd);
            connected = fd;
        } else {
            text_into(reason, reason_size, "%s port %u: %s", host, port, strerror(errno));
            if (fd >= 0) {
                close(fd);
            }
        }
    }
    freeaddrinfo(addresses);
    return connected;
}
