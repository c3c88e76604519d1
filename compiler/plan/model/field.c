// Questions about a field.
#include "compiler/plan/model/field.h"

Span field_place(const PlanField *field) {
    return span_is_none(field->span) ? field->key : field->span;
}

int64_t field_number(const PlanField *field, int64_t absent) {
    enum { DIGITS_MAX = 12 };
    if (field->state == FIELD_ABSENT) {
        return absent;
    }
    int64_t number = 0;
    for (size_t i = 0; i < field->text.len; i++) {
        char c = field->text.data[i];
        if (c < '0' || c > '9' || i >= DIGITS_MAX) {
            return -1;
        }
        number = number * 10 + (c - '0');
    }
    return field->text.len > 0 ? number : -1;
}

bool field_integer(const PlanField *field, int64_t *integer) {
    const bool is_below = field->text.len > 0 && field->text.data[0] == '-';
    const PlanField amount = { .state = field->state, .text = str_slice(field->text, is_below, field->text.len) };
    const int64_t number = field_number(&amount, -1);
    *integer = is_below ? -number : number;
    return number >= 0;
}

Str field_unit(const PlanField *field) {
    size_t from = field->text.len;
    while (from > 0 && char_small(field->text.data[from - 1]) >= 'a' && char_small(field->text.data[from - 1]) <= 'z') {
        from--;
    }
    return str_slice(field->text, from, field->text.len);
}

bool field_amount(const PlanField *field, int64_t *amount) {
    PlanField number = *field;
    number.text.len -= field_unit(field).len;
    return field_integer(&number, amount);
}

bool field_is(const PlanField *field, const char *text) {
    return field->state == FIELD_KNOWN && str_is(field->text, text);
}

PlanAnswer field_answer(const PlanField *field) {
    return field->state == FIELD_LATE ? ANSWER_MAYBE : field_is(field, "true") ? ANSWER_YES : ANSWER_NO;
}

bool field_has(const PlanField *field, const char *text) {
    return field->state == FIELD_KNOWN && str_find(field->text, str_of(text), 0) < field->text.len;
}

bool field_is_there(const PlanField *field) {
    return field->state != FIELD_ABSENT && !field->may_be_null;
}

PlanField field_known(const char *name, Span span, Str text) {
    return (PlanField){ .state = FIELD_KNOWN, .name = name, .span = span, .text = text };
}
