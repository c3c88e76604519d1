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

bool words_have(Str words, Str word) {
    size_t offset = 0;
    Str each;
    while (words_next(words, &offset, &each)) {
        if (str_equal(each, word)) {
            return true;
        }
    }
    return false;
}

bool words_have_in_any_case(Str words, Str word) {
    size_t offset = 0;
    Str each;
    while (words_next(words, &offset, &each)) {
        if (str_equal_in_any_case(each, word)) {
            return true;
        }
    }
    return false;
}

// Whether a word before it is the same in another case.
static bool is_again(Str words, Str word) {
    size_t offset = 0;
    Str each;
    while (words_next(words, &offset, &each) && each.data != word.data) {
        if (str_equal_in_any_case(each, word)) {
            return true;
        }
    }
    return false;
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
