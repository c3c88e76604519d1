// Walks through a text cell by cell. wcwidth() would depend on the locale, and messages must be the same bytes
// everywhere. So the widths stand here, as coarse ranges. A missing character moves a caret by one column at most.
#include "compiler/driver/render/display.h"

#include "compiler/base/terminal.h"

typedef struct {
    uint32_t first;
    uint32_t last;
} Range;

// Two columns: East Asian wide and full width, and emoji (Unicode 15, EastAsianWidth.txt).
static const Range WIDE[] = {
    { 0x1100, 0x115F },   { 0x231A, 0x231B },   { 0x2329, 0x232A },   { 0x23E9, 0x23EC },   { 0x23F0, 0x23F0 },
    { 0x23F3, 0x23F3 },   { 0x25FD, 0x25FE },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },   { 0x267F, 0x267F },
    { 0x2693, 0x2693 },   { 0x26A1, 0x26A1 },   { 0x26AA, 0x26AB },   { 0x26BD, 0x26BE },   { 0x26C4, 0x26C5 },
    { 0x26CE, 0x26CE },   { 0x26D4, 0x26D4 },   { 0x26EA, 0x26EA },   { 0x26F2, 0x26F3 },   { 0x26F5, 0x26F5 },
    { 0x26FA, 0x26FA },   { 0x26FD, 0x26FD },   { 0x2705, 0x2705 },   { 0x270A, 0x270B },   { 0x2728, 0x2728 },
    { 0x274C, 0x274C },   { 0x274E, 0x274E },   { 0x2753, 0x2755 },   { 0x2757, 0x2757 },   { 0x2795, 0x2797 },
    { 0x27B0, 0x27B0 },   { 0x27BF, 0x27BF },   { 0x2B1B, 0x2B1C },   { 0x2B50, 0x2B50 },   { 0x2B55, 0x2B55 },
    { 0x2E80, 0x303E },   { 0x3041, 0x33FF },   { 0x3400, 0x4DBF },   { 0x4E00, 0xA4CF },   { 0xA960, 0xA97F },
    { 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE10, 0xFE19 },   { 0xFE30, 0xFE6F },   { 0xFF01, 0xFF60 },
    { 0xFFE0, 0xFFE6 },   { 0x16FE0, 0x18D08 }, { 0x1AFF0, 0x1B2FB }, { 0x1F004, 0x1F004 }, { 0x1F0CF, 0x1F0CF },
    { 0x1F18E, 0x1F18E }, { 0x1F191, 0x1F19A }, { 0x1F200, 0x1F320 }, { 0x1F32D, 0x1F335 }, { 0x1F337, 0x1F37C },
    { 0x1F37E, 0x1F393 }, { 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 }, { 0x1F3F4, 0x1F3F4 },
    { 0x1F3F8, 0x1F43E }, { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC }, { 0x1F4FF, 0x1F53D }, { 0x1F54B, 0x1F54E },
    { 0x1F550, 0x1F567 }, { 0x1F57A, 0x1F57A }, { 0x1F595, 0x1F596 }, { 0x1F5A4, 0x1F5A4 }, { 0x1F5FB, 0x1F64F },
    { 0x1F680, 0x1F6C5 }, { 0x1F6CC, 0x1F6CC }, { 0x1F6D0, 0x1F6D2 }, { 0x1F6D5, 0x1F6DF }, { 0x1F6EB, 0x1F6EC },
    { 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7F0 }, { 0x1F90C, 0x1F93A }, { 0x1F93C, 0x1F945 }, { 0x1F947, 0x1F9FF },
    { 0x1FA70, 0x1FAFF }, { 0x20000, 0x3FFFD },
};

// No column: marks that are set over the character before them, and joiners.
static const Range ZERO[] = {
    { 0x00AD, 0x00AD }, { 0x0300, 0x036F }, { 0x0483, 0x0489 }, { 0x0591, 0x05BD },   { 0x0610, 0x061A },
    { 0x064B, 0x065F }, { 0x0670, 0x0670 }, { 0x06D6, 0x06DC }, { 0x093C, 0x093C },   { 0x0941, 0x0948 },
    { 0x094D, 0x094D }, { 0x0E31, 0x0E31 }, { 0x0E34, 0x0E3A }, { 0x0E47, 0x0E4E },   { 0x1AB0, 0x1AFF },
    { 0x1DC0, 0x1DFF }, { 0x200B, 0x200D }, { 0x2060, 0x2064 }, { 0x20D0, 0x20FF },   { 0x302A, 0x302D },
    { 0x3099, 0x309A }, { 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F }, { 0xE0100, 0xE01EF },
};

