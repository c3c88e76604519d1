// Text without a C library. A text ends in a NUL. A line also ends in a line feed, and a word also in a blank. Readers
// look at words where they stand and copy nothing. A text that is not found is an empty text, never NULL.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What does not fit is left out; `len` is at most `size`.
typedef struct {
    char *data;
    int size;
    int len;
} Text;

void text_put_byte(Text *text, char byte);
void text_put_number(Text *text, uint64_t number);

// Puts the pattern: each `%` is the next of `a` and `b`, up to the end of its line, each `$` up to the end of its
// word; each ' is a quotation mark. Bytes of theirs that are not printable, or could end a string of JSON, become `?`,
// and what is longer than NODE_TEXT_BYTES_MAX ends in "...".
void text_put(Text *text, const char *pattern, const char *a, const char *b);

const char *text_after(const char *text, const char *prefix); // what is behind the prefix; NULL: begins otherwise
const char *text_find(const char *text, const char *part);    // what is behind the first such part

bool word_is(const char *word, const char *other); // the same words
const char *word_next(const char *word);           // the next word on the line, or its end

bool is_digit(char byte);
uint64_t number_at(const char *digits); // of those that there are, as far as they are below 2^60
unsigned hex_at(const char *digits);    // up to what is none

bool version_is_at_least(const char *version, const char *wanted); // dotted numbers; what follows them is ignored
