// Any bytes as a record: no crash, and either a fault or lines with keys that are known and values inside the text.
#include <stdlib.h>
#include <string.h>

#include "stdlib/node/core/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // As the core has it: a buffer that is one byte longer than the longest record.
    const size_t len = size <= NODE_RECORD_BYTES_MAX + 1 ? size : NODE_RECORD_BYTES_MAX + 1;
    char *text = malloc(NODE_RECORD_BYTES_MAX + 1);
    Record *record = malloc(sizeof *record);
    if (text == NULL || record == NULL) {
        abort();
    }
    memcpy(text, data, len);
    record_read(record, text, (int)len);
    if ((record->fault == NULL) != (record->count > 0 && record->fault_line == 0) && record->fault == NULL) {
        abort();
    }
    for (int i = 0; record->fault == NULL && i < record->count; i++) {
        const Line *line = &record->lines[i];
        if (key_name(line->key)[0] == '\0' || line->values <= text ||
            line->values + strlen(line->values) > text + len) {
            abort();
        }
    }
    free(record);
    free(text);
    return 0;
}
