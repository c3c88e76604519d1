// Reads the record that the first stage reads too. Whether it is one the collective's reader says.
#include "stdlib/node/device/expected.h"

#include "stdlib/node/collective/record.h"
#include "stdlib/node/collective/text.h"
#include "stdlib/node/device/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// What stands behind a key; NULL: there is no such line. A line that only warns counts too.
static const char *values_of(const Expected *expected, const char *key) {
    const size_t len = strlen(key);
    for (const char *line = expected->text; line != NULL && *line != '\0';) {
        const char *at = line + (*line == NODE_RECORD_WARN);
        if (strncmp(at, key, len) == 0 && at[len] == ' ') {
            return at + len + 1;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

bool expected_line(const Expected *expected, ExpectedLine *line, const char *key) {
    const char *values = values_of(expected, key);
    if (values == NULL) {
        return false;
    }
    const char *start = values - strlen(key) - 1;
    line->only_warns = start > expected->text && start[-1] == NODE_RECORD_WARN;
    text_into(line->values, sizeof line->values, "%.*s", (int)strcspn(values, "\n"), values);
    return true;
}

static uint32_t number_of(const Expected *expected, const char *key, uint32_t otherwise) {
    const char *values = values_of(expected, key);
    uint64_t number = 0;
    return values != NULL && host_number_of(values, &number) && number <= NODE_NUMBER_MAX ? (uint32_t)number
                                                                                          : otherwise;
}

static void copy_word(const Expected *expected, const char *key, char word[EXPECTED_NAME_BYTES]) {
    const char *values = values_of(expected, key);
    text_into(word, EXPECTED_NAME_BYTES, "%.*s", values != NULL ? (int)strcspn(values, " \n") : 0,
              values != NULL ? values : "");
}

bool expected_read(Expected *expected, const char *text, size_t len, char *reason, size_t reason_size) {
    Job job = { 0 };
    *expected = (Expected){ .peers = NULL };
    if (!record_read(text, len, &job, reason, reason_size)) {
        return false;
    }
    memcpy(expected->text, text, len);
    copy_word(expected, "group", expected->group);
    copy_word(expected, "type", expected->type);
    expected->gpus = number_of(expected, "gpu.count", 0);
    expected->neurons = number_of(expected, "neuron.count", 0);
    expected->efas = number_of(expected, "efa.count", 0);
    expected->has_fabric_manager = strstr(expected->text, "proc nv-fabricmanage\n") != NULL;
    expected->peers = values_of(expected, "peers");
    expected->peer_port = number_of(expected, "peer.port", NODE_PEER_PORT);
    expected->peer_ms = number_of(expected, "peer.ms", NODE_PEER_MS);
    return true;
}

bool expected_load(Expected *expected, const char *path, char *reason, size_t reason_size) {
    char text[NODE_RECORD_BYTES_MAX + 1];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        text_into(reason, reason_size, "%s: %s", path, strerror(errno));
        return false;
    }
    const size_t len = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    return expected_read(expected, text, len, reason, reason_size);
}
