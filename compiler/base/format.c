// printf() for texts and decimal numbers, which nearly all formats consist of. printf() of libc sets up a stream for
// each call. It must be called twice, because the length has to be known first. That took a tenth of a build.
#include "compiler/base/format.h"

#include <string.h>

typedef enum {
    CONVERSION_TEXT,
    CONVERSION_SLICE,
    CONVERSION_INT,
    CONVERSION_UNSIGNED,
    CONVERSION_INT64,
    CONVERSION_SIZE,
    CONVERSION_CHAR,
    CONVERSION_PERCENT,
} Conversion;

static const Str CONVERSIONS[] = {
    [CONVERSION_TEXT] = { .data = "%s", .len = 2 },
    [CONVERSION_SLICE] = { .data = "%.*s", .len = 4 },
    [CONVERSION_INT] = { .data = "%d", .len = 2 },
    [CONVERSION_UNSIGNED] = { .data = "%" PRIu32, .len = sizeof("%" PRIu32) - 1 },
    [CONVERSION_INT64] = { .data = "%" PRId64, .len = sizeof("%" PRId64) - 1 },
    [CONVERSION_SIZE] = { .data = "%zu", .len = 3 },
    [CONVERSION_CHAR] = { .data = "%c", .len = 2 },
    [CONVERSION_PERCENT] = { .data = "%%", .len = 2 },
};

static Str digits_of(uint64_t value, bool is_negative, Digits *digits) {
    char *const end = digits->bytes + sizeof(digits->bytes);
    char *start = end;
    do {
        *--start = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    if (is_negative) {
        *--start = '-';
    }
    return (Str){ .data = start, .len = (size_t)(end - start) };
}

Str format_digits(int64_t value, Digits *digits) {
    return digits_of(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, digits);
}

// COUNT_OF(CONVERSIONS) where `text`, which begins with a `%`, begins with none of them.
static size_t conversion_at(const char *text) {
    size_t i = 0;
    while (i < COUNT_OF(CONVERSIONS) && strncmp(text, CONVERSIONS[i].data, CONVERSIONS[i].len) != 0) {
        i++;
    }
    return i;
}

static void add_argument(StrBuf *buffer, Conversion conversion, va_list *arguments) {
    Digits digits;
    const char *text;
    int most;
    switch (conversion) {
    case CONVERSION_TEXT:
        strbuf_add(buffer, str_of(va_arg(*arguments, const char *)));
        break;
    case CONVERSION_SLICE:
        most = va_arg(*arguments, int);
        text = va_arg(*arguments, const char *);
        assert(most >= 0);
        strbuf_add(buffer, (Str){ .data = text, .len = most == 0 ? 0 : strnlen(text, (size_t)most) });
        break;
    case CONVERSION_INT:
        strbuf_add(buffer, format_digits(va_arg(*arguments, int), &digits));
        break;
    case CONVERSION_UNSIGNED:
        strbuf_add(buffer, digits_of(va_arg(*arguments, uint32_t), false, &digits));
        break;
    case CONVERSION_INT64:
        strbuf_add(buffer, format_digits(va_arg(*arguments, int64_t), &digits));
        break;
    case CONVERSION_SIZE:
        strbuf_add(buffer, digits_of(va_arg(*arguments, size_t), false, &digits));
        break;
    case CONVERSION_CHAR:
        strbuf_add_char(buffer, (char)va_arg(*arguments, int));
        break;
    case CONVERSION_PERCENT:
        strbuf_add_char(buffer, '%');
        break;
    }
}

bool format_add(StrBuf *buffer, const char *format, va_list arguments) {
    const size_t len = buffer->len;
    va_list rest; // whose address can be taken
    va_copy(rest, arguments);
    bool is_known = true;
    while (*format != '\0' && is_known) {
        const size_t plain = strcspn(format, "%");
        strbuf_add(buffer, (Str){ .data = format, .len = plain });
        format += plain;
        const size_t conversion = *format == '\0' ? COUNT_OF(CONVERSIONS) : conversion_at(format);
        is_known = *format == '\0' || conversion < COUNT_OF(CONVERSIONS);
        if (conversion < COUNT_OF(CONVERSIONS)) {
            add_argument(buffer, (Conversion)conversion, &rest);
            format += CONVERSIONS[conversion].len;
        }
    }
    va_end(rest);
    buffer->len = is_known ? buffer->len : len;
    return is_known;
}
