// Reads numbers: whole ones, fractions, and quantities, which are numbers with a unit directly behind. `0..4` is a
// number, `..` and a number, because a fraction has a digit behind its dot. What looks like a number and is a text
// (`p5.48xlarge`, `1.30.2`, `10.0.0.0/16`) is told apart here, where it is still in one piece.
#include "compiler/syntax/lexer.h"

#include "compiler/base/suggest.h"

enum { ACCOUNT_ID_DIGITS = 12 };

static const char *const UNITS[] = {
#define UNIT(name, quantity, base_units) #name,
#include "compiler/syntax/units.def"
#undef UNIT
};

// What other tools and people write for a unit.
static const struct {
    const char *written;
    const char *unit;
} ALIASES[] = {
    { "K", "KB" },        { "M", "MB" },      { "G", "GB" },    { "T", "TB" },      { "Ki", "KiB" },
    { "Mi", "MiB" },      { "Gi", "GiB" },    { "Ti", "TiB" },  { "sec", "s" },     { "secs", "s" },
    { "second", "s" },    { "seconds", "s" }, { "m", "min" },   { "mins", "min" },  { "minute", "min" },
    { "minutes", "min" }, { "hr", "h" },      { "hrs", "h" },   { "hour", "h" },    { "hours", "h" },
    { "day", "d" },       { "days", "d" },    { "gi", "GiB" },  { "GI", "GiB" },    { "mi", "MiB" },
    { "MI", "MiB" },      { "ki", "KiB" },    { "msec", "ms" }, { "millis", "ms" },
};

// The units that may have been meant, as far as case and well-known spellings tell; returns how many.
static size_t meant_units(Str word, const char *meant[static COUNT_OF(UNITS)]) {
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(ALIASES); i++) {
        if (str_is(word, ALIASES[i].written)) {
            meant[0] = ALIASES[i].unit;
            return 1;
        }
    }
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        if (str_equal_in_any_case(word, str_of(UNITS[i]))) {
            meant[count++] = UNITS[i];
        }
    }
    return count;
}

static void report_unit(Lexer *lexer, uint32_t start, uint32_t unit, uint32_t end) {
    const Str word = lexer_slice(lexer, unit, end);
    const Span span = lexer_span(lexer, unit, end);
    Diag *diag = report(lexer->session, span, DIAG(unknown_unit), STR_ARG(word));
    const char *meant[COUNT_OF(UNITS)];
    const size_t count = meant_units(word, meant);
    if (count == 1) {
        diag_help(lexer->session, diag, "write `%.*s%s`", STR_ARG(lexer_slice(lexer, start, unit)), meant[0]);
        diag_fix(lexer->session, diag, span, str_of(meant[0]));
        return;
    }
    if (count > 1) {
        diag_help(lexer->session, diag, "did you mean `%s` or `%s`?", meant[0], meant[1]); // bits or bytes
        return;
    }
    Suggestion suggestion = { .name = word };
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        suggest_offer(&suggestion, str_of(UNITS[i]));
    }
    if (suggestion.best.len > 0) {
        diag_help(lexer->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
    StrBuf list = { .arena = lexer->session->arena };
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        strbuf_add_format(&list, "%s`%s`", i == 0 ? "" : i + 1 == COUNT_OF(UNITS) ? " and " : ", ", UNITS[i]);
    }
    diag_note(lexer->session, diag, "the units are %.*s", STR_ARG(strbuf_str(&list)));
}

static uint32_t skip_digits(const Lexer *lexer, uint32_t offset) {
    while (lexer_is_digit(lexer_byte(lexer, offset)) || lexer_byte(lexer, offset) == '_') {
        offset++;
    }
    return offset;
}

static bool is_between_digits(const Lexer *lexer, uint32_t i) {
    return lexer_is_digit(lexer_byte(lexer, (size_t)i - 1)) && lexer_is_digit(lexer_byte(lexer, (size_t)i + 1));
}

