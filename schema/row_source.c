// Texts of sources and their dates.
#include "schema/row_source.h"

enum { MONTH_LENGTH = 7, DAY_LENGTH = 10 };

// `2026-08`, or `2026-08-02` where `longest` has room for it.
static bool is_date(Str text, size_t longest) {
    if (text.len > longest || (text.len != MONTH_LENGTH && text.len != DAY_LENGTH)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (i == 4 || i == MONTH_LENGTH ? c != '-' : c < '0' || c > '9') {
            return false;
        }
    }
    const int month = (text.data[5] - '0') * 10 + (text.data[6] - '0');
    return month >= 1 && month <= 12;
}

// Takes the last part behind a comma off `*text`.
static Str take_last(Str *text) {
    size_t start = text->len;
    while (start > 0 && text->data[start - 1] != ',') {
        start--;
    }
    const Str last = str_trim(str_slice(*text, start, text->len));
    *text = str_trim(str_slice(*text, 0, start == 0 ? 0 : start - 1));
    return last;
}

static bool is_own(Str text) {
    return str_is(text, "dtc") || str_starts_with(text, STR("dtc;")) || str_starts_with(text, STR("dtc,"));
}

SourceState source_read(Str whole, SourceText *source) {
    Str text = str_trim(whole);
    const bool is_ours = is_own(text);
    Str last = take_last(&text);
    const bool is_final = str_is(last, "final");
    last = is_final ? take_last(&text) : last;
    const Str prefix = STR("read ");
    const Str read = str_starts_with(last, prefix) ? str_slice(last, prefix.len, last.len) : STR_NONE;
    const Str dated = take_last(&text);
    if (!is_date(dated, DAY_LENGTH) || !is_date(read, MONTH_LENGTH) || text.len == 0) {
        return is_ours ? SOURCE_OWN : SOURCE_WITHOUT_DATES;
    }
    if (str_compare(str_slice(dated, 0, MONTH_LENGTH), read) > 0) {
        return SOURCE_TOO_YOUNG;
    }
    *source = (SourceText){ .text = text, .dated = dated, .read = read, .is_final = is_final };
    return SOURCE_DATED;
}
