// Text by length. Every function takes an empty Str without data, which libc's memory functions do not.
#include "compiler/base/str.h"

#include "compiler/base/die.h"
#include "compiler/base/format.h"

Str str_of(const char *text) {
    return text == NULL ? STR_NONE : (Str){ .data = text, .len = strlen(text) };
}

bool str_is_word(Str a, const char *b) {
    if (b == NULL) {
        return a.len == 0;
    }
    // Most end at the first byte, before the length of either is asked for.
    for (size_t i = 0; i < a.len; i++) {
        if (b[i] == '\0' || a.data[i] != b[i]) {
            return false;
        }
    }
    return b[a.len] == '\0';
}

bool str_is_in_any_case(Str a, const char *b) {
    for (size_t i = 0; i < a.len; i++) {
        if (b[i] == '\0' || char_small(a.data[i]) != char_small(b[i])) {
            return false;
        }
    }
    return b[a.len] == '\0';
}

bool str_starts_with_in_any_case(Str text, Str prefix) {
    bool does = prefix.len <= text.len;
    for (size_t i = 0; does && i < prefix.len; i++) {
        does = char_small(text.data[i]) == char_small(prefix.data[i]);
    }
    return does;
}

bool str_equal_in_any_case(Str a, Str b) {
    return a.len == b.len && str_starts_with_in_any_case(a, b);
}

int str_compare(Str a, Str b) {
    const size_t shorter = a.len < b.len ? a.len : b.len;
    const int order = shorter == 0 ? 0 : memcmp(a.data, b.data, shorter);
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Str str_trim(Str text) {
    size_t start = 0;
    size_t end = text.len;
    while (start < end && is_blank(text.data[start])) {
        start++;
    }
    while (end > start && is_blank(text.data[end - 1])) {
        end--;
    }
    return str_slice(text, start, end);
}

// Few texts have the first byte of a needle often, and memchr() is quicker than memmem() at finding those that do. Most of
// these have another last byte.
static const char *find_short(const char *text, size_t len, Str needle) {
    const size_t last = needle.len - 1;
    const char *end = text + (len - needle.len) + 1;
    const char *at = text;
    while (at < end && (at = memchr(at, needle.data[0], (size_t)(end - at))) != NULL) {
        if (at[last] == needle.data[last] && memcmp(at, needle.data, needle.len) == 0) {
            return at;
        }
        at++;
    }
    return NULL;
}

size_t str_find_sign(Str text, char sign, size_t from) {
    const char *found = from < text.len ? memchr(text.data + from, sign, text.len - from) : NULL;
    return found == NULL ? text.len : (size_t)(found - text.data);
}

size_t str_find_text(Str text, Str needle, size_t from) {
    enum { SHORT_MAX = 32 }; // the time of a longer one must not grow with its length
    if (from > text.len || needle.len > text.len - from) {
        return text.len;
    }
    if (needle.len == 0) {
        return from;
    }
    const char *found = needle.len <= SHORT_MAX ? find_short(text.data + from, text.len - from, needle)
                                                : memmem(text.data + from, text.len - from, needle.data, needle.len);
    return found == NULL ? text.len : (size_t)(found - text.data);
}

bool str_has(Str text, const char *part) {
    return str_find(text, str_of(part), 0) < text.len;
}

bool str_is_any(Str text, const char *const *words, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || str_is_word(text, words[i]);
    }
    return is;
}

bool str_has_any(Str text, const char *const *words, size_t count) {
    bool has = false;
    for (size_t i = 0; i < count; i++) {
        has = has || str_has(text, words[i]);
    }
    return has;
}

bool str_starts_with_any(Str text, const char *const *words, size_t count) {
    bool does = false;
    for (size_t i = 0; i < count; i++) {
        does = does || str_starts_with(text, str_of(words[i]));
    }
    return does;
}

static bool is_within(Str path, Str folder) {
    return str_starts_with(path, folder) && (path.len == folder.len || path.data[folder.len] == '/');
}

bool str_paths_overlap(Str a, Str b) {
    return is_within(a, b) || is_within(b, a);
}

void str_common(Str a, Str b, size_t *head, size_t *tail) {
    const size_t least = a.len < b.len ? a.len : b.len;
    *head = 0;
    while (*head < least && a.data[*head] == b.data[*head]) {
        *head += 1;
    }
    *tail = 0;
    while (*tail < least - *head && a.data[a.len - 1 - *tail] == b.data[b.len - 1 - *tail]) {
        *tail += 1;
    }
}

