// Holds the values of Slurm's settings against what slurmctld takes (schema/slurm_values.def), and those of a group
// against its instance type.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"

typedef enum {
    TAKES_NUMBER,
    TAKES_SWITCH,
    TAKES_TIME,
    TAKES_WORD,
    TAKES_WORDS,
    TAKES_MOST,
    TAKES_KNOWN,
    TAKES_PLUGIN,
    TAKES_LINES,
} SlurmTakes;

typedef struct {
    SlurmPlace place;
    const char *name;
    SlurmTakes takes;
    int64_t most;      // of a number
    const char *words; // with blanks between
    const char *kind;  // of a plugin
} ValueRow;

static const char SWITCH_WORDS[] = "yes no true false up down 1 0";
static const char ENDLESS_WORDS[] = "UNLIMITED INFINITE";

static const ValueRow VALUE_ROWS[] = {
#define SLURM_NUMBER(place, name, most) { place, name, TAKES_NUMBER, most, ENDLESS_WORDS, "" },
#define SLURM_SWITCH(place, name) { place, name, TAKES_SWITCH, 0, SWITCH_WORDS, "" },
#define SLURM_TIME(place, name) { place, name, TAKES_TIME, 0, ENDLESS_WORDS, "" },
#define SLURM_WORD(place, name, words) { place, name, TAKES_WORD, 0, words, "" },
#define SLURM_WORDS(place, name, words) { place, name, TAKES_WORDS, 0, words, "" },
#define SLURM_MOST(place, name, words) { place, name, TAKES_MOST, 0, words, "" },
#define SLURM_KNOWN(place, name, words) { place, name, TAKES_KNOWN, 0, words, "" },
#define SLURM_PLUGIN(place, name, kind, words) { place, name, TAKES_PLUGIN, 0, words, kind },
#define SLURM_LINES(place, name) { place, name, TAKES_LINES, 0, "", "" },
#include "schema/slurm_values.def"
#undef SLURM_NUMBER
#undef SLURM_SWITCH
#undef SLURM_TIME
#undef SLURM_WORD
#undef SLURM_WORDS
#undef SLURM_MOST
#undef SLURM_KNOWN
#undef SLURM_PLUGIN
#undef SLURM_LINES
};

// The next word of a text with `sign` between them; false at the end.
static bool next_word(Str text, const char *sign, size_t *offset, Str *word) {
    if (*offset >= text.len) {
        return false;
    }
    const size_t end = str_find(text, str_of(sign), *offset);
    *word = str_trim(str_slice(text, *offset, end));
    *offset = end + 1;
    return true;
}

static bool is_same(Arena *arena, Str a, Str b) {
    return str_is_in_any_case(a, str_c(arena, b));
}

static bool is_word(Arena *arena, Str text, const char *words) {
    size_t offset = 0;
    Str word;
    while (next_word(str_of(words), " ", &offset, &word)) {
        if (is_same(arena, text, word)) {
            return true;
        }
    }
    return false;
}

// A whole number as strtoul(3) reads it, with base 0; false where it is none.
static bool read_number(Str text, int64_t *number) {
    const bool is_hex = str_starts_with(text, STR("0x")) || str_starts_with(text, STR("0X"));
    const size_t start = is_hex ? 2 : str_starts_with(text, STR("+")) ? 1 : 0;
    const int base = is_hex ? 16 : text.len > start && text.data[start] == '0' ? 8 : 10;
    *number = 0;
    for (size_t i = start; i < text.len; i++) {
        const char c = text.data[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : base;
        if (digit >= base) {
            return false;
        }
        *number = *number > (INT64_MAX - digit) / base ? INT64_MAX : *number * base + digit;
    }
    return text.len > start;
}

// As slurmctld reads a number without a bound: `K` behind it is 1024.
static bool read_thousands(Str text, int64_t *number) {
    const bool is_thousands = str_ends_with(text, STR("K")) || str_ends_with(text, STR("k"));
    const bool is_it = read_number(is_thousands ? str_slice(text, 0, text.len - 1) : text, number);
    if (is_thousands) {
        *number = *number > INT64_MAX / 1024 ? INT64_MAX : *number * 1024;
    }
    return is_it;
}

static bool is_number(Arena *arena, const ValueRow *row, Str text) {
    int64_t number = 0;
    const bool is_it = row->most == INT64_MAX ? read_thousands(text, &number) : read_number(text, &number);
    return is_word(arena, text, row->words) || (is_it && number <= row->most);
}

// Whether time_str2secs reads it: [days-]hours:minutes:seconds with no part left empty, as its _is_valid_timespec asks.
static bool is_time(Arena *arena, const ValueRow *row, Str text) {
    int numbers = 0;
    int dashes = 0;
    int colons = 0;
    bool is_digit = false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool was_digit = is_digit;
        is_digit = c >= '0' && c <= '9';
        numbers += is_digit && !was_digit ? 1 : 0;
        dashes += c == '-' ? 1 : 0;
        colons += c == ':' ? 1 : 0;
        if ((!is_digit && c != '-' && c != ':') || (c == '-' && colons > 0)) {
            return is_word(arena, text, row->words);
        }
    }
    const int least = colons == 0 ? 1 : colons + (dashes > 0 ? 2 : 1);
    return dashes <= 1 && colons <= 2 && numbers >= least;
}

