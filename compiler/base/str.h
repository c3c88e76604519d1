// Str: a text that knows its length and borrows its bytes. StrBuf: the only buffer of text that grows.
#pragma once

#include "compiler/base/arena.h"

#include <stdarg.h>
#include <string.h>

// Borrowed bytes, not NUL-terminated. `data` may be NULL where `len` is 0.
typedef struct {
    const char *data;
    size_t len;
} Str;

#define STR(literal) ((Str){ .data = (literal), .len = sizeof(literal) - 1 })
#define STR_NONE ((Str){ 0 })
#define STR_ARG(str) (int)(str).len, (str).data // for "%.*s"; no text of ours is longer than INT_MAX

Str str_of(const char *text); // borrows a C string; NULL is the empty text
static inline bool str_equal(Str a, Str b);
static inline bool str_is(Str a, const char *b); // NULL is the empty text
bool str_is_in_any_case(Str a, const char *b);   // of ASCII; likewise the others
bool str_equal_in_any_case(Str a, Str b);
bool str_starts_with_in_any_case(Str text, Str prefix);
int str_compare(Str a, Str b); // by bytes: below, equal to or above 0
static inline bool str_starts_with(Str text, Str prefix);
static inline bool str_ends_with(Str text, Str suffix);
static inline Str str_slice(Str text, size_t start, size_t end); // ends are cut to the text's length
static inline char str_at(Str text, size_t at);                  // NUL behind the text's end
Str str_trim(Str text);                                          // without blanks, tabs and line ends at both ends

static inline bool char_is_digit(char c);               // 0 to 9
static inline char char_small(char c);                  // of ASCII
static inline bool char_is_alnum(char c);               // of ASCII
static inline bool char_is_in(char c, const char *set); // never of NUL
static inline bool char_is_of_name(char c); // A to Z, a to z, 0 to 9 and `_`: a variable of a shell is named with these

// Offset of the first `needle` at or after `from`; text.len where there is none.
static inline size_t str_find(Str text, Str needle, size_t from);
bool str_has(Str text, const char *part); // anywhere in it
// Whether one of several words is the text, stands anywhere in it, or begins it.
bool str_is_any(Str text, const char *const *words, size_t count);
bool str_has_any(Str text, const char *const *words, size_t count);
bool str_starts_with_any(Str text, const char *const *words, size_t count);

// How many bytes both begin with, and with how many of the rest both end.
void str_common(Str a, Str b, size_t *head, size_t *tail);

// Whether one of two paths is the other, or a folder that the other stands in. Neither ends in a slash.
bool str_paths_overlap(Str a, Str b);

// What stands behind the last `sign`, as a file's name does in its path; the whole text where there is none.
Str str_after_last(Str text, char sign);

Str str_copy(Arena *arena, Str text);
Str str_small(Arena *arena, Str text);                       // with small letters of ASCII
Str str_replaced(Arena *arena, Str text, Str old, Str with); // with `with` for each `old`, which is not empty
Str str_format(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
Str str_format_list(Arena *arena, const char *format, va_list arguments) PRINTF_LIKE(2, 0);
const char *str_c(Arena *arena, Str text); // NUL-terminated copy

// True for well-formed UTF-8 (no surrogates, nothing overlong); else `*bad` is the offset of the first wrong byte.
bool str_is_utf8(Str text, size_t *bad);
size_t str_ascii_end(Str text,
                     size_t from); // the first byte at or behind `from` that is not ASCII; the length where all are

size_t str_count_characters(Str text); // code points, where it is well-formed

// The code point that begins at `offset` (below text.len) and how many bytes it takes; 0 where none is well formed.
size_t str_utf8_next(Str text, size_t offset, uint32_t *code_point);

// A growing text in an arena. Start from `(StrBuf){ .arena = arena }`.
typedef struct {
    Arena *arena;
    char *data;
    size_t len;
    size_t capacity;
} StrBuf;

void strbuf_add(StrBuf *buffer, Str text);
void strbuf_add_char(StrBuf *buffer, char c);
void strbuf_add_repeated(StrBuf *buffer, char c, size_t count);
void strbuf_add_format(StrBuf *buffer, const char *format, ...) PRINTF_LIKE(2, 3);
void strbuf_add_format_list(StrBuf *buffer, const char *format, va_list arguments) PRINTF_LIKE(2, 0);
void strbuf_add_utf8(StrBuf *buffer, uint32_t code_point); // a valid scalar value
Str strbuf_end(const StrBuf *buffer);                      // the same for good: what is not used is given back
Str strbuf_str(const StrBuf *buffer);                      // borrows; valid until the buffer grows

// ---- what is asked most often: a rule does little else, and a call would cost more than the answer ------------------

bool str_is_word(Str a, const char *b);                  // str_is() of what is no literal
size_t str_find_sign(Str text, char sign, size_t from);  // str_find() of one byte
size_t str_find_text(Str text, Str needle, size_t from); // of any

static inline bool str_equal(Str a, Str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

// The compiler knows the length of a literal, and few texts have it.
static inline bool str_is(Str a, const char *b) {
    if (__builtin_constant_p(b != NULL ? strlen(b) : 0)) {
        const size_t length = b != NULL ? strlen(b) : 0;
        return a.len == length && (length == 0 || memcmp(a.data, b, length) == 0);
    }
    return str_is_word(a, b);
}

static inline size_t str_find(Str text, Str needle, size_t from) {
    const bool is_sign = __builtin_constant_p(needle.len) && needle.len == 1;
    return is_sign ? str_find_sign(text, needle.data[0], from) : str_find_text(text, needle, from);
}

static inline Str str_slice(Str text, size_t start, size_t end) {
    const size_t last = end < text.len ? end : text.len;
    return start < last ? (Str){ .data = text.data + start, .len = last - start } : STR_NONE;
}

static inline bool str_starts_with(Str text, Str prefix) {
    return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.data, prefix.data, prefix.len) == 0);
}

static inline bool str_ends_with(Str text, Str suffix) {
    return text.len >= suffix.len && str_starts_with(str_slice(text, text.len - suffix.len, text.len), suffix);
}

static inline char str_at(Str text, size_t at) {
    return at < text.len ? text.data[at] : '\0';
}

static inline bool char_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline char char_small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool char_is_alnum(char c) {
    return char_is_digit(c) || (char_small(c) >= 'a' && char_small(c) <= 'z');
}

static inline bool char_is_in(char c, const char *set) {
    return c != '\0' && strchr(set, c) != NULL;
}

static inline bool char_is_of_name(char c) {
    return c == '_' || char_is_digit(c) || (char_small(c) >= 'a' && char_small(c) <= 'z');
}
