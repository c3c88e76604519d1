// The rows of variables.def, and the tests of their values.
#include "schema/variables.h"

#define LIBRARY_ALL ""
#define LIBRARY_NCCL "NCCL"
#define LIBRARY_PLUGIN "aws-ofi-nccl"
#define LIBRARY_LIBFABRIC "libfabric"
#define LIBRARY_INSTALLER "the EFA installer"
#define LIBRARY_NEURON "Neuron"

static const VariableRow ROWS[] = {
#define GIVEN(name, value, places, library, since, until, reason, source) \
    { #name, VERDICT_NEEDED, VALUE_IS, value, places, LIBRARY_##library, since, until, reason, source, true },
#define VARIABLE(name, verdict, test, values, places, library, since, until, reason, source) \
    { #name, VERDICT_##verdict, test, values, places, LIBRARY_##library, since, until, reason, source, false },
#include "schema/variables.def"
};

const VariableRow *variable_row(int number) {
    return number >= 0 && (size_t)number < COUNT_OF(ROWS) ? &ROWS[number] : NULL;
}

// ---- values --------------------------------------------------------------------------------------------------------

// The next item of a list; false at its end.
static bool next_item(Str list, size_t *offset, Str *item) {
    if (*offset >= list.len) {
        return false;
    }
    size_t end = *offset;
    while (end < list.len && list.data[end] != ',' && list.data[end] != ';') {
        end++;
    }
    *item = str_trim(str_slice(list, *offset, end));
    *offset = end + 1;
    return true;
}

static bool is_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (str_equal_in_any_case(text, item)) {
            return true;
        }
    }
    return false;
}

static bool begins_with_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (str_starts_with_in_any_case(text, item)) {
            return true;
        }
    }
    return false;
}

// `^` in front of a list of libfabric's or NCCL's means all but these.
static bool is_negated(Str value) {
    return value.len > 0 && value.data[0] == '^';
}

static bool lacks(Str value, Str wanted) {
    size_t offset = is_negated(value) ? 1 : 0;
    bool is_there = false;
    Str item;
    while (next_item(value, &offset, &item)) {
        is_there = is_there || is_one_of(item, wanted);
    }
    return is_there == is_negated(value);
}

// Whether a list lets in any of those that harm, or one with `^` leaves out none of them.
static bool lets(Str value, Str harmful) {
    const bool is_for_all_but = is_negated(value);
    size_t offset = is_for_all_but ? 1 : 0;
    bool is_there = false;
    Str item;
    while (next_item(value, &offset, &item)) {
        is_there = is_there || is_one_of(item, harmful);
    }
    return is_there != is_for_all_but;
}

// NCCL takes prefixes, and whole names behind `=`.
static bool all_begin(Str value, Str starts) {
    size_t offset = value.len > 0 && value.data[0] == '=' ? 1 : 0;
    bool do_all = offset < value.len && !is_negated(value);
    Str item;
    while (do_all && next_item(value, &offset, &item)) {
        do_all = begins_with_one_of(item, starts);
    }
    return do_all;
}

bool variable_row_is(const VariableRow *row, Str name, Str value) {
    const Str values = str_of(row->values);
    const Str text = str_trim(value);
    if (row->test == NAME_BEGINS) {
        return str_starts_with(name, str_of(row->name));
    }
    if (!str_is(name, row->name) || value.len == 0) {
        return false;
    }
    switch (row->test) {
    case VALUE_IS:
        return str_equal(text, values);
    case VALUE_ONE_OF:
        return is_one_of(text, values);
    case VALUE_NOT_ONE_OF:
        return !is_one_of(text, values);
    case VALUE_LETS:
        return lets(text, values);
    case VALUE_LACKS:
        return lacks(text, values);
    case VALUE_BEGINS:
        return all_begin(text, values);
    case VALUE_ENDS:
        return str_ends_with(text, values);
    case VALUE_ANY:
        return true;
    case NAME_BEGINS:
        break;
    }
    return false;
}

// ---- places and releases -------------------------------------------------------------------------------------------

