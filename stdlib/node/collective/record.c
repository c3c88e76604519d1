// Reads the record that the preflight reads too. Keys of the preflight are known and passed over, those of a collective
// are taken, and any other is an error: what was not understood was not checked.
#include "stdlib/node/collective/record.h"

#include "stdlib/node/collective/number.h"
#include "stdlib/node/collective/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Key {
#define NODE_KEY(ID, name, form, repeat, unit, class, text) KEY_##ID,
    NODE_KEYS(NODE_KEY)
#undef NODE_KEY
        KEYS,
} Key;

static Key key_of(const char *name, size_t len) {
    static const char *const NAMES[KEYS] = {
#define NODE_KEY(ID, name, form, repeat, unit, class, text) [KEY_##ID] = name,
        NODE_KEYS(NODE_KEY)
#undef NODE_KEY
    };
    for (size_t i = 0; i < KEYS; i++) {
        if (strlen(NAMES[i]) == len && memcmp(NAMES[i], name, len) == 0) {
            return (Key)i;
        }
    }
    return KEYS;
}

// Where a key's number goes; NULL for keys that a collective does not ask for. A wish is what only warns.
static uint32_t *place_of(Job *job, Key key, bool is_wish) {
    switch ((int)key) {
    case KEY_COLL_BYTES:
        return &job->bytes;
    case KEY_COLL_LINK_GBPS:
        return is_wish ? &job->link_warn_gbps : &job->link_floor_gbps;
    case KEY_COLL_BUS_GBPS:
        return &job->benchmark_floor_gbps;
    case KEY_EFA_COUNT:
        return &job->interfaces;
    case KEY_COLL_ITERS:
        return &job->iterations;
    case KEY_COLL_OP_S:
        return &job->op_s;
    case KEY_COLL_RDV_S:
        return &job->rendezvous_s;
    default: // the preflight's
        return NULL;
    }
}

static const char *take_line(const char *line, size_t len, Job *job) {
    if (len > NODE_LINE_BYTES_MAX) {
        return "too long";
    }
    const bool is_wish = len > 0 && line[0] == NODE_RECORD_WARN;
    if (is_wish) {
        line++;
        len--;
    }
    const char *space = memchr(line, ' ', len);
    const size_t name_len = space == NULL ? len : (size_t)(space - line);
    const Key key = key_of(line, name_len);
    if (key == KEYS) {
        return "unknown key";
    }
    if (space == NULL) {
        return "no value";
    }
    const char *value = space + 1;
    const size_t value_len = len - name_len - 1;
    uint32_t *place = place_of(job, key, is_wish);
    if (place != NULL && !number_read(value, value_len, NODE_NUMBER_MAX, place)) {
        return "not a number";
    }
    if (key == KEY_GROUP) {
        text_into(job->group, sizeof job->group, "%.*s", (int)value_len, value);
    } else if (key == KEY_TYPE) {
        text_into(job->type, sizeof job->type, "%.*s", (int)value_len, value);
    }
    return NULL;
}

static bool is_in_alphabet(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr(NODE_RECORD_PUNCTUATION, byte) != NULL) || byte == NODE_RECORD_WARN || byte == '\n';
}

bool record_read(const char *text, size_t len, Job *job, char *reason, size_t reason_size) {
    if (len > NODE_RECORD_BYTES_MAX || len == 0 || text[len - 1] != '\n') {
        text_into(reason, reason_size, "record: not between 1 and %d bytes that end with a line",
                  NODE_RECORD_BYTES_MAX);
        return false;
    }
    unsigned number = 0;
    for (size_t at = 0; at < len;) {
        const size_t end = at + (size_t)((const char *)memchr(text + at, '\n', len - at) - (text + at));
        const char *fault = NULL;
        number++;
        for (size_t i = at; i < end && fault == NULL; i++) {
            fault = is_in_alphabet(text[i]) ? NULL : "a byte that no record has";
        }
        if (fault == NULL && number == 1) {
            const bool is_version =
                end - at == strlen(NODE_RECORD_VERSION) && memcmp(text + at, NODE_RECORD_VERSION, end - at) == 0;
            fault = is_version ? NULL : "not " NODE_RECORD_VERSION;
        } else if (fault == NULL) {
            fault = number > NODE_RECORD_LINES_MAX ? "too many lines" : take_line(text + at, end - at, job);
        }
        if (fault != NULL) {
            text_into(reason, reason_size, "record: line %u: %s", number, fault);
            return false;
        }
        at = end + 1;
    }
    return true;
}

bool record_load(const char *path, Job *job, char *reason, size_t reason_size) {
    char text[NODE_RECORD_BYTES_MAX + 1];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        text_into(reason, reason_size, "%s: %s", path, strerror(errno));
        return false;
    }
    const size_t len = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    return record_read(text, len, job, reason, reason_size);
}
