// A TCP connection that carries messages, and its sockets.
#pragma once

#include "stdlib/node/collective/message.h"

typedef struct Inbox {
    int fd;
    size_t filled;
    uint8_t bytes[MESSAGE_BYTES];
} Inbox;

typedef enum Received { RECEIVED_MESSAGE, RECEIVED_NOTHING, RECEIVED_END, RECEIVED_NONSENSE } Received;

// Takes what has arrived, without waiting, until a message is whole.
Received inbox_take(Inbox *inbox, Message *message);

// Sends one message. False where the other end is gone or has not read for WIRE_SEND_MS.
bool wire_send(int fd, const Message *message);

enum { WIRE_SEND_MS = 2000 };

// A socket that listens on all addresses, IPv6 and IPv4; -1, errno set, where there is none to be had.
int wire_listen(uint16_t port);

// The next connection that waits, with the address that it comes from; or -1.
int wire_accept(int listener, char *address, size_t address_size);

// What wire_connect() gives in place of a connection.
enum { WIRE_NONE = -1, WIRE_NO_NAME = -2 };

// A connection to a host, or, with a reason, WIRE_NONE, or WIRE_NO_NAME where the name stands for no address. Never
// longer than `limit_ms` for each of its addresses, after its name was found.
int wire_connect(const char *host, uint16_t port, int limit_ms, char *reason, size_t reason_size);
