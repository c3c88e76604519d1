// The nearest name by Damerau-Levenshtein distance, where two neighbours swapped are one edit. Distances are kept
// doubled, so that a name that differs in case alone (1) is nearer than any edit (2).
#include "compiler/base/suggest.h"

#include "compiler/base/session.h"

enum {
    NAME_MAX_BYTES = 64, // nobody misspells a longer one by two letters; it bounds the work as well
    DISTANCE_DIFFERS_IN_CASE = 1,
    DISTANCE_PER_EDIT = 2,
    EDITS_FAR = 3,         // as many as are too many
    SURE_WORD_LETTERS = 4, // one letter of three is a third of a word
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// The number of edits, or EDITS_FAR where there are more than two: what lies further than that from the diagonal is not
// worked out.
static size_t edit_distance(Str a, Str b) {
    size_t rows[3][NAME_MAX_BYTES + 2];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b.len + 1; j++) {
        before[j] = EDITS_FAR;
        above[j] = smaller(j, EDITS_FAR);
        row[j] = EDITS_FAR;
    }
    for (size_t i = 1; i <= a.len; i++) {
        const size_t first = i < EDITS_FAR ? 1 : i - EDITS_FAR + 1;
        const size_t last = smaller(b.len, i + EDITS_FAR - 1);
        row[first - 1] = first == 1 ? smaller(i, EDITS_FAR) : EDITS_FAR;
        row[smaller(last + 1, b.len + 1)] = EDITS_FAR;
        for (size_t j = first; j <= last; j++) {
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
    return smaller(above[b.len], EDITS_FAR);
}

// Which bytes a text has, one bit for several of them.
static uint64_t letters_of(Str text) {
    uint64_t letters = 0;
    for (size_t i = 0; i < text.len; i++) {
        letters |= UINT64_C(1) << (char_small(text.data[i]) & 63);
    }
    return letters;
}

Suggestion suggest_for(Session *session, Str name) {
    const bool is_shown = !diags_are_full(session) && name.len <= NAME_MAX_BYTES;
    return (Suggestion){ .name = is_shown ? name : STR_NONE, .session = session };
}

bool suggest_is_idle(const Suggestion *suggestion) {
    return suggestion->name.len == 0 ||
           (suggestion->session != NULL && suggestion->session->suggestion_count >= SUGGESTIONS_MAX);
}

static bool is_sign(char c) {
    return c == '-' || c == '_';
}

// Whether two names have the same words in two ways of writing: `NoSchedule` or `noSchedule`, and `no_schedule` or
// `no-schedule`.
static bool is_camel_case_of(Str name, Str other) {
    size_t at = 0;
    for (size_t i = 0; i < name.len; i++) {
        const bool begins_word = i > 0 && name.data[i] != char_small(name.data[i]) && !is_sign(name.data[i - 1]);
        if (begins_word && at < other.len && is_sign(other.data[at])) {
            at++;
        }
        const bool is_same = at < other.len && (char_small(name.data[i]) == char_small(other.data[at]) ||
                                                (is_sign(name.data[i]) && is_sign(other.data[at])));
        if (!is_same) {
            return false;
        }
        at++;
    }
    return at == other.len;
}

void suggest_offer(Suggestion *suggestion, Str candidate) {
    const Str name = suggestion->name;
    const size_t length_gap = name.len > candidate.len ? name.len - candidate.len : candidate.len - name.len;
    if (suggest_is_idle(suggestion)) {
        return;
    }
    if (suggestion->session != NULL) {
        suggestion->session->suggestion_count++;
    }
    const bool is_same = is_camel_case_of(name, candidate) || is_camel_case_of(candidate, name);
    if (name.len > NAME_MAX_BYTES || candidate.len > NAME_MAX_BYTES || (length_gap > 2 && !is_same)) {
        return;
    }
    suggestion->letters = suggestion->letters == 0 ? letters_of(name) : suggestion->letters;
    if (!is_same && __builtin_popcountll(suggestion->letters ^ letters_of(candidate)) > 4) {
        return; // an edit changes two letters at most, so these are three edits apart
    }
    size_t distance = DISTANCE_DIFFERS_IN_CASE;
    if (!is_same) {
        const size_t edits = edit_distance(name, candidate);
        if (edits >= EDITS_FAR || edits >= (name.len + 1) / 2) {
            return;
        }
        distance = edits * DISTANCE_PER_EDIT;
    }
    if (str_equal(candidate, suggestion->best)) {
        return;
    }
    const bool is_better = suggestion->best.len == 0 || distance < suggestion->distance;
    const size_t other = is_better ? suggestion->distance : distance;
    if (other > 0 && (suggestion->rival == 0 || other < suggestion->rival)) {
        suggestion->rival = other;
    }
    if (is_better) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

static bool is_letter(char c) {
    return char_small(c) >= 'a' && char_small(c) <= 'z';
}

static bool is_of_letters(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        if (!is_letter(text.data[i])) {
            return false;
        }
    }
    return true;
}

enum { LETTERS_OF_WORD = 3 };

static bool ends_in_word(Str text) {
    return text.len >= LETTERS_OF_WORD && is_of_letters(str_slice(text, text.len - LETTERS_OF_WORD, text.len));
}

static bool begins_with_word(Str text) {
    return text.len >= LETTERS_OF_WORD && is_of_letters(str_slice(text, 0, LETTERS_OF_WORD));
}

bool suggest_is_of_digits(Str name, Str candidate) {
    size_t at = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!char_is_digit(name.data[i])) {
            continue;
        }
        while (at < candidate.len && !char_is_digit(candidate.data[at])) {
            at++;
        }
        if (str_at(candidate, at++) != name.data[i]) {
            return false;
        }
    }
    while (at < candidate.len && !char_is_digit(candidate.data[at])) {
        at++;
    }
    return at >= candidate.len;
}