static Str without_bad_underscores(const Lexer *lexer, uint32_t start, uint32_t end) {
    StrBuf number = { .arena = lexer->session->arena };
    for (uint32_t i = start; i < end; i++) {
        if (lexer_byte(lexer, i) != '_' || is_between_digits(lexer, i)) {
            strbuf_add_char(&number, lexer_byte(lexer, i));
        }
    }
    return strbuf_str(&number);
}

// `_` stands between two digits. False, and reported, where one does not.
static bool underscores_fit(Lexer *lexer, uint32_t start, uint32_t end) {
    for (uint32_t i = start; i < end; i++) {
        if (lexer_byte(lexer, i) == '_' && !is_between_digits(lexer, i)) {
            const Span span = lexer_span(lexer, start, end);
            Diag *diag = report(lexer->session, span, DIAG(bad_underscore), STR_ARG(lexer_slice(lexer, start, end)));
            diag_fix(lexer->session, diag, span, without_bad_underscores(lexer, start, end));
            return false;
        }
    }
    return true;
}

static void check_zeros(Lexer *lexer, uint32_t start, uint32_t end) {
    if (end - start < 2 || lexer_byte(lexer, start) != '0') {
        return;
    }
    const Str number = lexer_slice(lexer, start, end);
    const Span span = lexer_span(lexer, start, end);
    Diag *diag = report(lexer->session, span, DIAG(leading_zeros), STR_ARG(number));
    diag_help(lexer->session, diag, "leave the zeros out, or write `\"%.*s\"` where it is a text", STR_ARG(number));
    if (number.len == ACCOUNT_ID_DIGITS) {
        diag_fix(lexer->session, diag, span, str_format(lexer->session->arena, "\"%.*s\"", STR_ARG(number)));
    }
}

// In `p5.48xlarge`, a name and a dot stand directly before the number, and letters behind it. Then this is the offset
// of the name. Otherwise it is that of the number.
static uint32_t unquoted_start(const Lexer *lexer, uint32_t start, bool has_letters) {
    const Token *dot = lexer_last(lexer, 1);
    const Token *name = lexer_last(lexer, 2);
    const bool is_instance_type = has_letters && dot != NULL && name != NULL && dot->kind == TOKEN_DOT &&
                                  dot->end == start && name->kind == TOKEN_NAME && name->end == dot->start;
    return is_instance_type ? name->start : start;
}

void lex_number(Lexer *lexer) {
    const uint32_t start = lexer->position;
    const uint32_t whole_end = skip_digits(lexer, start);
    uint32_t digits_end = whole_end;
    const bool has_fraction =
        lexer_byte(lexer, whole_end) == '.' && lexer_is_digit(lexer_byte(lexer, (size_t)whole_end + 1));
    if (has_fraction) {
        digits_end = skip_digits(lexer, whole_end + 1);
    }
    uint32_t end = digits_end;
    while (lexer_is_word(lexer_byte(lexer, end))) {
        end++;
    }
    const bool has_letters = end > digits_end;
    const uint32_t text = unquoted_start(lexer, start, has_letters);
    const bool is_version = has_fraction && !has_letters && lexer_byte(lexer, end) == '.' &&
                            lexer_is_digit(lexer_byte(lexer, (size_t)end + 1));
    const bool is_registry = !has_fraction && end - start == ACCOUNT_ID_DIGITS && lexer_byte(lexer, end) == '.' &&
                             lexer_is_word(lexer_byte(lexer, (size_t)end + 1)); // 123456789012.dkr.ecr.…
    if (text < start || is_version || is_registry) {
        lex_unquoted(lexer, text);
        return;
    }
    const Str unit = lexer_slice(lexer, digits_end, end);
    if (has_letters && !token_is_unit(unit)) {
        report_unit(lexer, start, digits_end, end);
        lexer_push(lexer, TOKEN_ERROR, start, end);
        return;
    }
    if (underscores_fit(lexer, start, digits_end)) {
        check_zeros(lexer, start, whole_end);
    }
    lexer_push(lexer, has_letters ? TOKEN_QUANTITY : has_fraction ? TOKEN_DECIMAL : TOKEN_INT, start, end);
}
