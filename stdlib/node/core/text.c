// Text without a C library: one function that writes, a few that read.
#include "stdlib/node/core/text.h"
#include "stdlib/node/contract.h"

#include <stddef.h>

void text_put_byte(Text *text, char byte) {
    if (text->len < text->size) {
        text->data[text->len++] = byte;
    }
}

void text_put_number(Text *text, uint64_t number) {
    if (number >= 10) {
        text_put_number(text, number / 10);
    }
    text_put_byte(text, (char)('0' + number % 10));
}

static void put_string(Text *text, const char *string, char last) {
    for (int len = 0; (unsigned char)string[len] > (unsigned char)last; len++) {
        if (len == NODE_TEXT_BYTES_MAX - 3) {
            text_put(text, "...", NULL, NULL);
            return;
        }
        const char byte = string[len];
        text_put_byte(text, byte > '~' || byte < ' ' || byte == '"' || byte == '\\' ? '?' : byte);
    }
}

void text_put(Text *text, const char *pattern, const char *a, const char *b) {
    for (; *pattern != '\0'; pattern++) {
        if (*pattern == '%' || *pattern == '$') {
            put_string(text, a, *pattern == '$' ? ' ' : ' ' - 1);
            a = b;
        } else {
            text_put_byte(text, *pattern == '\'' ? '"' : *pattern);
        }
    }
}

const char *text_after(const char *text, const char *prefix) {
    while (*prefix != '\0') {
        if (*text++ != *prefix++) {
            return NULL;
        }
    }
    return text;
}

const char *text_find(const char *text, const char *part) {
    for (; *text != '\0'; text++) {
        const char *rest = text_after(text, part);
        if (rest != NULL) {
            return rest;
        }
    }
    return text;
}

static bool ends_word(char byte) {
    return (unsigned char)byte <= ' ';
}

bool word_is(const char *word, const char *other) {
    while (*word == *other && !ends_word(*word)) {
        word++;
        other++;
    }
    return ends_word(*word) && ends_word(*other);
}

const char *word_next(const char *word) {
    while (!ends_word(*word)) {
        word++;
    }
    while (*word == ' ' || *word == '\t') {
        word++;
    }
    return word;
}

bool is_digit(char byte) {
    return (unsigned)(byte - '0') < 10;
}

uint64_t number_at(const char *digits) {
    uint64_t number = 0;
    for (; is_digit(*digits) && number < (uint64_t)1 << 56; digits++) {
        number = number * 10 + (unsigned)(*digits - '0');
    }
    return number;
}

unsigned hex_at(const char *digits) {
    unsigned number = 0;
    for (;; digits++) {
        const unsigned letter = (unsigned)(*digits | 0x20) - 'a';
        if (is_digit(*digits)) {
            number = number << 4 | (unsigned)(*digits - '0');
        } else if (letter < 6) {
            number = number << 4 | (letter + 10);
        } else {
            return number;
        }
    }
}

bool version_is_at_least(const char *version, const char *wanted) {
    for (;;) {
        const uint64_t is = number_at(version);
        const uint64_t should = number_at(wanted);
        if (is != should) {
            return is > should;
        }
        while (is_digit(*version)) {
            version++;
        }
        while (is_digit(*wanted)) {
            wanted++;
        }
        if (*wanted++ != '.') {
            return true;
        }
        version += *version == '.';
    }
}