// Whether what tells two texts apart is a letter or two of a long enough word, or the sign between two words.
static bool differs_within_a_word(Str a, Str b) {
    size_t head = 0;
    size_t tail = 0;
    str_common(a, b, &head, &tail);
    const Str in_a = str_slice(a, head, a.len - tail);
    const Str in_b = str_slice(b, head, b.len - tail);
    const bool is_other_sign = (str_is(in_a, "-") && str_is(in_b, "_")) || (str_is(in_a, "_") && str_is(in_b, "-"));
    const bool is_sign_more = (in_a.len == 0 && in_b.len == 1 && is_sign(in_b.data[0])) ||
                              (in_b.len == 0 && in_a.len == 1 && is_sign(in_a.data[0]));
    const Str longer = a.len >= b.len ? a : b;
    const bool is_of_words = is_sign_more && ends_in_word(str_slice(longer, 0, head)) &&
                             begins_with_word(str_slice(longer, longer.len - tail, longer.len));
    if (is_other_sign || is_of_words) {
        return true;
    }
    size_t start = head;
    while (start > 0 && is_letter(longer.data[start - 1])) {
        start--;
    }
    size_t end = longer.len - tail;
    while (end < longer.len && is_letter(longer.data[end])) {
        end++;
    }
    return is_of_letters(in_a) && is_of_letters(in_b) && end - start >= SURE_WORD_LETTERS;
}

bool suggest_ends_alone_differ(Str a, Str b) {
    enum { LETTERS_ALIKE = 3, LETTERS_OF_ENDING = 3 };
    size_t head = 0;
    while (head < a.len && head < b.len && a.data[head] == b.data[head]) {
        head++;
    }
    const Str in_a = str_slice(a, head, a.len);
    const Str in_b = str_slice(b, head, b.len);
    if (head < LETTERS_ALIKE || !is_letter(a.data[head - 1])) {
        return false;
    }
    const bool is_longer = in_a.len == 0 ? is_sign(str_at(in_b, 0)) : in_b.len == 0 && is_sign(in_a.data[0]);
    return is_longer || (in_a.len <= LETTERS_OF_ENDING && in_b.len <= LETTERS_OF_ENDING && is_of_letters(in_a) &&
                         is_of_letters(in_b) && in_a.len + in_b.len > 0);
}

bool suggest_is_sure(const Suggestion *suggestion) {
    if (suggestion->best.len == 0) {
        return false;
    }
    if (suggestion->distance == DISTANCE_DIFFERS_IN_CASE) {
        return suggestion->rival != DISTANCE_DIFFERS_IN_CASE;
    }
    return suggestion->distance == DISTANCE_PER_EDIT && suggestion->rival == 0 &&
           differs_within_a_word(suggestion->name, suggestion->best);
}

bool suggest_is_written(Session *session, const Suggestion *suggestion, Span span) {
    const Str text = source_text(session, span);
    const char quote = str_at(text, 0);
    const bool is_quoted = text.len > 1 && (quote == '"' || quote == '\'') && text.data[text.len - 1] == quote;
    return str_equal(is_quoted ? str_slice(text, 1, text.len - 1) : text, suggestion->name);
}

bool suggest_say(Session *session, Diag *diag, const Suggestion *suggestion, Span span) {
    if (suggestion->best.len == 0) {
        return false;
    }
    diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(suggestion->best));
    if (suggest_is_sure(suggestion) && suggest_is_written(session, suggestion, span)) {
        diag_fix(session, diag, span, suggestion->best);
    }
    return true;
}
