// The ranges are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, 15.0) and Bidi_Control, beside the
// controls. Variation selectors are left out of them: every second emoji has one, and it changes nothing else.
#include "compiler/base/terminal.h"

static const struct {
    uint32_t first;
    uint32_t last;
} UNSAFE[] = {
    { 0x0000, 0x001F },   { 0x007F, 0x009F },   { 0x00AD, 0x00AD },   { 0x034F, 0x034F }, { 0x061C, 0x061C },
    { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 },   { 0x180B, 0x180F },   { 0x200B, 0x200F }, { 0x2028, 0x202E },
    { 0x2060, 0x206F },   { 0x3164, 0x3164 },   { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFB },
    { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

bool terminal_is_unsafe(uint32_t code_point) {
    for (size_t i = 0; i < COUNT_OF(UNSAFE) && UNSAFE[i].first <= code_point; i++) {
        if (code_point <= UNSAFE[i].last) {
            return true;
        }
    }
    return false;
}

bool terminal_is_safe(Str text) {
    for (size_t offset = 0; offset < text.len;) {
        if (text.data[offset] >= ' ' && text.data[offset] <= '~') {
            offset++; // nearly all there is
            continue;
        }
        uint32_t code_point;
        const size_t bytes = str_utf8_next(text, offset, &code_point);
        if (bytes == 0 || terminal_is_unsafe(code_point)) {
            return false;
        }
        offset += bytes;
    }
    return true;
}

void terminal_add(StrBuf *out, Str text) {
    enum { REPLACEMENT = 0xFFFD };
    for (size_t offset = 0; offset < text.len;) {
        uint32_t code_point;
        const size_t bytes = str_utf8_next(text, offset, &code_point);
        const bool is_safe = bytes > 0 && !terminal_is_unsafe(code_point);
        strbuf_add_utf8(out, is_safe ? code_point : REPLACEMENT);
        offset += bytes > 0 ? bytes : 1;
    }
}
