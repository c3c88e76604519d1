// Turns a word into a question about instance types. Words need no option before them, and only `*` needs quotes in a
// shell. If the word is a region, an architecture or `efa`, it asks for that. Any other word is looked for in the name
// of the type and of its accelerator.
#include "compiler/driver/command/instance_filter.h"

#include "compiler/base/suggest.h"
#include "schema/row_cells.h"

#include <fnmatch.h>
#include <limits.h>

static const char EFA_HINT[] = "write `efa`, `efa=16`, `efa=16..` (at least) or `efa=8..16`";

// "16", "16..", "8..16", behind `efa=`.
static bool read_efa(Str text, InstanceFilter *filter) {
    size_t offset = 0;
    filter->efa_low = read_digits(text, &offset);
    filter->efa_high = filter->efa_low;
    if (str_starts_with(str_slice(text, offset, text.len), STR(".."))) {
        offset += 2;
        filter->efa_high = offset == text.len ? INT_MAX : read_digits(text, &offset);
    }
    return filter->efa_low >= 0 && filter->efa_low <= filter->efa_high && offset == text.len;
}

bool filter_read(Arena *arena, Str text, InstanceFilter *filter, Str *hint) {
    *filter = (InstanceFilter){ .kind = FILTER_TEXT, .text = text, .glob = str_c(arena, text) };
    const Str efa = STR("efa");
    const Str rest = str_slice(text, str_starts_with(text, efa) ? efa.len : text.len, text.len);
    const RegionRow *region = schema_region(text);
    if (region != NULL) {
        filter->kind = FILTER_REGION;
        filter->region = region;
    } else if (str_is(text, "x86_64") || str_is(text, "arm64")) {
        filter->kind = FILTER_ARCHITECTURE;
        filter->architecture = str_is(text, "arm64") ? ARCHITECTURE_ARM64 : ARCHITECTURE_X86_64;
    } else if (str_is(text, "neuron")) {
        filter->kind = FILTER_NEURON;
    } else if (str_is(text, "efa")) {
        filter->kind = FILTER_EFA;
        filter->efa_low = 1;
        filter->efa_high = INT_MAX;
    } else if (rest.len > 0 && strchr("=<>:", rest.data[0]) != NULL) {
        filter->kind = FILTER_EFA;
        *hint = str_of(EFA_HINT);
        return rest.data[0] == '=' && read_efa(str_slice(rest, 1, rest.len), filter);
    }
    return true;
}

// ---- matching --------------------------------------------------------------------------------------------------

static bool is_word_character(char c) {
    return (char_small(c) >= 'a' && char_small(c) <= 'z') || (c >= '0' && c <= '9');
}

// Whether a name such as "B200 (GB200)" has a word, or a run of words, whatever the case.
static bool has_word(const char *name, Str word) {
    const Str text = name == NULL ? STR_NONE : str_of(name);
    for (size_t start = 0; word.len > 0 && start + word.len <= text.len; start++) {
        size_t i = 0;
        while (i < word.len && char_small(text.data[start + i]) == char_small(word.data[i])) {
            i++;
        }
        const bool begins = start == 0 || !is_word_character(text.data[start - 1]);
        const bool ends = start + word.len == text.len || !is_word_character(text.data[start + word.len]);
        if (i == word.len && begins && ends) {
            return true;
        }
    }
    return false;
}

static bool matches_text(const InstanceFilter *filter, const InstanceRow *row) {
    const Str name = str_of(row->name);
    return str_find(name, filter->text, 0) < name.len || fnmatch(filter->glob, row->name, 0) == 0 ||
           has_word(row->accelerator_name, filter->text) || has_word(row->accelerator_vendor, filter->text);
}

int filter_match(const InstanceFilter *filter, const InstanceRow *row) {
    switch (filter->kind) {
    case FILTER_TEXT:
        return matches_text(filter, row) ? 1 : 0;
    case FILTER_EFA:
        return row->efa_max != UNKNOWN && row->efa_max >= filter->efa_low && row->efa_max <= filter->efa_high ? 1 : 0;
    case FILTER_NEURON:
        return row->accelerator == ACCELERATOR_NEURON ? 1 : 0;
    case FILTER_ARCHITECTURE:
        return row->architecture == filter->architecture ? 1 : 0;
    case FILTER_REGION:
        return schema_offered(row, filter->region);
    }
    assert(false);
    return 0;
}

Str filter_nearest(Session *session, Str text) {
    static const char *const WORDS[] = { "efa", "nvidia", "neuron", "x86_64", "arm64" };
    Suggestion suggestion = { .name = text };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        suggest_offer(&suggestion, str_of(WORDS[i]));
    }
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_at(session, i);
        suggest_offer(&suggestion, str_of(row->name));
        suggest_offer(&suggestion, str_of(row->family));
        if (row->accelerator_name != NULL) {
            suggest_offer(&suggestion, str_of(row->accelerator_name));
        }
    }
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
    }
    return suggestion.best;
}
