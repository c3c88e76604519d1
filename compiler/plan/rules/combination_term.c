// Takes a term of a row apart: the rules ask whether it holds, and `dtc explain` puts it into words.
#include "compiler/plan/rules/combination_term.h"

bool combination_next_term(Str all, size_t *offset, CombinationTerm *term) {
    if (*offset >= all.len) {
        return false;
    }
    const size_t end = str_find(all, STR(" "), *offset);
    const Str word = str_slice(all, *offset, end);
    *offset = end + 1;
    const size_t tilde = str_find(word, STR("!~"), 0);
    const size_t equals = tilde < word.len ? tilde + 1 : str_find(word, STR("="), 0);
    *term = (CombinationTerm){ .key = str_slice(word, 0, equals), .words = str_slice(word, equals + 1, word.len) };
    term->is_list = tilde < word.len;
    term->is_absent = str_starts_with(word, STR("!"));
    term->is_other = str_ends_with(term->key, STR("!"));
    term->key = str_slice(term->key, term->is_absent ? 1 : 0, term->key.len - (term->is_other ? 1 : 0));
    return true;
}
