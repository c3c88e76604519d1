// `dtc explain WORDS...`: finds what speaks of some words, by titles and texts. A title counts for more than a text, and
// a whole word for more than the beginning of one. Both of two words must be there, and half of more.
#include "compiler/driver/command/explain.h"
#include "compiler/base/diag/prose.h"
#include "compiler/driver/output/print.h"
#include "compiler/semantics/builtins.h"
#include "emitters/doc/constants.h"

enum {
    WORDS_MAX = 16,      // of what is looked for: the rest of a long message is left out
    LETTERS_LEAST = 3,   // of a word that is looked for
    FOUND_SHOWN_MAX = 8, // more than this many are counted alone
    QUESTION_SHORT = 2,  // words of which all must be there
    SCORE_TEXT = 1,
    SCORE_TITLE = 4,
    SCORE_TITLE_WHOLE = 6,
    SCORE_PHRASE = 8, // two words that stand side by side in the title, as they do in the question
    VOCABULARY_LETTERS_LEAST = 4,
};

// Words of a question that are in every text, or say nothing of what it is about.
static const char *const EMPTY_WORDS[] = { "and", "are", "but",  "can",  "does", "for",  "has",   "have", "how",
                                           "not", "the", "this", "that", "what", "when", "where", "why",  "with" };

typedef struct {
    Str topic; // what `dtc explain` takes
    Str title;
    Str text;
    int words; // how many of the words it has
    int score;
    bool is_taken;
} Entry;

typedef struct {
    Arena *arena;
    VEC(Str) words;
    VEC(Entry) entries;
} Search;

static Str without_plural(Str word) {
    const bool is_plural = word.len > LETTERS_LEAST + 1 && str_ends_with(word, STR("s"));
    return str_slice(word, 0, word.len - (is_plural ? 1 : 0));
}

static bool is_empty_word(Str word) {
    for (size_t i = 0; i < COUNT_OF(EMPTY_WORDS); i++) {
        if (str_is_in_any_case(word, EMPTY_WORDS[i])) {
            return true;
        }
    }
    return false;
}

// Words of what was typed. Signs between them, such as those around a name in a message, are left out.
static void read_words(Search *search, Str text) {
    for (size_t start = 0; start < text.len;) {
        size_t end = start;
        while (end < text.len && (char_is_of_name(text.data[end]) || text.data[end] == '.' || text.data[end] == '-')) {
            end++;
        }
        Str word = str_slice(text, start, end);
        while (word.len > 0 && !char_is_of_name(word.data[word.len - 1])) {
            word.len--;
        }
        if (word.len >= LETTERS_LEAST && !is_empty_word(word) && search->words.count < WORDS_MAX) {
            vec_push(search->arena, &search->words, without_plural(word));
        }
        start = end + 1;
    }
}

// Whether a word of the text begins so; `*is_whole` is set where one is just that, or its plural.
static bool has_word(Str text, Str word, bool *is_whole) {
    bool is_there = false;
    for (size_t i = 0; i + word.len <= text.len; i++) {
        const bool is_start = i == 0 || !char_is_of_name(text.data[i - 1]);
        if (is_start && str_starts_with_in_any_case(str_slice(text, i, text.len), word)) {
            const char next = str_at(text, i + word.len);
            is_there = true;
            *is_whole = *is_whole || !char_is_of_name(next) ||
                        (next == 's' && !char_is_of_name(str_at(text, i + word.len + 1)));
        }
    }
    return is_there;
}

static bool has_phrase(Arena *arena, Str title, Str first, Str second) {
    bool is_whole = false;
    return has_word(title, str_format(arena, "%.*s %.*s", STR_ARG(first), STR_ARG(second)), &is_whole);
}

static void rate(const Search *search, Entry *entry) {
    for (uint32_t i = 0; i < search->words.count; i++) {
        const Str word = search->words.items[i];
        bool is_whole = false;
        if (has_word(entry->title, word, &is_whole)) {
            entry->words++;
            entry->score += is_whole ? SCORE_TITLE_WHOLE : SCORE_TITLE;
        } else if (has_word(entry->text, word, &is_whole)) {
            entry->words++;
            entry->score += SCORE_TEXT;
        }
        if (i > 0 && has_phrase(search->arena, entry->title, search->words.items[i - 1], word)) {
            entry->score += SCORE_PHRASE;
        }
    }
}

static Str first_sentence(Str text) {
    const size_t end = str_find(text, STR(". "), 0);
    const size_t paragraph = str_find(text, STR("\n"), 0);
    return str_slice(text, 0, paragraph <= end ? paragraph : end + 1);
}

static void offer(Search *search, Str topic, Str title, Str text) {
    vec_push(search->arena, &search->entries, ((Entry){ .topic = topic, .title = title, .text = text }));
}

// An entry that has no title but its name shows the first sentence of its text.
static void offer_named(Search *search, Str topic, const char *text) {
    const Str first = first_sentence(str_of(text));
    offer(search, topic, str_format(search->arena, "%.*s: %.*s", STR_ARG(topic), STR_ARG(first)), str_of(text));
}

static bool is_offered(const Search *search, Str topic) {
    for (uint32_t i = 0; i < search->entries.count; i++) {
        if (str_equal(search->entries.items[i].topic, topic)) {
            return true;
        }
    }
    return false;
}

