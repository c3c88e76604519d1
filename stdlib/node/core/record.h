// The expectation record, read into lines. contract.h describes it.
#pragma once

#include "stdlib/node/contract.h"
#include "stdlib/node/core/text.h"

#define NODE_KEY(ID, name, form, repeat, unit, class, text) KEY_##ID,
typedef enum { NODE_KEYS(NODE_KEY) } Key;
#undef NODE_KEY

typedef enum { HARDWARE, FIXED, IMAGE, FACT } Class;

typedef struct {
    Key key;
    bool only_warns;
    const char *values; // a line, up to a NUL, in the record's own text
} Line;

typedef struct {
    int count;
    int fault_line;    // from 1; 0 where the record as a whole is at fault
    const char *fault; // NULL: the record is understood
    Line lines[NODE_RECORD_LINES_MAX];
} Record;

// Reads `text`, which has `len` bytes, and writes NULs into it; lines point there. `len` < 0: there is no record.
void record_read(Record *record, char *text, int len);

const char *record_values(const Record *record, Key key); // NULL: no such line
const char *key_name(Key key);
Class key_class(Key key);
