// The words stay in one text; nothing is copied.
#include "compiler/base/words.h"

bool words_next(Str words, size_t *offset, Str *word) {
    if (*offset >= words.len) {
        return false;
    }
    const size_t end = str_find(words, STR("|"), *offset);
    *word = str_slice(words, *offset, end);
    *offset = end + 1;
    return true;
}

static bool have(Str words, Str word, bool (*is_same)(Str, Str)) {
    size_t offset = 0;
    Str each;
    while (words_next(words, &offset, &each)) {
        if (is_same(each, word)) {
            return true;
        }
    }
    return false;
}

bool words_have(Str words, Str word) {
    return have(words, word, str_equal);
}

bool words_have_in_any_case(Str words, Str word) {
    return have(words, word, str_equal_in_any_case);
}

// Whether a word before it is the same in another case.
static bool is_again(Str words, Str word) {
    return words_have_in_any_case(str_slice(words, 0, (size_t)(word.data - words.data)), word);
}

Str words_list(Arena *arena, Str words) {
    StrBuf text = { .arena = arena };
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        if (!is_again(words, word)) {
            strbuf_add_format(&text, "%s`%.*s`", text.len == 0 ? "" : ", ", STR_ARG(word));
        }
    }
    return strbuf_str(&text);
}
