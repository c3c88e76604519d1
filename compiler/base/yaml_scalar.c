// The core schema of YAML 1.2, chapter 10.3, written out. Of YAML 1.1 nothing is left: `no`, `on`, `1_000` and `12:30`
// are strings.
#include "compiler/base/yaml_scalar.h"

typedef struct {
    Str text;
    DataKind kind;
    bool boolean;
} Word;

static const Word WORDS[] = {
    { STR(""), DATA_NULL, false },      { STR("~"), DATA_NULL, false },     { STR("null"), DATA_NULL, false },
    { STR("Null"), DATA_NULL, false },  { STR("NULL"), DATA_NULL, false },  { STR("true"), DATA_BOOL, true },
    { STR("True"), DATA_BOOL, true },   { STR("TRUE"), DATA_BOOL, true },   { STR("false"), DATA_BOOL, false },
    { STR("False"), DATA_BOOL, false }, { STR("FALSE"), DATA_BOOL, false }, { STR(".nan"), DATA_REAL, false },
    { STR(".NaN"), DATA_REAL, false },  { STR(".NAN"), DATA_REAL, false },  { STR(".inf"), DATA_REAL, false },
    { STR(".Inf"), DATA_REAL, false },  { STR(".INF"), DATA_REAL, false },  { STR("-.inf"), DATA_REAL, false },
    { STR("-.Inf"), DATA_REAL, false }, { STR("-.INF"), DATA_REAL, false }, { STR("+.inf"), DATA_REAL, false },
    { STR("+.Inf"), DATA_REAL, false }, { STR("+.INF"), DATA_REAL, false },
};

enum { WORD_BYTES_MAX = 5 }; // of the longest

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 16;
}

typedef enum { NOT_AN_INTEGER, INTEGER, TOO_LARGE } IntegerResult;

static IntegerResult read_digits(Str digits, int base, bool is_negative, int64_t *value) {
    if (digits.len == 0) {
        return NOT_AN_INTEGER;
    }
    IntegerResult result = INTEGER;
    *value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        const int digit = digit_value(digits.data[i]);
        if (digit >= base) {
            return NOT_AN_INTEGER;
        }
        // Negative numbers are built downwards, since there is one more of them.
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, is_negative ? -digit : digit, value)) {
            result = TOO_LARGE;
            *value = 0;
        }
    }
    return result;
}

static IntegerResult read_integer(Str text, int64_t *value) {
    if (str_starts_with(text, STR("0x"))) {
        return read_digits(str_slice(text, 2, text.len), 16, false, value);
    }
    if (str_starts_with(text, STR("0o"))) {
        return read_digits(str_slice(text, 2, text.len), 8, false, value);
    }
    const bool is_negative = text.data[0] == '-';
    const bool is_signed = is_negative || text.data[0] == '+';
    return read_digits(str_slice(text, is_signed ? 1 : 0, text.len), 10, is_negative, value);
}

static size_t skip_digits(Str text, size_t i) {
    while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
        i++;
    }
    return i;
}

static size_t skip_any(Str text, size_t i, char a, char b) {
    return i < text.len && (text.data[i] == a || text.data[i] == b) ? i + 1 : i;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
static bool is_real(Str text) {
    const size_t whole = skip_any(text, 0, '-', '+');
    const size_t point = skip_digits(text, whole);
    const size_t fraction = skip_any(text, point, '.', '.');
    const size_t exponent = skip_digits(text, fraction);
    if (point == whole && exponent == fraction) {
        return false; // no digit at all
    }
    const size_t sign = skip_any(text, exponent, 'e', 'E');
    if (sign == exponent) {
        return exponent == text.len;
    }
    const size_t power = skip_any(text, sign, '-', '+');
    const size_t end = skip_digits(text, power);
    return end > power && end == text.len;
}

Data *yaml_scalar(Arena *arena, Str text) {
    Data *value = data_string(arena, text);
    for (size_t i = 0; text.len <= WORD_BYTES_MAX && i < COUNT_OF(WORDS); i++) {
        if (str_equal(text, WORDS[i].text)) {
            value->kind = WORDS[i].kind;
            value->boolean = WORDS[i].boolean;
            return value;
        }
    }
    switch (read_integer(text, &value->integer)) {
    case INTEGER:
        value->kind = DATA_INT;
        return value;
    case TOO_LARGE:
        value->kind = DATA_REAL;
        value->integer = 0;
        return value;
    case NOT_AN_INTEGER:
        value->integer = 0;
        break;
    }
    if (is_real(text)) {
        value->kind = DATA_REAL;
    }
    return value;
}