unsigned variable_places(const InstanceRow *row) {
    const bool is_nvidia = row->accelerator == ACCELERATOR_NVIDIA;
    const bool is_neuron = row->accelerator == ACCELERATOR_NEURON;
    unsigned places = (is_nvidia ? PLACE_NVIDIA : 0) | (is_neuron ? PLACE_NEURON : 0);
    places |= row->rdma_read == 1 && row->accelerator != ACCELERATOR_NONE ? PLACE_READS : 0;
    places |= row->rdma_read == 0 ? PLACE_READS_NOT : 0;
    places |= row->rdma_write == 1 && row->accelerator != ACCELERATOR_NONE ? PLACE_WRITES : 0;
    places |= row->rdma_write == 0 ? PLACE_WRITES_NOT : 0;
    places |= row->accelerators > 0 && row->efa_max > row->accelerators ? PLACE_RAILS : 0;
    // p5.4xlarge has one GPU, and p3dn.24xlarge an EFA that cannot read.
    const bool is_p = is_nvidia && row->accelerators > 1 && row->name[0] == 'p' && row->rdma_read == 1;
    return places | (is_p ? PLACE_P : 0);
}

Str variable_releases(Arena *arena, const VariableRow *row) {
    const bool has_since = row->since[0] != '\0';
    const bool has_until = row->until[0] != '\0';
    if (has_since && has_until) {
        return str_format(arena, "%s %s and later, before %s", row->library, row->since, row->until);
    }
    if (has_until) {
        return str_format(arena, "%s before %s", row->library, row->until);
    }
    return has_since ? str_format(arena, "%s %s and later", row->library, row->since) : STR_NONE;
}

// ---- texts ---------------------------------------------------------------------------------------------------------

const char *variable_verdict_name(VariableVerdict verdict) {
    static const char *const NAMES[] = {
        [VERDICT_NEEDED] = "needed", [VERDICT_IDLE] = "idle", [VERDICT_HARMFUL] = "harmful", [VERDICT_FATAL] = "fails"
    };
    return NAMES[verdict];
}

// "1, true, yes or on"
static Str choice_text(Arena *arena, const char *values) {
    StrBuf text = { .arena = arena };
    const Str list = str_of(values);
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        strbuf_add(&text, text.len == 0 ? STR_NONE : offset > list.len ? STR(" or ") : STR(", "));
        strbuf_add(&text, item);
    }
    return strbuf_str(&text);
}

Str variable_value_text(Arena *arena, const VariableRow *row) {
    const Str choice = choice_text(arena, row->values);
    switch (row->test) {
    case VALUE_IS:
        return str_of(row->values);
    case VALUE_ONE_OF:
        return choice;
    case VALUE_NOT_ONE_OF:
        return str_format(arena, "all but %.*s", STR_ARG(choice));
    case VALUE_LETS:
        return str_format(arena, "a list that lets in %.*s", STR_ARG(choice));
    case VALUE_LACKS:
        return str_format(arena, "a list without %.*s", STR_ARG(choice));
    case VALUE_BEGINS:
        return str_format(arena, "what begins with %.*s", STR_ARG(choice));
    case VALUE_ENDS:
        return str_format(arena, "what ends with %.*s", STR_ARG(choice));
    case VALUE_ANY:
    case NAME_BEGINS:
        break;
    }
    return STR("any value");
}

Str variable_place_text(Arena *arena, const VariableRow *row) {
    static const struct {
        unsigned place;
        const char *text;
    } WORDS[] = {
        { PLACE_NVIDIA, "NVIDIA GPUs" },
        { PLACE_NEURON, "Neuron devices" },
        { PLACE_READS, "EFA that reads remote memory" },
        { PLACE_READS_NOT, "EFA that cannot read remote memory" },
        { PLACE_WRITES, "EFA that writes remote memory" },
        { PLACE_WRITES_NOT, "EFA that cannot write remote memory" },
        { PLACE_RAILS, "several EFA interfaces for each accelerator" },
        { PLACE_P, "P4d and later P families" },
        { PLACE_AL2023, "the service's image of Amazon Linux 2023" },
    };
    StrBuf text = { .arena = arena };
    strbuf_add(&text, (row->places & PLACE_EFA) != 0     ? STR("several nodes with EFA")
                      : (row->places & PLACE_NODES) != 0 ? STR("several nodes")
                                                         : STR("one node or several"));
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if ((row->places & WORDS[i].place) != 0) {
            strbuf_add_format(&text, ", %s", WORDS[i].text);
        }
    }
    return strbuf_str(&text);
}
