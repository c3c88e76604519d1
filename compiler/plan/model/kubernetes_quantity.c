// A sign, digits with at most one point, then a suffix or an exponent: k8s.io/apimachinery, api/resource/quantity.go,
// 2026-11.
#include "compiler/plan/model/kubernetes_quantity.h"

typedef struct {
    const char *suffix;
    double factor;
} SuffixRow;

static const SuffixRow SUFFIXES[] = {
    { "", 1 },        { "Ki", 0x1p10 }, { "Mi", 0x1p20 }, { "Gi", 0x1p30 }, { "Ti", 0x1p40 }, { "Pi", 0x1p50 },
    { "Ei", 0x1p60 }, { "n", 1e-9 },    { "u", 1e-6 },    { "m", 1e-3 },    { "k", 1e3 },     { "M", 1e6 },
    { "G", 1e9 },     { "T", 1e12 },    { "P", 1e15 },    { "E", 1e18 },
};

static bool is_sign(char c) {
    return c == '-' || c == '+';
}

// "e3", "E-6": digits behind a sign.
static bool read_exponent(Str text, double *factor) {
    enum { EXPONENT_MAX = 30 };
    size_t at = 1;
    const bool is_negative = str_at(text, at) == '-';
    at += is_sign(str_at(text, at)) ? 1 : 0;
    int exponent = 0;
    const size_t first = at;
    for (; char_is_digit(str_at(text, at)) && exponent <= EXPONENT_MAX; at++) {
        exponent = exponent * 10 + (text.data[at] - '0');
    }
    *factor = 1;
    for (int i = 0; i < exponent && i < EXPONENT_MAX; i++) {
        *factor = is_negative ? *factor / 10 : *factor * 10;
    }
    return at == text.len && at > first && (str_at(text, 0) == 'e' || str_at(text, 0) == 'E');
}

static bool read_factor(Str suffix, double *factor) {
    for (size_t i = 0; i < COUNT_OF(SUFFIXES); i++) {
        if (str_is(suffix, SUFFIXES[i].suffix)) {
            *factor = SUFFIXES[i].factor;
            return true;
        }
    }
    return read_exponent(suffix, factor);
}

bool quantity_read(const Value *value, double *amount) {
    if (value->kind == VALUE_INT) {
        *amount = (double)value->integer;
        return true;
    }
    if (value->kind != VALUE_STRING) {
        return false;
    }
    const Str text = value->string;
    const bool is_negative = str_at(text, 0) == '-';
    size_t at = is_sign(str_at(text, 0)) ? 1 : 0;
    double number = 0;
    double place = 0; // of the next digit behind the point; 0 before it
    bool has_digits = false;
    for (; char_is_digit(str_at(text, at)) || (str_at(text, at) == '.' && place <= 0); at++) {
        if (text.data[at] == '.') {
            place = 0.1;
            continue;
        }
        has_digits = true;
        const double digit = (double)(text.data[at] - '0');
        number = place > 0 ? number + digit * place : number * 10 + digit;
        place /= 10;
    }
    double factor = 1;
    if (!has_digits || !read_factor(str_slice(text, at, text.len), &factor)) {
        return false;
    }
    *amount = (is_negative ? -number : number) * factor;
    return true;
}

int64_t quantity_whole(const Value *value, int64_t otherwise) {
    double amount;
    if (value == NULL) {
        return otherwise;
    }
    return quantity_read(value, &amount) && amount >= 0 && amount < 1e6 ? (int64_t)amount : -1;
}
