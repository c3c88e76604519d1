// Any bytes as a message of the kernel, as a file of sysfs, and as the record. There is no crash, and what is found has a
// check, a device and a word.
#include "stdlib/node/device/expected.h"
#include "stdlib/node/device/kernel_log.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Expected expected;
    LogFault fault;
    char reason[NODE_TEXT_BYTES_MAX];
    uint64_t number = 0;
    char *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    (void)host_number_of(text, &number);
    (void)expected_read(&expected, (const char *)data, size, reason, sizeof reason);
    for (char *line = text, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (log_judge(line, &fault) && (fault.device[0] == '\0' || fault.what[0] == '\0' || fault.check == DEVICE_LOG ||
                                        (fault.level != LEVEL_FAIL && fault.level != LEVEL_WARN))) {
            abort();
        }
    }
    free(text);
    return 0;
}
