// Patterns of policies of IAM.
#include "compiler/plan/model/iam_pattern.h"

static bool is_same(char left, char right, bool is_in_any_case) {
    return left == right || (is_in_any_case && char_small(left) == char_small(right));
}

static bool matches(Str pattern, Str text, bool is_in_any_case) {
    size_t at = 0;
    size_t star = pattern.len;
    size_t from = 0;
    for (size_t i = 0; i < text.len;) {
        if (at < pattern.len && pattern.data[at] == '*') {
            star = at++;
            from = i;
        } else if (at < pattern.len &&
                   (pattern.data[at] == '?' || is_same(pattern.data[at], text.data[i], is_in_any_case))) {
            at++;
            i++;
        } else if (star < pattern.len) {
            at = star + 1;
            i = ++from;
        } else {
            return false;
        }
    }
    while (at < pattern.len && pattern.data[at] == '*') {
        at++;
    }
    return at == pattern.len;
}

bool iam_matches(Str pattern, Str text) {
    return matches(pattern, text, false);
}

bool iam_matches_action(Str pattern, Str action) {
    return matches(pattern, action, true);
}
