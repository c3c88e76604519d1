// A network that damages data, for tests/collective.sh. It is preloaded into one rank, and flips one bit of the
// CORRUPT_AT-th large piece that this process sends over TCP, or of each from the CORRUPT_FROM-th on. The program under test is the one that is installed,
// untouched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { LARGE_BYTES = 4096, PIECES_MAX = 16 };

ssize_t sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t send(int fd, const void *bytes, size_t len, int flags);

// The program is single-threaded where it matters: a rank drives its own transfers.
static long large_count;

static int is_hit(size_t len) {
    const char *at = getenv("CORRUPT_AT");
    const char *from = getenv("CORRUPT_FROM");
    large_count += len >= LARGE_BYTES;
    return len >= LARGE_BYTES &&
           ((at != NULL && large_count == atol(at)) || (from != NULL && large_count >= atol(from)));
}

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

ssize_t send(int fd, const void *bytes, size_t len, int flags) {
    ssize_t (*original)(int, const void *, size_t, int);
    void *symbol = next("send");
    memcpy(&original, &symbol, sizeof original);
    uint8_t *copy = is_hit(len) ? malloc(len) : NULL;
    if (copy == NULL) {
        return original(fd, bytes, len, flags);
    }
    memcpy(copy, bytes, len);
    copy[0] ^= 1; // the end may not be taken by this call, and come again from the original
    const ssize_t sent = original(fd, copy, len, flags);
    free(copy);
    return sent;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    ssize_t (*original)(int, const struct msghdr *, int);
    void *symbol = next("sendmsg");
    memcpy(&original, &symbol, sizeof original);
    size_t largest = 0;
    for (size_t i = 1; i < message->msg_iovlen; i++) {
        largest = message->msg_iov[i].iov_len > message->msg_iov[largest].iov_len ? i : largest;
    }
    const size_t len = message->msg_iovlen > 0 ? message->msg_iov[largest].iov_len : 0;
    uint8_t *copy = message->msg_iovlen <= PIECES_MAX && is_hit(len) ? malloc(len) : NULL;
    if (copy == NULL) {
        return original(fd, message, flags);
    }
    struct iovec pieces[PIECES_MAX];
    memcpy(pieces, message->msg_iov, message->msg_iovlen * sizeof pieces[0]);
    memcpy(copy, pieces[largest].iov_base, len);
    copy[0] ^= 1; // the end may not be taken by this call, and come again from the original
    pieces[largest].iov_base = copy;
    struct msghdr damaged = *message;
    damaged.msg_iov = pieces;
    const ssize_t sent = original(fd, &damaged, flags);
    free(copy);
    return sent;
}