Str str_after_last(Str text, char sign) {
    size_t start = text.len;
    while (start > 0 && text.data[start - 1] != sign) {
        start--;
    }
    return str_slice(text, start, text.len);
}

Str str_copy(Arena *arena, Str text) {
    if (text.len == 0) {
        return STR_NONE;
    }
    return (Str){ .data = memcpy(arena_alloc(arena, text.len), text.data, text.len), .len = text.len };
}

const char *str_c(Arena *arena, Str text) {
    char *copy = arena_alloc_array(arena, text.len + 1, 1);
    if (text.len > 0) {
        memcpy(copy, text.data, text.len);
    }
    return copy;
}

// How many bytes follow the first byte of a sequence, and the range that the first of them must be in. The range
// excludes overlong forms, surrogates and characters above U+10FFFF. False where no sequence begins so.
static bool utf8_shape(unsigned char first, int *following, unsigned char *low, unsigned char *high) {
    *low = 0x80;
    *high = 0xBF;
    if (first < 0x80) {
        *following = 0;
        return true;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        *following = 1;
        return true;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        *following = 2;
        *low = first == 0xE0 ? 0xA0 : 0x80;
        *high = first == 0xED ? 0x9F : 0xBF;
        return true;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        *following = 3;
        *low = first == 0xF0 ? 0x90 : 0x80;
        *high = first == 0xF4 ? 0x8F : 0xBF;
        return true;
    }
    return false;
}

// The bits of a sequence's first byte that belong to the code point, by the number of bytes that follow.
static const unsigned char FIRST_BYTE_MASKS[] = { 0x7F, 0x1F, 0x0F, 0x07 };

size_t str_utf8_next(Str text, size_t offset, uint32_t *code_point) {
    const unsigned char *bytes = (const unsigned char *)text.data + offset;
    int following;
    unsigned char low;
    unsigned char high;
    if (!utf8_shape(bytes[0], &following, &low, &high) || (size_t)following >= text.len - offset) {
        return 0;
    }
    uint32_t value = bytes[0] & FIRST_BYTE_MASKS[following];
    for (int i = 1; i <= following; i++) {
        if (bytes[i] < low || bytes[i] > high) {
            return 0;
        }
        low = 0x80;
        high = 0xBF;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    *code_point = value;
    return (size_t)following + 1;
}

size_t str_ascii_end(Str text, size_t from) {
    static const uint64_t HIGH = UINT64_C(0x8080808080808080);
    size_t at = from;
    for (uint64_t word; text.len - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, text.data + at, sizeof(word));
        if ((word & HIGH) != 0) {
            break;
        }
    }
    while (at < text.len && (unsigned char)text.data[at] < 0x80) {
        at++;
    }
    return at;
}

bool str_is_utf8(Str text, size_t *bad) {
    for (size_t offset = str_ascii_end(text, 0); offset < text.len; offset = str_ascii_end(text, offset)) {
        uint32_t code_point;
        const size_t length = str_utf8_next(text, offset, &code_point);
        if (length == 0) {
            *bad = offset;
            return false;
        }
        offset += length;
    }
    return true;
}

// Eight bytes at a time: a source of one line is asked for the column of each of its mistakes.
size_t str_count_characters(Str text) {
    enum { WORD = sizeof(uint64_t) };
    static const uint64_t ONES = UINT64_C(0x0101010101010101);
    size_t following = 0;
    size_t i = 0;
    for (; text.len - i >= WORD; i += WORD) {
        uint64_t word;
        memcpy(&word, text.data + i, WORD);
        following += (size_t)__builtin_popcountll(word >> 7 & ~(word >> 6) & ONES); // 10xxxxxx
    }
    for (; i < text.len; i++) {
        following += ((unsigned char)text.data[i] & 0xC0) == 0x80;
    }
    return text.len - following;
}