// The first word that the row has not; empty where it has all.
static Str strange_word(Arena *arena, const ValueRow *row, Str text) {
    size_t offset = 0;
    Str word;
    while (next_word(text, ",", &offset, &word)) {
        if (word.len > 0 && !is_word(arena, word, row->words)) {
            return word;
        }
    }
    return STR_NONE;
}

static bool is_most(Arena *arena, const ValueRow *row, Str text) {
    size_t offset = 0;
    int count = 0;
    Str word;
    while (next_word(text, ",", &offset, &word)) {
        count += is_word(arena, word, row->words) ? 1 : 0;
    }
    return count <= 1;
}

static bool is_plugin(Arena *arena, const ValueRow *row, Str text) {
    const size_t slash = str_find(text, STR("/"), 0);
    if (slash == text.len) {
        return (row->kind[0] == '\0' || is_word(arena, text, "none default")) && is_word(arena, text, row->words);
    }
    const bool is_kind = row->kind[0] == '\0' || str_is_in_any_case(str_slice(text, 0, slash), row->kind);
    return is_kind && is_word(arena, str_slice(text, slash + 1, text.len), row->words);
}

static Str fault(Arena *arena, const ValueRow *row, Str text) {
    switch (row->takes) {
    case TAKES_NUMBER:
        return is_number(arena, row, text) ? STR_NONE : text;
    case TAKES_TIME:
        return is_time(arena, row, text) ? STR_NONE : text;
    case TAKES_SWITCH:
    case TAKES_WORD:
        return is_word(arena, text, row->words) ? STR_NONE : text;
    case TAKES_WORDS:
    case TAKES_KNOWN:
        return strange_word(arena, row, text);
    case TAKES_MOST:
        return is_most(arena, row, text) ? STR_NONE : text;
    case TAKES_PLUGIN:
        return is_plugin(arena, row, text) ? STR_NONE : text;
    case TAKES_LINES:
        break;
    }
    return STR_NONE;
}

// "priority/basic priority/multifactor" of the words of a plugin; the words of any other.
static const char *shown_words(Arena *arena, const ValueRow *row) {
    if (row->kind[0] == '\0') {
        return row->words;
    }
    StrBuf shown = { .arena = arena };
    size_t offset = 0;
    Str word;
    while (next_word(str_of(row->words), " ", &offset, &word)) {
        strbuf_add_format(&shown, "%s%s/%.*s", shown.len > 0 ? " " : "", row->kind, STR_ARG(word));
    }
    return str_c(arena, (Str){ .data = shown.data, .len = shown.len });
}

static void say_words(const Rules *rules, Diag *diag, const ValueRow *row, Str bad) {
    Session *session = rules->session;
    const char *words = shown_words(session->arena, row);
    const Str plugin = str_after_last(bad, '/');
    const bool has_kind = row->kind[0] != '\0';
    Suggestion suggestion =
        suggest_for(session, has_kind ? str_format(session->arena, "%s/%.*s", row->kind, STR_ARG(plugin)) : bad);
    size_t offset = 0;
    Str word;
    while (next_word(str_of(words), " ", &offset, &word)) {
        suggest_offer(&suggestion, word);
    }
    if (words[0] == '\0') {
        diag_help(session, diag, "remove it: Slurm has this setting no more");
        rule_remove(rules, diag, diag->span, true);
    } else if (row->takes == TAKES_MOST) {
        diag_help(session, diag, "write one of: %s", words);
    } else if (!rule_suggest(rules, diag, &suggestion, diag->span)) {
        diag_help(session, diag, "Slurm knows: %s", words);
    }
}

