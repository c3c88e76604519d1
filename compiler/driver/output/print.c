// Lays out text for people: paragraphs of at most PRINT_WIDTH columns, and tables. A column is a code point: nothing
// that dtc prints here is wide or combining.
#include "compiler/driver/output/print.h"

#include <stdarg.h>

size_t print_columns(Str text) {
    size_t columns = 0;
    for (size_t i = 0; i < text.len; i++) {
        columns += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    }
    return columns;
}

typedef struct {
    StrBuf *out;
    size_t indent;
    size_t column; // where the next character goes; 0: the line is empty and not yet indented
} Writer;

static void end_line(Writer *writer) {
    strbuf_add_char(writer->out, '\n');
    writer->column = 0;
}

static void add_word(Writer *writer, Str word) {
    size_t width = print_columns(word);
    if (writer->column > writer->indent && writer->column + 1 + width > PRINT_WIDTH) {
        end_line(writer);
    }
    if (writer->column < writer->indent) {
        strbuf_add_repeated(writer->out, ' ', writer->indent - writer->column);
        writer->column = writer->indent;
    } else if (writer->column > writer->indent) {
        strbuf_add_char(writer->out, ' ');
        writer->column++;
    }
    strbuf_add(writer->out, word);
    writer->column += width;
}

// A line as it stands, below the paragraph before it.
static void add_verbatim(Writer *writer, Str line) {
    if (writer->column > 0) {
        end_line(writer);
    }
    strbuf_add_repeated(writer->out, ' ', writer->indent);
    strbuf_add(writer->out, line);
    end_line(writer);
}

static void add_words(Writer *writer, Str line) {
    size_t start = 0;
    while (start < line.len) {
        size_t end = str_find(line, STR(" "), start);
        if (end > start) {
            add_word(writer, str_slice(line, start, end));
        }
        start = end + 1;
    }
}

static void add_paragraphs(Writer *writer, Str text) {
    size_t start = 0;
    while (start < text.len) {
        size_t end = str_find(text, STR("\n"), start);
        Str line = str_slice(text, start, end);
        start = end + 1;
        if (line.len == 0) {
            if (writer->column > 0) {
                end_line(writer);
            }
            end_line(writer);
        } else if (line.data[0] == ' ') {
            add_verbatim(writer, line);
        } else {
            add_words(writer, line);
        }
    }
    if (writer->column > 0) {
        end_line(writer);
    }
}

void print_wrapped(StrBuf *out, Str text, size_t indent) {
    Writer writer = { .out = out, .indent = indent };
    add_paragraphs(&writer, str_trim(text));
}

void print_labelled(StrBuf *out, Str label, size_t indent, Str text) {
    strbuf_add(out, label);
    if (text.len == 0) {
        strbuf_add_char(out, '\n');
        return;
    }
    Writer writer = { .out = out, .indent = indent, .column = print_columns(label) };
    add_paragraphs(&writer, text);
}

void table_add(Table *table, Str cell) {
    assert(table->columns > 0 && table->columns <= PRINT_COLUMNS_MAX);
    vec_push(table->arena, &table->cells, cell);
}

void table_add_format(Table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);

    size_t size = (size_t)length + 1;
    char *text = arena_alloc(table->arena, size);
    va_start(arguments, format);
    (void)vsnprintf(text, size, format, arguments);
    va_end(arguments);
    table_add(table, (Str){ .data = text, .len = size - 1 });
}

static void print_row(const Table *table, StrBuf *out, const Str *cells, const size_t *widths) {
    size_t pending = 0; // blanks that are written only where something follows
    for (int i = 0; i < table->columns; i++) {
        size_t padding = widths[i] - print_columns(cells[i]);
        bool is_right = (table->right >> i & 1) != 0;
        pending += is_right ? padding : 0;
        if (cells[i].len > 0) {
            strbuf_add_repeated(out, ' ', pending);
            pending = 0;
            strbuf_add(out, cells[i]);
        }
        pending += (is_right ? 0 : padding) + 2;
    }
    strbuf_add_char(out, '\n');
}

void table_print(const Table *table, StrBuf *out, size_t indent) {
    uint32_t columns = (uint32_t)table->columns;
    assert(columns > 0 && table->cells.count % columns == 0);
    size_t widths[PRINT_COLUMNS_MAX] = { 0 };
    for (uint32_t i = 0; i < table->cells.count; i++) {
        size_t width = print_columns(table->cells.items[i]);
        if (width > widths[i % columns]) {
            widths[i % columns] = width;
        }
    }
    for (uint32_t i = 0; i < table->cells.count; i += columns) {
        strbuf_add_repeated(out, ' ', indent);
        print_row(table, out, table->cells.items + i, widths);
    }
}
