// A text that grows up to a bound. Verdicts are written into it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

// Begins as `{ .data = room, .size = sizeof room }` and is always ended by a zero byte. What no longer fits is left out
// whole, call by call, and `is_cut` says so.
typedef struct Text {
    char *data;
    size_t size;
    size_t len;
    bool is_cut;
} Text;

void text_put(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);

// Appends a JSON string with its quotes: printable ASCII as it is, `?` for any other byte, at most NODE_TEXT_BYTES_MAX
// bytes of it, what is longer ending in "...".
void text_put_quoted(Text *text, const char *string);

// Writes what fits of a formatted text into `room`, which is always ended by a zero byte.
void text_into(char *room, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
