// Works out between which numbers a text of a shell lies, as far as that is certain.
// source: bash(1), ARITHMETIC EVALUATION, and RANDOM; expr(1); tail(1); read 2026-12
#include "compiler/script/shell_amount.h"

enum {
    DEPTH_MAX = 12,
    TEXT_MAX = 400,          // letters of one that is looked at
    DIGITS_MAX = 9,          // of a number, so that no product gets too large
    AMOUNT_MAX = 1000000000, // a larger one is not known
};

typedef struct {
    Str text;
    size_t at;
    int depth;
    ShellAmountOf *amount_of;
    const void *context;
} AmountReader;

static const ShellAmount UNKNOWN = { .is_known = false };

ShellAmount shell_amount_of_number(int64_t number) {
    return (ShellAmount){ .is_known = true, .least = number, .most = number };
}

static ShellAmount within(int64_t least, int64_t most) {
    const bool is = least >= -AMOUNT_MAX && most <= AMOUNT_MAX;
    return is ? (ShellAmount){ .is_known = true, .least = least, .most = most } : UNKNOWN;
}

static void skip_blanks(AmountReader *reader) {
    while (reader->at < reader->text.len && char_is_in(reader->text.data[reader->at], " \t\n\"")) {
        reader->at++;
    }
}

static ShellAmount read_sum(AmountReader *reader);

static ShellAmount read_number(AmountReader *reader) {
    int64_t number = 0;
    const size_t start = reader->at;
    while (char_is_digit(str_at(reader->text, reader->at))) {
        number = reader->at - start < DIGITS_MAX ? number * 10 + (reader->text.data[reader->at] - '0') : number;
        reader->at++;
    }
    // `010` is 8
    const bool is_octal = reader->at - start > 1 && reader->text.data[start] == '0';
    const bool is_plain =
        reader->at - start <= DIGITS_MAX && !is_octal && !char_is_of_name(str_at(reader->text, reader->at));
    return is_plain ? shell_amount_of_number(number) : UNKNOWN;
}

static ShellAmount of_name(const AmountReader *reader, Str name) {
    enum { RANDOM_MOST = 32767 };
    return str_is(name, "RANDOM") ? within(0, RANDOM_MOST) : reader->amount_of(reader->context, name);
}

// `$NAME`, `${NAME}` or NAME.
static ShellAmount read_name(AmountReader *reader) {
    reader->at += str_at(reader->text, reader->at) == '$' ? 1 : 0;
    const bool is_braced = str_at(reader->text, reader->at) == '{';
    reader->at += is_braced ? 1 : 0;
    const size_t start = reader->at;
    while (char_is_of_name(str_at(reader->text, reader->at))) {
        reader->at++;
    }
    const Str name = str_slice(reader->text, start, reader->at);
    const bool is_closed = !is_braced || str_at(reader->text, reader->at) == '}';
    reader->at += is_braced && is_closed ? 1 : 0;
    if (name.len == 0 || !is_closed) {
        reader->at = reader->text.len + 1; // lost
        return UNKNOWN;
    }
    return of_name(reader, name);
}

// The last letters of what `echo` says of a number: `tail -c 4`. Behind an `echo` without `-n` one of them is the end of the line.
static ShellAmount of_tail(Str text) {
    static const char *const STARTS[] = { "echo -n $", "echo $", "printf $" };
    const Str tail = STR("tail -c");
    const size_t pipe = str_find(text, STR("|"), 0);
    const Str behind = str_trim(str_slice(text, pipe + 1, text.len));
    int64_t letters = 0;
    size_t at = tail.len;
    if (pipe >= text.len || !str_starts_with(behind, tail)) {
        return UNKNOWN;
    }
    at += char_is_in(str_at(behind, at), " ") ? 1 : 0;
    at += char_is_in(str_at(behind, at), "-") ? 1 : 0;
    const bool is_one_digit = at + 1 == behind.len && char_is_digit(behind.data[at]);
    letters = is_one_digit ? behind.data[at] - '0' : 0;
    const Str before = str_trim(str_slice(text, 0, pipe));
    const bool is_number = str_has(before, "JOB_ID") || str_has(before, "JOBID");
    letters -= str_starts_with(before, str_of(STARTS[1])) ? 1 : 0;
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        is = is || str_starts_with(before, str_of(STARTS[i]));
    }
    int64_t most = 1;
    for (int64_t i = 0; i < letters; i++) {
        most *= 10;
    }
    return is && is_number && letters > 0 ? within(0, most - 1) : UNKNOWN;
}

