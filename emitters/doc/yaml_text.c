// Decides how a text is written in YAML. A string stays plain only if no reader of YAML 1.1 or 1.2 takes it for a
// number, a time, a boolean, null or syntax. Everything else is quoted, a little more often than YAML needs. One pass
// over the bytes with a class for each, since every string of every output comes through here.
#include "emitters/doc/yaml_text.h"

#include "compiler/base/format.h"

#include <string.h>

enum {
    FIRST = 1,    // may begin a plain string
    INNER = 2,    // may stand inside one
    FLOW = 4,     // may stand inside one between `[` and `]`
    OTHER = 8,    // stands in no number and no time, so that a string with it is neither
    ASCII = 16,   // is printable as it is
    ESCAPED = 32, // needs a backslash in double quotes
    QUOTE = 64,   // needs doubling in single quotes
    PAIRED = 128, // is syntax together with a blank beside it

    IN_NUMBER = FIRST | INNER | FLOW | ASCII,
    LETTER = IN_NUMBER | OTHER,
    SIGN = INNER | FLOW | ASCII,
    BLOCK_ONLY = INNER | OTHER | ASCII,
};

// The letters that numbers and times are made of: hexadecimal digits, the `o` and `x` of a base, `T` and `Z`. Bytes
// from 0x80 up have no class: text that is not ASCII is always quoted, which keeps NEL, LS and BOM harmless.
static const uint16_t CLASSES[256] = {
    ['0' ... '9'] = IN_NUMBER,
    ['a' ... 'f'] = IN_NUMBER,
    ['g' ... 'n'] = LETTER,
    ['o'] = IN_NUMBER,
    ['p' ... 's'] = LETTER,
    ['t'] = IN_NUMBER,
    ['u' ... 'w'] = LETTER,
    ['x'] = IN_NUMBER,
    ['y'] = LETTER,
    ['z'] = IN_NUMBER,
    ['A' ... 'F'] = IN_NUMBER,
    ['G' ... 'N'] = LETTER,
    ['O'] = IN_NUMBER,
    ['P' ... 'S'] = LETTER,
    ['T'] = IN_NUMBER,
    ['U' ... 'W'] = LETTER,
    ['X'] = IN_NUMBER,
    ['Y'] = LETTER,
    ['Z'] = IN_NUMBER,
    ['_'] = IN_NUMBER,
    ['/'] = LETTER,
    ['$'] = LETTER,
    ['('] = LETTER,
    ['^'] = LETTER,
    [' '] = SIGN,
    ['+'] = SIGN,
    ['-'] = SIGN,
    ['.'] = SIGN,
    [':'] = SIGN | PAIRED,
    ['%'] = SIGN | OTHER,
    ['&'] = SIGN | OTHER,
    [')'] = SIGN | OTHER,
    ['*'] = SIGN | OTHER,
    [';'] = SIGN | OTHER,
    ['='] = SIGN | OTHER,
    ['@'] = SIGN | OTHER,
    ['~'] = SIGN | OTHER,
    [','] = INNER | ASCII,
    ['!'] = BLOCK_ONLY,
    ['#'] = BLOCK_ONLY | PAIRED,
    ['\''] = BLOCK_ONLY | QUOTE,
    ['<'] = BLOCK_ONLY,
    ['>'] = BLOCK_ONLY,
    ['?'] = BLOCK_ONLY,
    ['['] = BLOCK_ONLY,
    [']'] = BLOCK_ONLY,
    ['`'] = BLOCK_ONLY,
    ['{'] = BLOCK_ONLY,
    ['|'] = BLOCK_ONLY,
    ['}'] = BLOCK_ONLY,
    ['"'] = BLOCK_ONLY | ESCAPED,
    ['\\'] = BLOCK_ONLY | ESCAPED,
};

// What YAML 1.1 reads as a boolean or null, in lower case; no string is plain that differs from one in case alone. The
// signs among its words (`~`, `=`, `<<`) cannot begin a plain string anyway.
static const Str WORDS[] = {
    { "y", 1 },   { "n", 1 },    { "no", 2 },   { "on", 2 },    { "yes", 3 },
    { "off", 3 }, { "null", 4 }, { "true", 4 }, { "false", 5 },
};

enum { WORD_LEN_MAX = 5 };

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(Str text) {
    char lower[WORD_LEN_MAX];
    if (text.len > WORD_LEN_MAX) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_equal((Str){ .data = lower, .len = text.len }, WORDS[i])) {
            return true;
        }
    }
    return false;
}

