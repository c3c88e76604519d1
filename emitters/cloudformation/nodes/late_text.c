// Finds the marks of late values in a text, and puts references in their place.
#include "emitters/cloudformation/nodes/late_text.h"

// What no text of an author holds, before and behind the number of a late value.
static const char MARK = '\x01';

static void add_mark(LateText *late, StrBuf *text, LatePart part) {
    strbuf_add_format(text, "%c%" PRIu32 "%c", MARK, late->parts.count, MARK);
    vec_push(late->stack->arena, &late->parts, part);
}

void late_text_add_value(LateText *late, StrBuf *text, const Value *value) {
    if (value->kind == VALUE_STRING) {
        strbuf_add(text, value->string);
    } else {
        add_mark(late, text, (LatePart){ .value = value });
    }
}

void late_text_add_reference(LateText *late, StrBuf *text, Str reference) {
    add_mark(late, text, (LatePart){ .reference = reference });
}

DocNode *late_text_block(LateText *late, Str message, const Origin *origin) {
    if (late->parts.count == 0) { // a `${x}` is the shell's, as it stands
        return doc_block(late->stack->doc, message, origin);
    }
    SubText text = { .stack = late->stack };
    const char mark[] = { MARK, 0 };
    size_t start = 0;
    for (size_t found = str_find(message, str_of(mark), 0); found < message.len;
         found = str_find(message, str_of(mark), start)) {
        sub_add(&text, str_slice(message, start, found), origin);
        uint32_t number = 0;
        size_t end = found + 1;
        for (; message.data[end] != MARK; end++) {
            number = number * 10 + (uint32_t)(message.data[end] - '0');
        }
        const LatePart *part = &late->parts.items[number];
        if (part->value != NULL) {
            sub_add_value(&text, part->value);
        } else {
            sub_add_reference(&text, part->reference, origin);
        }
        start = end + 1;
    }
    sub_add(&text, str_slice(message, start, message.len), origin);
    return sub_block(&text);
}