static void say_way_out(const Rules *rules, Diag *diag, const ValueRow *row, Str bad) {
    if (row->takes == TAKES_NUMBER && row->most == INT64_MAX) {
        diag_help(rules->session, diag, "write a whole number");
    } else if (row->takes == TAKES_NUMBER) {
        diag_help(rules->session, diag, "write a whole number from 0 to %" PRId64, row->most);
    } else if (row->takes == TAKES_SWITCH) {
        diag_help(rules->session, diag, "write `YES` or `NO`");
    } else if (row->takes == TAKES_TIME) {
        diag_help(rules->session, diag, "write minutes, or days-hours:minutes:seconds such as `14-0`");
    } else {
        say_words(rules, diag, row, bad);
    }
}

// A text in quotes is left alone, as Slurm takes them off. What is no line of slurm.conf is rule setting_text's.
static bool text_of(Arena *arena, const Value *value, Str *text) {
    if (value->kind == VALUE_INT) {
        *text = str_format(arena, "%" PRId64, value->integer);
        return true;
    }
    *text = value->kind == VALUE_STRING ? value->string : STR_NONE;
    bool is_plain = text->len > 0;
    for (size_t c = 0; is_plain && c < text->len; c++) {
        is_plain = text->data[c] != '"' && text->data[c] != '#' && text->data[c] >= ' ';
    }
    return is_plain;
}

void rule_setting_value(const Rules *rules, const PlanSetting *setting) {
    Arena *arena = rules->session->arena;
    const ValueEntry *entry = setting->entry;
    Str text;
    for (size_t i = 0; i < COUNT_OF(VALUE_ROWS) && text_of(arena, entry->value, &text); i++) {
        const ValueRow *row = &VALUE_ROWS[i];
        if (row->place != setting->place || !str_is_in_any_case(entry->key, row->name)) {
            continue;
        }
        const Str bad = fault(arena, row, text);
        if (bad.len == 0) {
            continue;
        }
        const bool is_open = row->takes == TAKES_KNOWN || row->takes == TAKES_PLUGIN;
        Diag *diag = is_open ? plan_report(rules->session, setting->subject, entry->value->span,
                                           DIAG(slurm_value_unknown), STR_ARG(bad), row->name)
                             : plan_report(rules->session, setting->subject, entry->value->span, DIAG(slurm_value),
                                           STR_ARG(bad), row->name);
        say_way_out(rules, diag, row, bad);
        return;
    }
}

static bool has_lines(Str key) {
    for (size_t i = 0; i < COUNT_OF(VALUE_ROWS); i++) {
        if (VALUE_ROWS[i].takes == TAKES_LINES && str_is_in_any_case(key, VALUE_ROWS[i].name)) {
            return true;
        }
    }
    return false;
}

// A value is one word, or all of it is in quotes. Where settings of the same line may follow, they do so as KEY=VALUE.
static const char *line_fault(Str text, bool is_followed) {
    const bool is_quoted = str_starts_with(text, STR("\""));
    size_t end = is_quoted ? str_find(text, STR("\""), 1) : 0;
    while (end < text.len && text.data[end] != ' ' && text.data[end] != '\t') {
        end++;
    }
    const bool is_more = is_followed && str_find(text, STR("="), end) < text.len;
    return text.len == 0 ? "it has no value" : end < text.len && !is_more ? "a blank ends the value" : NULL;
}

void rule_setting_line(const Rules *rules, const PlanSetting *setting) {
    const ValueEntry *entry = setting->entry;
    if (entry->value->kind != VALUE_STRING) {
        return;
    }
    const Str text = str_trim(entry->value->string);
    const char *fault = line_fault(text, setting->place != SLURM_CLUSTER || has_lines(entry->key));
    if (fault == NULL) {
        return;
    }
    const Str shown = text.len == 0 ? entry->key : text;
    Diag *diag =
        plan_report(rules->session, setting->subject, entry->value->span, DIAG(slurm_line), STR_ARG(shown), fault);
    if (text.len == 0) {
        diag_help(rules->session, diag, "write a value, or remove the setting");
    } else {
        diag_help(rules->session, diag,
                  "write `,` between the parts of a list, or quotes around a text: `\"\\\"a b\\\"\"`");
    }
}

void rule_setting_once(const Rules *rules, const PlanSetting *setting) {
    const ValueEntry *entry = setting->entry;
    for (uint32_t i = 0; i < setting->before_count && !has_lines(entry->key); i++) {
        const ValueEntry *before = &setting->before[i];
        if (is_same(rules->session->arena, entry->key, before->key)) {
            Diag *diag = plan_report(rules->session, setting->subject, entry->key_span, DIAG(slurm_setting_twice),
                                     STR_ARG(entry->key), STR_ARG(before->key));
            diag_label(rules->session, diag, before->key_span, "the first");
            diag_help(rules->session, diag, "remove one of them");
            return;
        }
    }
}