// `$((…))`, `$(expr …)` or another command, behind `$(`.
static ShellAmount read_substitution(AmountReader *reader) {
    const bool is_sum = str_at(reader->text, reader->at) == '(';
    size_t end = reader->at;
    for (int depth = 1; end < reader->text.len && depth > 0; end++) {
        depth += (reader->text.data[end] == '(') - (reader->text.data[end] == ')');
    }
    const Str inner = str_trim(str_slice(reader->text, reader->at, end == 0 ? 0 : end - 1));
    const Str expr = STR("expr ");
    const bool is_expr = str_starts_with(inner, expr);
    if (is_sum || is_expr) {
        AmountReader of_inner = *reader;
        of_inner.text = is_expr ? str_slice(inner, expr.len, inner.len) : inner;
        of_inner.at = 0;
        of_inner.depth++;
        const ShellAmount amount = of_inner.depth > DEPTH_MAX ? UNKNOWN : read_sum(&of_inner);
        skip_blanks(&of_inner);
        reader->at = end;
        return of_inner.at == of_inner.text.len ? amount : UNKNOWN;
    }
    reader->at = end;
    return of_tail(inner);
}

static ShellAmount read_atom(AmountReader *reader) {
    skip_blanks(reader);
    const char c = str_at(reader->text, reader->at);
    const char next = str_at(reader->text, reader->at + 1);
    if (c == '(') {
        reader->at++;
        const ShellAmount amount = ++reader->depth > DEPTH_MAX ? UNKNOWN : read_sum(reader);
        reader->depth--;
        skip_blanks(reader);
        const bool is_closed = str_at(reader->text, reader->at) == ')';
        reader->at = is_closed ? reader->at + 1 : reader->text.len + 1;
        return is_closed ? amount : UNKNOWN;
    }
    if (c == '$' && next == '(') {
        reader->at += 2;
        return read_substitution(reader);
    }
    if (char_is_digit(c)) {
        return read_number(reader);
    }
    if (c == '$' || char_is_of_name(c)) {
        return read_name(reader);
    }
    reader->at = reader->text.len + 1;
    return UNKNOWN;
}

static ShellAmount multiplied(ShellAmount a, ShellAmount b, char sign) {
    const bool are = a.is_known && b.is_known && a.least >= 0 && b.least >= 0;
    if (sign == '%') {
        // Whatever is divided.
        const bool is_positive = !a.is_known || a.least >= 0;
        const bool is_one = b.is_known && b.least == b.most && b.most > 0 && is_positive;
        return !is_one                           ? UNKNOWN
               : a.is_known && a.least == a.most ? shell_amount_of_number(a.most % b.most)
               : a.is_known && a.most < b.most   ? a
                                                 : within(0, b.most - 1);
    }
    if (!are || (sign == '/' && b.least == 0) || (sign == '*' && b.most > 0 && a.most > AMOUNT_MAX / b.most)) {
        return UNKNOWN;
    }
    return sign == '*' ? within(a.least * b.least, a.most * b.most) : within(a.least / b.most, a.most / b.least);
}

static ShellAmount read_product(AmountReader *reader) {
    ShellAmount amount = read_atom(reader);
    for (;;) {
        skip_blanks(reader);
        const size_t before = reader->at;
        reader->at += str_at(reader->text, reader->at) == '\\' ? 1 : 0; // `expr 2 \* 3`
        const char sign = str_at(reader->text, reader->at);
        if (sign == '\0' || strchr("*/%", sign) == NULL || str_at(reader->text, reader->at + 1) == '*') {
            reader->at = before;
            return amount;
        }
        reader->at++;
        amount = multiplied(amount, read_atom(reader), sign);
    }
}

static ShellAmount read_sum(AmountReader *reader) {
    ShellAmount amount = read_product(reader);
    for (;;) {
        skip_blanks(reader);
        const char sign = str_at(reader->text, reader->at);
        if (sign != '+' && sign != '-') {
            return amount;
        }
        reader->at++;
        const ShellAmount other = read_product(reader);
        amount = !amount.is_known || !other.is_known ? UNKNOWN
                 : sign == '+'                       ? within(amount.least + other.least, amount.most + other.most)
                                                     : within(amount.least - other.most, amount.most - other.least);
    }
}

ShellAmount shell_amount(Str text, ShellAmountOf *amount_of, const void *context) {
    AmountReader reader = { .text = text, .amount_of = amount_of, .context = context };
    if (text.len == 0 || text.len > TEXT_MAX) {
        return UNKNOWN;
    }
    if (str_at(text, 0) == '`' && text.len > 1 && text.data[text.len - 1] == '`') {
        const Str expr = STR("expr ");
        const Str inner = str_trim(str_slice(text, 1, text.len - 1));
        reader.text = str_starts_with(inner, expr) ? str_slice(inner, expr.len, inner.len) : STR("?");
        const ShellAmount amount = read_sum(&reader);
        skip_blanks(&reader);
        return reader.at == reader.text.len ? amount : UNKNOWN;
    }
    const ShellAmount amount = read_atom(&reader);
    skip_blanks(&reader);
    return reader.at == text.len ? amount : UNKNOWN;
}
