// The topics that are no words of the language: `dtc explain karpenter`. Each says what dtc can do about it today.
#include "compiler/driver/command/explain.h"

#include "compiler/driver/output/print.h"

typedef struct {
    const char *name;
    const char *others; // with blanks between them
    const char *text;
} TopicRow;

static const TopicRow TOPIC_ROWS[] = {
#define TOPIC(name, others, text) { name, others, text },
#include "compiler/driver/command/topics.def"
#undef TOPIC
};

// "login nodes", "login-nodes" and "LoginNodes" are one word.
static Str squeezed(Arena *arena, Str words) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < words.len; i++) {
        if (strchr(" -_", words.data[i]) == NULL) {
            strbuf_add_char(&out, char_small(words.data[i]));
        }
    }
    return strbuf_str(&out);
}

static bool is_called(Arena *arena, const TopicRow *row, Str topic) {
    bool is_found = str_equal(squeezed(arena, str_of(row->name)), topic);
    Str rest = str_of(row->others);
    while (!is_found && rest.len > 0) {
        const size_t blank = str_find(rest, STR(" "), 0);
        is_found = str_equal(squeezed(arena, str_slice(rest, 0, blank)), topic);
        rest = str_slice(rest, blank < rest.len ? blank + 1 : blank, rest.len);
    }
    return is_found;
}

bool explain_topic(Run *run, Str topic) {
    const Str asked = squeezed(run->arena, topic);
    for (size_t i = 0; i < COUNT_OF(TOPIC_ROWS); i++) {
        if (is_called(run->arena, &TOPIC_ROWS[i], asked)) {
            strbuf_add_format(&run->out, "%s: what dtc does about it today\n\n", TOPIC_ROWS[i].name);
            print_wrapped(&run->out, str_of(TOPIC_ROWS[i].text), 0);
            explain_count_mentions(run, str_of(TOPIC_ROWS[i].name));
            return true;
        }
    }
    return false;
}

void explain_offer_topics(Suggestion *suggestion) {
    for (size_t i = 0; i < COUNT_OF(TOPIC_ROWS); i++) {
        suggest_offer(suggestion, str_of(TOPIC_ROWS[i].name));
    }
}