// Options (`-x`, `--nodes`) and `./path` are plain though their first byte begins numbers, lists and `---` as well.
static bool begins_plain(Str text) {
    const char first = text.data[0];
    const char second = text.len > 1 ? text.data[1] : '\0';
    if (first == '-') {
        return is_letter(second) || (second == '-' && text.len > 2 && is_letter(text.data[2]));
    }
    if (first == '.') {
        return second == '/';
    }
    return (CLASSES[(unsigned char)first] & FIRST) != 0;
}

static bool ends_plain(Str text) {
    const char last = text.data[text.len - 1];
    return last != ' ' && last != ':';
}

// `: ` ends a key and ` #` begins a comment, wherever they stand in a plain scalar.
static bool holds_syntax(Str text) {
    return str_find(text, STR(": "), 0) < text.len || str_find(text, STR(" #"), 0) < text.len;
}

YamlText yaml_text(Str text) {
    if (text.len == 0) {
        return (YamlText){ .is_ascii = true };
    }
    unsigned all = INNER | FLOW | ASCII;
    unsigned any = 0;
    for (size_t i = 0; i < text.len; i++) {
        const unsigned class = CLASSES[(unsigned char)text.data[i]];
        all &= class;
        any |= class;
    }
    const char first = text.data[0];
    const bool is_number = first >= '0' && first <= '9' && (any & OTHER) == 0;
    const bool is_plain = (all & INNER) != 0 && !is_number && begins_plain(text) && ends_plain(text) &&
                          !is_word(text) && !((any & PAIRED) != 0 && holds_syntax(text));
    return (YamlText){
        .is_plain = is_plain,
        .is_plain_in_flow = is_plain && (all & FLOW) != 0,
        .prefers_single = (any & (ESCAPED | QUOTE)) == ESCAPED && (all & ASCII) != 0,
        .is_ascii = (all & ASCII) != 0,
    };
}

// NEL, LS, PS and BOM: YAML 1.1 takes the first three for line ends, and none of the four survives in a literal block.
static bool is_fragile(Str text, size_t offset) {
    static const char *const FRAGILE[] = { "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF" };
    const Str rest = str_slice(text, offset, text.len);
    for (size_t i = 0; i < COUNT_OF(FRAGILE); i++) {
        if (str_starts_with(rest, str_of(FRAGILE[i]))) {
            return true;
        }
    }
    return false;
}

// ---- quotes --------------------------------------------------------------------------------------------------------

bool yaml_has_break(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const bool is_wide = c >= 0x80 && is_fragile(text, i) && c != 0xEF; // a BOM breaks no line
        if (c == '\n' || c == '\r' || is_wide) {
            return true;
        }
    }
    return false;
}

// Characters that stand as they are between double quotes. These do not: control characters, line ends, the
// non-characters at the very end of the BMP, and characters beyond the BMP, which readers of YAML 1.1 may not take.
static bool is_printable(uint32_t code_point) {
    return (code_point >= 0x20 && code_point <= 0x7E) ||
           (code_point >= 0xA0 && code_point <= 0xFFFD && code_point != 0x2028 && code_point != 0x2029 &&
            code_point != 0xFEFF);
}

static void add_escape(StrBuf *out, uint32_t code_point) {
    static const char LETTERS[] = {
        ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v',
        ['\f'] = 'f', ['\r'] = 'r', [27] = 'e',   ['"'] = '"',  ['\\'] = '\\',
    };
    if (code_point < sizeof(LETTERS) && LETTERS[code_point] != '\0') {
        strbuf_add_char(out, '\\');
        strbuf_add_char(out, LETTERS[code_point]);
    } else if (code_point == 0) {
        strbuf_add(out, STR("\\0"));
    } else if (code_point == 0x85 || code_point == 0x2028 || code_point == 0x2029) {
        strbuf_add(out, code_point == 0x85 ? STR("\\N") : code_point == 0x2028 ? STR("\\L") : STR("\\P"));
    } else if (code_point <= 0xFF) {
        strbuf_add_format(out, "\\x%02" PRIX32, code_point);
    } else if (code_point <= 0xFFFF) {
        strbuf_add_format(out, "\\u%04" PRIX32, code_point);
    } else {
        strbuf_add_format(out, "\\U%08" PRIX32, code_point);
    }
}

