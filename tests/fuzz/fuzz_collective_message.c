// Any bytes as messages of a collective. There is no crash. A valid message is written as the same bytes again, so that
// nothing of it is left unread.
#include "stdlib/node/collective/message.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (size_t at = 0; at + MESSAGE_BYTES <= size; at += MESSAGE_BYTES) {
        Message message;
        uint8_t again[MESSAGE_BYTES];
        if (message_decode(data + at, &message)) {
            message_encode(&message, again);
            if (memcmp(data + at, again, MESSAGE_BYTES) != 0) {
                abort();
            }
        }
    }
    return 0;
}