static void offer_all(Search *search) {
    for (int k = 0; k < KIND_COUNT; k++) {
        const KindRow *kind = &KIND_ROWS[k];
        offer_named(search, str_of(kind->name), kind->doc);
        for (int i = 0; i < kind->attribute_count; i++) {
            offer_named(search, str_format(search->arena, "%s.%s", kind->name, kind->attributes[i].name),
                        kind->attributes[i].doc);
        }
    }
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagRow *row = diag_row((DiagId)i);
        StrBuf title = { .arena = search->arena };
        diag_add_title(&title, (DiagId)i);
        offer(search, str_of(row->code), strbuf_str(&title), str_of(diag_explanation((DiagId)i)));
    }
    for (int i = 0; i < PATTERN_ROW_COUNT; i++) {
        offer_named(search, str_of(PATTERN_ROWS[i].name), PATTERN_ROWS[i].doc);
    }
    const BuiltinDoc *doc;
    for (int i = 0; (doc = builtin_doc(i)) != NULL; i++) {
        offer_named(search, str_of(doc->name), doc->summary);
    }
    for (int id = 0; id < WHY_COUNT; id++) {
        if (!is_offered(search, str_of(why((Why)id)->name))) { // an attribute may have the name
            offer_named(search, str_of(why((Why)id)->name), why((Why)id)->text);
        }
    }
    for (int i = 0; i < CONSTANT_COUNT; i++) {
        offer_named(search, str_of(CONSTANT_ROWS[i].name), CONSTANT_ROWS[i].doc);
    }
}

// The best entry that is not taken yet; of equals the first. NULL: none.
static Entry *best_of(Search *search, int words_least) {
    Entry *best = NULL;
    for (uint32_t i = 0; i < search->entries.count; i++) {
        Entry *entry = &search->entries.items[i];
        const bool is_better =
            best == NULL || entry->words > best->words || (entry->words == best->words && entry->score > best->score);
        if (!entry->is_taken && entry->words >= words_least && is_better) {
            best = entry;
        }
    }
    return best;
}

static void print_entry(StrBuf *out, const Entry *entry) {
    const Str name = str_format(out->arena, "%.*s: ", STR_ARG(entry->topic));
    const size_t start = str_starts_with(entry->title, name) ? name.len : 0;
    strbuf_add_format(out, "%.*s\n", STR_ARG(entry->topic));
    print_wrapped(out, str_slice(entry->title, start, entry->title.len), 4);
}

static Search search_for(Run *run, Str text) {
    Search search = { .arena = run->arena };
    read_words(&search, text);
    offer_all(&search);
    for (uint32_t i = 0; i < search.entries.count; i++) {
        rate(&search, &search.entries.items[i]);
    }
    return search;
}

void explain_count_mentions(Run *run, Str text) {
    const Search search = search_for(run, text);
    int count = 0;
    for (uint32_t i = 0; i < search.entries.count; i++) {
        count += search.words.count > 0 && search.entries.items[i].words == (int)search.words.count;
    }
    if (count > FOUND_SHOWN_MAX) {
        const Str note =
            str_format(run->arena,
                       "%d texts of dtc speak of it: `dtc explain %.*s WORD`, with a second word, shows the "
                       "nearest, and `dtc explain rules` lists the codes of all rules.",
                       count, STR_ARG(text));
        strbuf_add_char(&run->out, '\n');
        print_wrapped(&run->out, note, 0);
    }
}

bool explain_search(Run *run, Str text) {
    Search search = search_for(run, text);
    const int count = (int)search.words.count;
    const int words_least = count <= QUESTION_SHORT ? count : (count + 1) / 2;
    const Entry *first = count == 0 ? NULL : best_of(&search, words_least);
    if (first == NULL) {
        return false;
    }
    StrBuf *out = &run->out;
    strbuf_add_format(out, "No topic is called `%.*s`. These speak of it, the nearest first:\n\n", STR_ARG(text));
    int left = 0;
    Entry *entry;
    const int wanted = first->words; // one that has fewer of the words is no answer where another has more
    for (int shown = 0; (entry = best_of(&search, wanted)) != NULL; shown++) {
        if (shown < FOUND_SHOWN_MAX) {
            print_entry(out, entry);
        }
        left += shown >= FOUND_SHOWN_MAX;
        entry->is_taken = true;
    }
    strbuf_add_format(out, "\n`dtc explain TOPIC`, with a name of this list, says more.");
    if (left > 0) {
        strbuf_add_format(out, " %d more speak of it: another word makes the list shorter.", left);
    }
    strbuf_add_char(out, '\n');
    return true;
}

// Each word of a text, to be offered as the one that was meant.
static void offer_words(Suggestion *suggestion, Str text) {
    for (size_t start = 0; start < text.len;) {
        size_t end = start;
        while (end < text.len && char_is_of_name(text.data[end])) {
            end++;
        }
        if (end - start >= VOCABULARY_LETTERS_LEAST) {
            suggest_offer(suggestion, str_slice(text, start, end));
        }
        start = end + 1;
    }
}

Str explain_absent_word(Run *run, Str text, Str *nearest) {
    const Search search = search_for(run, text);
    for (uint32_t i = 0; i < search.words.count; i++) {
        const Str word = search.words.items[i];
        bool is_there = false;
        bool is_whole = false;
        Suggestion suggestion = { .name = word };
        for (uint32_t j = 0; j < search.entries.count && !is_there; j++) {
            const Entry *entry = &search.entries.items[j];
            is_there = has_word(entry->title, word, &is_whole) || has_word(entry->text, word, &is_whole);
            offer_words(&suggestion, entry->title);
            offer_words(&suggestion, entry->text);
        }
        if (!is_there) {
            *nearest = suggestion.best;
            return word;
        }
    }
    *nearest = STR_NONE;
    return STR_NONE;
}