static void strbuf_reserve(StrBuf *buffer, size_t more) {
    enum { CAPACITY_FIRST = 64 };
    if (more <= buffer->capacity - buffer->len) {
        return;
    }
    if (more > SIZE_MAX / 2 - buffer->len) {
        die("out of memory: a text of more than %zu bytes", SIZE_MAX / 2);
    }
    size_t capacity = buffer->capacity < CAPACITY_FIRST ? CAPACITY_FIRST : buffer->capacity * 2;
    if (capacity < buffer->len + more) {
        capacity = buffer->len + more;
    }
    if (arena_extend(buffer->arena, buffer->data, buffer->capacity, capacity)) {
        buffer->capacity = capacity;
        return;
    }
    char *moved = arena_alloc(buffer->arena, capacity);
    if (buffer->len > 0) {
        memcpy(moved, buffer->data, buffer->len);
    }
    buffer->data = moved;
    buffer->capacity = capacity;
}

void strbuf_add(StrBuf *buffer, Str text) {
    if (text.len == 0) {
        return;
    }
    strbuf_reserve(buffer, text.len);
    memcpy(buffer->data + buffer->len, text.data, text.len);
    buffer->len += text.len;
}

void strbuf_add_char(StrBuf *buffer, char c) {
    strbuf_reserve(buffer, 1);
    buffer->data[buffer->len++] = c;
}

void strbuf_add_repeated(StrBuf *buffer, char c, size_t count) {
    if (count == 0) {
        return;
    }
    strbuf_reserve(buffer, count);
    memset(buffer->data + buffer->len, c, count);
    buffer->len += count;
}

void strbuf_add_format_list(StrBuf *buffer, const char *format, va_list arguments) {
    if (format_add(buffer, format, arguments)) {
        return;
    }
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) {
        die("a text cannot be formatted: `%s`", format);
    }
    // One byte more than the text, for the NUL that vsnprintf writes behind it.
    strbuf_reserve(buffer, (size_t)length + 1);
    vsnprintf(buffer->data + buffer->len, (size_t)length + 1, format, again);
    va_end(again);
    buffer->len += (size_t)length;
}

void strbuf_add_format(StrBuf *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    strbuf_add_format_list(buffer, format, arguments);
    va_end(arguments);
}

Str str_format_list(Arena *arena, const char *format, va_list arguments) {
    StrBuf buffer = { .arena = arena };
    strbuf_add_format_list(&buffer, format, arguments);
    return strbuf_end(&buffer);
}

Str str_small(Arena *arena, Str text) {
    char *copy = arena_new_array(arena, char, text.len);
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = char_small(text.data[i]);
    }
    return (Str){ .data = copy, .len = text.len };
}

Str str_replaced(Arena *arena, Str text, Str old, Str with) {
    StrBuf out = { .arena = arena };
    size_t at = 0;
    for (size_t found = str_find(text, old, 0); found < text.len; found = str_find(text, old, at)) {
        strbuf_add(&out, str_slice(text, at, found));
        strbuf_add(&out, with);
        at = found + old.len;
    }
    if (at == 0) {
        return text;
    }
    strbuf_add(&out, str_slice(text, at, text.len));
    return strbuf_str(&out);
}

Str str_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str text = str_format_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

void strbuf_add_utf8(StrBuf *buffer, uint32_t code_point) {
    assert(code_point <= 0x10FFFF && !(code_point >= 0xD800 && code_point <= 0xDFFF));
    if (code_point < 0x80) {
        strbuf_add_char(buffer, (char)code_point);
        return;
    }
    if (code_point < 0x800) {
        strbuf_add_char(buffer, (char)(0xC0 | code_point >> 6));
    } else if (code_point < 0x10000) {
        strbuf_add_char(buffer, (char)(0xE0 | code_point >> 12));
        strbuf_add_char(buffer, (char)(0x80 | (code_point >> 6 & 0x3F)));
    } else {
        strbuf_add_char(buffer, (char)(0xF0 | code_point >> 18));
        strbuf_add_char(buffer, (char)(0x80 | (code_point >> 12 & 0x3F)));
        strbuf_add_char(buffer, (char)(0x80 | (code_point >> 6 & 0x3F)));
    }
    strbuf_add_char(buffer, (char)(0x80 | (code_point & 0x3F)));
}

Str strbuf_end(const StrBuf *buffer) {
    arena_trim(buffer->arena, buffer->data, buffer->capacity, buffer->len);
    return strbuf_str(buffer);
}

Str strbuf_str(const StrBuf *buffer) {
    return (Str){ .data = buffer->data, .len = buffer->len };
}