// ---- beyond the type -------------------------------------------------------------------------------------------

// The number of a setting of the group; 0 where it is none, and 1 where it is not there.
static int64_t number_of(const PlanNodes *nodes, const char *name, const Value **value) {
    for (uint32_t i = 0; i < nodes->slurm->settings->map.count; i++) {
        const ValueEntry *entry = &nodes->slurm->settings->map.entries[i];
        if (!str_is_in_any_case(entry->key, name)) {
            continue;
        }
        int64_t number = entry->value->kind == VALUE_INT ? entry->value->integer : 0;
        *value = entry->value;
        return entry->value->kind == VALUE_STRING && !read_thousands(entry->value->string, &number) ? 0 : number;
    }
    return 1;
}

static void beyond(const Rules *rules, const PlanNodes *nodes, const Value *at, const char *what, int64_t written,
                   int64_t has) {
    Diag *diag = plan_report(rules->session, nodes->head.subject, at->span, DIAG(slurm_node_beyond), written, what,
                             nodes->instance->name, has);
    diag_label(rules->session, diag, nodes->instance_value->span, "has %" PRId64, has);
    diag_help(rules->session, diag, "write %" PRId64 " at most, or leave it out", has);
}

// What stands in several factors is judged as one: slurmd holds each against what it finds.
static bool check_product(const Rules *rules, const PlanNodes *nodes, const char *const *names, size_t count,
                          const char *what, int64_t has) {
    const Value *at = NULL;
    int64_t product = 1;
    for (size_t i = 0; i < count; i++) {
        const int64_t number = number_of(nodes, names[i], &at);
        product = number > 0 && product > INT32_MAX / number ? INT32_MAX : product * number;
    }
    if (at == NULL || has <= 0 || product <= has) {
        return false;
    }
    beyond(rules, nodes, at, what, product, has);
    return true;
}

// `SlurmdParameters=config_overrides`: Slurm believes what is written.
static bool is_believed(const Rules *rules, const PlanCluster *cluster) {
    const Value *settings = cluster->slurm->settings;
    for (uint32_t i = 0; settings != NULL && settings->kind == VALUE_MAP && i < settings->map.count; i++) {
        const ValueEntry *entry = &settings->map.entries[i];
        size_t offset = 0;
        Str word;
        while (str_is_in_any_case(entry->key, "SlurmdParameters") && entry->value->kind == VALUE_STRING &&
               next_word(entry->value->string, ",", &offset, &word)) {
            if (is_word(rules->session->arena, word, "config_overrides")) {
                return true;
            }
        }
    }
    return false;
}

void rule_settings_of_type(const Rules *rules, const PlanNodes *nodes) {
    static const char *const THREADS[] = { "ThreadsPerCore" };
    static const char *const PROCESSORS[] = { "Sockets", "CoresPerSocket", "ThreadsPerCore" };
    static const char *const PROCESSORS_OF_BOARDS[] = { "Boards", "SocketsPerBoard", "CoresPerSocket",
                                                        "ThreadsPerCore" };
    static const char *const PROCS[] = { "Procs" };
    static const char *const MEMORY[] = { "RealMemory" };
    static const char *const RESERVED[] = { "MemSpecLimit" };
    if (nodes->slurm->settings == NULL || nodes->slurm->settings->kind != VALUE_MAP) {
        return;
    }
    if (is_believed(rules, nodes->cluster)) {
        return;
    }
    const InstanceRow *type = nodes->instance;
    (void)(check_product(rules, nodes, THREADS, COUNT_OF(THREADS), "threads on a core", type->threads_per_core) ||
           check_product(rules, nodes, PROCESSORS, COUNT_OF(PROCESSORS), "processors", type->vcpus) ||
           check_product(rules, nodes, PROCESSORS_OF_BOARDS, COUNT_OF(PROCESSORS_OF_BOARDS), "processors",
                         type->vcpus));
    check_product(rules, nodes, PROCS, COUNT_OF(PROCS), "processors", type->vcpus);
    check_product(rules, nodes, MEMORY, COUNT_OF(MEMORY), "MiB of memory", type->memory_mib);
    check_product(rules, nodes, RESERVED, COUNT_OF(RESERVED), "MiB of memory", type->memory_mib);
}