static bool is_in(const Range *ranges, size_t count, uint32_t code_point) {
    for (size_t i = 0; i < count && ranges[i].first <= code_point; i++) {
        if (code_point <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

typedef struct {
    uint32_t code_point; // as it is shown
    size_t bytes;        // that it takes in the text
    size_t columns;      // 0, 1 or 2
} Cell;

static Cell cell_at(Str text, size_t offset) {
    enum { REPLACEMENT = 0xFFFD };
    // Nearly all there is, and some lines are megabytes long.
    if (text.data[offset] >= ' ' && text.data[offset] <= '~') {
        return (Cell){ .code_point = (uint32_t)text.data[offset], .bytes = 1, .columns = 1 };
    }
    uint32_t code_point;
    const size_t bytes = str_utf8_next(text, offset, &code_point);
    if (bytes == 0) {
        return (Cell){ .code_point = REPLACEMENT, .bytes = 1, .columns = 1 };
    }
    if (code_point == '\t') {
        return (Cell){ .code_point = ' ', .bytes = bytes, .columns = 1 };
    }
    if (terminal_is_unsafe(code_point)) {
        return (Cell){ .code_point = REPLACEMENT, .bytes = bytes, .columns = 1 };
    }
    size_t columns = 1;
    if (code_point >= 0x80) {
        columns = is_in(ZERO, COUNT_OF(ZERO), code_point) ? 0 : is_in(WIDE, COUNT_OF(WIDE), code_point) ? 2 : 1;
    }
    return (Cell){ .code_point = code_point, .bytes = bytes, .columns = columns };
}

size_t display_columns(Str text) {
    size_t columns = 0;
    for (size_t offset = 0; offset < text.len;) {
        const Cell cell = cell_at(text, offset);
        columns += cell.columns;
        offset += cell.bytes;
    }
    return columns;
}

void display_add(StrBuf *buffer, Str text, size_t from, size_t to) {
    size_t column = 0;
    for (size_t offset = 0; offset < text.len && column < to;) {
        const Cell cell = cell_at(text, offset);
        const size_t end = column + cell.columns;
        if (column >= from && end <= to) {
            strbuf_add_utf8(buffer, cell.code_point);
        } else if (end > from) {
            strbuf_add_char(buffer, ' ');
        }
        column = end;
        offset += cell.bytes;
    }
}

void display_add_all(StrBuf *buffer, Str text) {
    display_add(buffer, text, 0, SIZE_MAX);
}

void display_add_lines(StrBuf *buffer, Str text) {
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        display_add_all(buffer, str_slice(text, start, end));
        if (end < text.len) {
            strbuf_add_char(buffer, '\n');
        }
        start = end + 1;
    }
}

// With its middle left out where it takes more than `most` columns: two thirds of what stays stand before the gap.
static void add_short(StrBuf *buffer, Str text, size_t most) {
    const size_t columns = display_columns(text);
    if (columns <= most) {
        strbuf_add(buffer, text);
        return;
    }
    const size_t before = most / 3 * 2;
    display_add(buffer, text, 0, before);
    strbuf_add(buffer, STR("…"));
    display_add(buffer, text, columns - (most - before - 1), columns);
}

Str display_short(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    add_short(&out, text, DISPLAY_WORD_COLUMNS);
    return strbuf_str(&out);
}

// Behind the quote that closes the one at `start`. 0 where none does. The language writes `\"` for a quote in a text.
static size_t quoted_end(Str text, size_t start) {
    const char quote = text.data[start];
    for (size_t i = start + 1; i < text.len; i++) {
        if (text.data[i] == quote) {
            return i + 1;
        }
        i += quote == '"' && text.data[i] == '\\' ? 1 : 0;
    }
    return 0;
}

static Str short_line(Arena *arena, Str line, size_t quoted_columns) {
    enum { LINE_COLUMNS_MAX = 1000 };
    StrBuf out = { .arena = arena };
    size_t done = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] != '`' && line.data[i] != '"') {
            continue;
        }
        const size_t end = quoted_end(line, i);
        if (end == 0) {
            break;
        }
        strbuf_add(&out, str_slice(line, done, i + 1));
        add_short(&out, str_slice(line, i + 1, end - 1), quoted_columns);
        done = end - 1;
        i = done;
    }
    strbuf_add(&out, str_slice(line, done, line.len));
    StrBuf whole = { .arena = arena };
    add_short(&whole, strbuf_str(&out), LINE_COLUMNS_MAX);
    return strbuf_str(&whole);
}

Str display_message(Arena *arena, Str text, size_t quoted_columns) {
    if (text.len <= quoted_columns) {
        return text;
    }
    StrBuf out = { .arena = arena };
    for (size_t start = 0; start <= text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        strbuf_add(&out, start == 0 ? STR_NONE : STR("\n"));
        strbuf_add(&out, short_line(arena, str_slice(text, start, end), quoted_columns));
        start = end + 1;
    }
    return strbuf_str(&out);
}
