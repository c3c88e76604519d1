// The nearest name by Damerau-Levenshtein distance, where two neighbours swapped are one edit. Distances are kept
// doubled, so that a name that differs in case alone (1) is nearer than any edit (2).
#include "compiler/base/suggest.h"

enum {
    NAME_MAX_BYTES = 64, // nobody misspells a longer one by two letters; it bounds the work as well
    DISTANCE_DIFFERS_IN_CASE = 1,
    DISTANCE_PER_EDIT = 2,
};

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool differs_in_case_only(Str a, Str b) {
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        if (lower(a.data[i]) != lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t edit_distance(Str a, Str b) {
    size_t rows[3][NAME_MAX_BYTES + 1];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b.len; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            const size_t changed = above[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = smaller(changed, smaller(above[j], row[j - 1]) + 1);
            const bool is_swapped = i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1];
            if (is_swapped) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        size_t *reused = before;
        before = above;
        above = row;
        row = reused;
    }
    return above[b.len];
}

void suggest_offer(Suggestion *suggestion, Str candidate) {
    const Str name = suggestion->name;
    const size_t length_gap = name.len > candidate.len ? name.len - candidate.len : candidate.len - name.len;
    if (name.len == 0 || name.len > NAME_MAX_BYTES || candidate.len > NAME_MAX_BYTES || length_gap > 2) {
        return;
    }
    size_t distance = DISTANCE_DIFFERS_IN_CASE;
    if (!differs_in_case_only(name, candidate)) {
        const size_t edits = edit_distance(name, candidate);
        if (edits >= 3 || edits >= (name.len + 1) / 2) {
            return;
        }
        distance = edits * DISTANCE_PER_EDIT;
    }
    if (suggestion->best.len == 0 || distance < suggestion->distance) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}