void yaml_add_quoted(StrBuf *out, Str text, YamlText form) {
    if (form.prefers_single) {
        strbuf_add_char(out, '\'');
        strbuf_add(out, text); // holds no single quote
        strbuf_add_char(out, '\'');
        return;
    }
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len;) {
        uint32_t code_point;
        const size_t size = str_utf8_next(text, i, &code_point);
        assert(size > 0);
        if (is_printable(code_point) && code_point != '"' && code_point != '\\') {
            strbuf_add(out, str_slice(text, i, i + size));
        } else {
            add_escape(out, code_point);
        }
        i += size;
    }
    strbuf_add_char(out, '"');
}

// ---- literal blocks ------------------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Whether all of eight bytes are characters from the blank to `~`: nothing but an end of line asks for a blank, and it
// looks back.
static bool are_printed(const char *bytes) {
    static const uint64_t ONES = UINT64_C(0x0101010101010101);
    static const uint64_t HIGH = UINT64_C(0x8080808080808080);
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    const uint64_t below = word - ONES * ' '; // the lowest byte that is less tells; what it borrows cannot hide it
    const uint64_t above = word + ONES;       // 0x7F becomes 0x80
    return ((word | below | above) & HIGH) == 0;
}

bool yaml_is_literal(Str text) {
    size_t end = text.len;
    while (end > 0 && text.data[end - 1] == '\n') {
        end--;
    }
    if (end == 0 || text.data[text.len - 1] == ' ') {
        return false;
    }
    bool is_scriptlike = false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.len - i >= sizeof(uint64_t) && are_printed(text.data + i)) {
            i += sizeof(uint64_t) - 1;
            continue;
        }
        const unsigned char c = (unsigned char)text.data[i];
        const bool is_control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
        const bool is_c1_control = c == 0xC2 && i + 1 < text.len && (unsigned char)text.data[i + 1] < 0xA0;
        if (is_control || is_c1_control || (c >= 0x80 && is_fragile(text, i))) {
            return false;
        }
        is_scriptlike = is_scriptlike || c == '\t' || c >= 0xF0 || (c == '\n' && i > 0 && text.data[i - 1] == ' ');
    }
    const bool begins_bare = text.data[0] != '\n' && !is_blank(text.data[0]);
    return !is_scriptlike || (begins_bare && !is_blank(text.data[end - 1]));
}

// ---- flow style ----------------------------------------------------------------------------------------------------

static bool add_quoted(StrBuf *out, Str text, YamlText form) {
    // What would be syntax without its quotes reads better on a line of its own.
    if (!form.is_ascii || holds_syntax(text)) {
        return false;
    }
    yaml_add_quoted(out, text, form);
    return true;
}

static bool add_string(StrBuf *out, Str text, size_t room) {
    if (text.len > room) {
        return false;
    }
    const YamlText form = yaml_text(text);
    if (form.is_plain_in_flow) {
        strbuf_add(out, text);
        return true;
    }
    return add_quoted(out, text, form);
}

static bool add_items(StrBuf *out, const DocNode *list, size_t room) {
    strbuf_add_char(out, '[');
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        if (item->comment != NULL || !yaml_flow(out, item, room)) {
            return false;
        }
        if (item->next != NULL) {
            strbuf_add(out, STR(", "));
        }
    }
    strbuf_add_char(out, ']');
    return true;
}

bool yaml_flow(StrBuf *out, const DocNode *node, size_t room) {
    bool is_short = false;
    Digits digits;
    switch (node->kind) {
    case DOC_BOOL:
        strbuf_add(out, node->boolean ? STR("true") : STR("false"));
        is_short = true;
        break;
    case DOC_INT:
        strbuf_add(out, format_digits(node->integer, &digits));
        is_short = true;
        break;
    case DOC_STRING:
        is_short = add_string(out, node->string, room);
        break;
    case DOC_LIST:
        is_short = add_items(out, node, room);
        break;
    case DOC_CALL:
        strbuf_add(out, str_of(doc_call_row(node->call)->tag));
        strbuf_add_char(out, ' ');
        // YAML has no tag on a tag: such a call is a map, in block style.
        is_short = node->first->kind != DOC_CALL && node->first->comment == NULL && yaml_flow(out, node->first, room);
        break;
    case DOC_BLOCK:
    case DOC_MAP:
        break;
    }
    return is_short && out->len <= room;
}
