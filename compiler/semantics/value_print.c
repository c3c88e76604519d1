// Values as the language writes them, for messages and `explain`.
#include "compiler/semantics/program.h"

enum { PRINTED_ITEMS_MAX = 8 }; // of a list or map: messages stay one line

static void print(StrBuf *out, const Value *value);

static void print_quoted(StrBuf *out, Str text) {
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '\n') {
            strbuf_add(out, STR("\\n"));
        } else if (c == '\t') {
            strbuf_add(out, STR("\\t"));
        } else if (c == '"' || c == '\\' || (c == '$' && i + 1 < text.len && text.data[i + 1] == '{')) {
            strbuf_add_char(out, '\\');
            strbuf_add_char(out, c);
        } else if ((unsigned char)c < 0x20 || c == 0x7f) {
            strbuf_add_format(out, "\\u{%x}", (unsigned)c);
        } else {
            strbuf_add_char(out, c);
        }
    }
    strbuf_add_char(out, '"');
}

static void print_items(StrBuf *out, const Value *const *items, uint32_t count) {
    for (uint32_t i = 0; i < count && i < PRINTED_ITEMS_MAX; i++) {
        strbuf_add(out, i == 0 ? STR("") : STR(", "));
        print(out, items[i]);
    }
    if (count > PRINTED_ITEMS_MAX) {
        strbuf_add(out, STR(", …"));
    }
}

static void print_map(StrBuf *out, const Value *value) {
    strbuf_add(out, STR("{ "));
    for (uint32_t i = 0; i < value->map.count && i < PRINTED_ITEMS_MAX; i++) {
        strbuf_add(out, i == 0 ? STR("") : STR(", "));
        strbuf_add_format(out, "%.*s = ", STR_ARG(value->map.entries[i].key));
        print(out, value->map.entries[i].value);
    }
    strbuf_add(out, value->map.count > PRINTED_ITEMS_MAX ? STR(", … }") : STR(" }"));
}

static void print_late(StrBuf *out, const Late *late) {
    switch (late->kind) {
    case LATE_PARAM:
        strbuf_add(out, late->param->name);
        return;
    case LATE_PSEUDO:
        strbuf_add_format(out, "aws.%.*s", STR_ARG(late->name));
        return;
    case LATE_OUTPUT:
    case LATE_WRITTEN_OUTPUT:
        strbuf_add_format(out, "%.*s.%.*s", STR_ARG(late->block->name), STR_ARG(late->name));
        return;
    case LATE_REF:
        strbuf_add(out, late->resource->name);
        return;
    case LATE_ATTRIBUTE:
        strbuf_add_format(out, "%.*s.%.*s", STR_ARG(late->resource->name), STR_ARG(late->name));
        return;
    case LATE_TEXT:
    case LATE_IF:
    case LATE_DEFAULT:
    case LATE_ITEM:
        strbuf_add(out, STR("a late value"));
        return;
    }
}

static void print(StrBuf *out, const Value *value) {
    switch (value->kind) {
    case VALUE_NULL:
        strbuf_add(out, STR("null"));
        return;
    case VALUE_BOOL:
        strbuf_add(out, value->boolean ? STR("true") : STR("false"));
        return;
    case VALUE_INT:
        strbuf_add_format(out, "%" PRId64, value->integer);
        return;
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
        strbuf_add(out, quantity_print(out->arena, value->kind, value->integer));
        return;
    case VALUE_STRING:
        print_quoted(out, value->string);
        return;
    case VALUE_WORD:
        strbuf_add(out, value->string);
        return;
    case VALUE_RANGE:
        print(out, value->range.low);
        strbuf_add(out, STR(".."));
        print(out, value->range.high);
        return;
    case VALUE_LIST:
        strbuf_add_char(out, '[');
        print_items(out, value->list.items, value->list.count);
        strbuf_add_char(out, ']');
        return;
    case VALUE_MAP:
        print_map(out, value);
        return;
    case VALUE_TAG:
        strbuf_add_format(out, "%.*s(", STR_ARG(value->tag.name));
        print_items(out, value->tag.arguments, value->tag.count);
        strbuf_add_char(out, ')');
        return;
    case VALUE_BLOCK:
        strbuf_add(out, value->block->name);
        return;
    case VALUE_RESOURCE:
        strbuf_add(out, value->resource->name);
        return;
    case VALUE_LATE:
        print_late(out, value->late);
        return;
    case VALUE_ERROR:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        strbuf_add(out, str_of(value_describe(value)));
        return;
    }
}

Str value_print(Arena *arena, const Value *value) {
    StrBuf out = { .arena = arena };
    print(&out, value);
    return strbuf_str(&out);
}
