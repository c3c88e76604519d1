// Quantities: digits with a unit to an exact integer of the base unit (bytes, bits a second, milliseconds), and back.
// The units are rows of units.def; nothing is ever rounded.
#include "compiler/semantics/evaluator.h"

typedef struct {
    ValueKind kind;
    const char *name;
    int64_t factor; // base units in one
} UnitRow;

static const UnitRow UNITS[] = {
#define UNIT(unit, quantity, base_units) { .kind = VALUE_##quantity, .name = #unit, .factor = base_units },
#include "compiler/syntax/units.def"
#undef UNIT
};

static const UnitRow *unit_find(Str name) {
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        if (str_is(name, UNITS[i].name)) {
            return &UNITS[i];
        }
    }
    return NULL;
}

static size_t digits_end(Str text, size_t start) {
    while (start < text.len && text.data[start] >= '0' && text.data[start] <= '9') {
        start++;
    }
    return start;
}

// Digits, without zeros before them, and an end that is not the beginning.
static bool is_integer(Str text) {
    return text.len > 0 && digits_end(text, 0) == text.len && (text.len == 1 || text.data[0] != '0');
}

bool literal_is_in_text(Str text, const Type *type) {
    static const TypeKind QUANTITIES[] = {
        [VALUE_SIZE] = TYPE_SIZE, [VALUE_RATE] = TYPE_RATE, [VALUE_DURATION] = TYPE_DURATION
    };
    const size_t dots = str_find(text, STR(".."), 0);
    const size_t digits = digits_end(text, 0);
    const UnitRow *unit = unit_find(str_slice(text, digits, text.len));
    const bool is_bool = str_is(text, "true") || str_is(text, "false");
    const bool is_range =
        dots < text.len && is_integer(str_slice(text, 0, dots)) && is_integer(str_slice(text, dots + 2, text.len));
    return (is_bool && type_find_kind(type, TYPE_BOOL) != NULL) ||
           (is_integer(text) && (type_find_kind(type, TYPE_INT) != NULL || type_find_kind(type, TYPE_RANGE) != NULL)) ||
           (is_range && type_find_kind(type, TYPE_RANGE) != NULL) ||
           (unit != NULL && is_integer(str_slice(text, 0, digits)) &&
            type_find_kind(type, QUANTITIES[unit->kind]) != NULL);
}

// Digits without blanks and dot as an integer, and how many stand behind the dot. False on overflow.
static bool read_digits(Str digits, int64_t *integer, int *decimals) {
    bool is_behind_dot = false;
    *integer = 0;
    *decimals = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.data[i];
        if (c == '.') {
            is_behind_dot = true;
        } else if (c != '_') {
            if (__builtin_mul_overflow(*integer, 10, integer) || __builtin_add_overflow(*integer, c - '0', integer)) {
                return false;
            }
            *decimals += is_behind_dot ? 1 : 0;
        }
    }
    return true;
}

// 1.30 where a text is wanted: a version, most likely, whose zero must not be lost.
static const Value *without_unit(Evaluator *evaluator, const Expr *expr, const Type *expected) {
    Str digits = expr->quantity.digits;
    const Type *pattern = type_find_kind(expected, TYPE_PATTERN);
    if (pattern != NULL || type_find_kind(expected, TYPE_STRING) != NULL) {
        report_number(evaluator, expr->span, digits, pattern);
    } else {
        Diag *diag = report(evaluator->session, expr->span, DIAG(fraction_without_unit), STR_ARG(digits));
        diag_help(evaluator->session, diag, "write it with its unit, as in `1.5TiB`");
    }
    return make_error(evaluator, expr->span);
}

const Value *quantity_value(Evaluator *evaluator, const Expr *expr, const Type *expected) {
    Str digits = expr->quantity.digits;
    const UnitRow *unit = unit_find(expr->quantity.unit);
    if (unit == NULL) {
        return without_unit(evaluator, expr, expected);
    }
    int64_t integer = 0;
    int decimals = 0;
    if (!read_digits(digits, &integer, &decimals) || __builtin_mul_overflow(integer, unit->factor, &integer)) {
        report(evaluator->session, expr->span, DIAG(quantity_overflow), STR_ARG(digits), unit->name);
        return make_error(evaluator, expr->span);
    }
    for (; decimals > 0; decimals--) {
        if (integer % 10 != 0) {
            report(evaluator->session, expr->span, DIAG(quantity_uneven), STR_ARG(digits), unit->name);
            return make_error(evaluator, expr->span);
        }
        integer /= 10;
    }
    Value *value = make_value(evaluator, unit->kind, expr->span, origin_span(evaluator->arena, expr->span));
    value->integer = integer;
    return value;
}

// The largest unit that comes out even; of two alike (KiB, KB) the one with the larger factor.
Str quantity_print(Arena *arena, ValueKind kind, int64_t integer) {
    const UnitRow *best = NULL;
    if (integer == 0) {
        return kind == VALUE_SIZE ? STR("0KiB") : kind == VALUE_RATE ? STR("0Mbps") : STR("0s");
    }
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        const UnitRow *unit = &UNITS[i];
        if (unit->kind == kind && integer % unit->factor == 0 && (best == NULL || unit->factor > best->factor)) {
            best = unit;
        }
    }
    if (best == NULL) {
        // No unit is as small as a byte or a bit a second: arithmetic alone comes here.
        return str_format(arena, "%" PRId64 " %s", integer, kind == VALUE_SIZE ? "bytes" : "bit/s");
    }
    return str_format(arena, "%" PRId64 "%s", integer / best->factor, best->name);
}

Str quantity_units(Arena *arena, ValueKind kind) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        if (UNITS[i].kind == kind) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", UNITS[i].name);
        }
    }
    return strbuf_str(&text);
}
