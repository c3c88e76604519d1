// A walk through JSON: one event for each value, with its key. It keeps nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { JSON_DEPTH_MAX = 32, JSON_KEY_BYTES = 64 };

typedef enum JsonKind { JSON_OPEN, JSON_CLOSE, JSON_STRING, JSON_NUMBER, JSON_WORD } JsonKind;

typedef struct JsonEvent {
    JsonKind kind;
    unsigned depth;   // how many objects and arrays this stands in, itself not counted
    const char *key;  // of the object it stands in, cut to JSON_KEY_BYTES; "" in an array and at the top
    const char *data; // as written: a string's without its quotes, escapes as they are
    size_t len;
} JsonEvent;

// False where the text is no JSON, or nested deeper than JSON_DEPTH_MAX; events may have come before that was seen.
bool json_walk(const char *text, size_t len, void (*take)(void *, const JsonEvent *), void *context);
