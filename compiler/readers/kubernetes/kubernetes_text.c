// kubectl and eksctl read YAML 1.1 (sigs.k8s.io/yaml@aadfabb go.mod; yaml/go-yaml@43b627a resolve.go, of v2; read 2026-11).
#include "compiler/readers/kubernetes/kubernetes_text.h"

#include "compiler/readers/foreign_value.h"

static bool is_plain(Session *session, const Data *data) {
    const char first = str_at(source_get(session, data->span.source)->text, data->span.start);
    return first == str_at(data->string, 0);
}

static bool is_word(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

// <NAME>, __NAME__ or %NAME%, anywhere in a word.
static bool is_to_be_replaced(Str text) {
    static const char *const BEGIN[] = { "<", "__", "%" };
    static const char *const END[] = { ">", "__", "%" };
    for (size_t i = 0; i < COUNT_OF(BEGIN) && str_find(text, STR(" "), 0) == text.len; i++) {
        const size_t at = str_find(text, str_of(BEGIN[i]), 0);
        if (at < text.len && str_find(text, str_of(END[i]), at + strlen(BEGIN[i])) < text.len) {
            return true;
        }
    }
    return false;
}

static void read_switch(Session *session, Data *data) {
    static const char *const ON[] = { "y", "Y", "yes", "Yes", "YES", "on", "On", "ON" };
    static const char *const OFF[] = { "n", "N", "no", "No", "NO", "off", "Off", "OFF" };
    const bool is_on = is_word(data->string, ON, COUNT_OF(ON));
    if ((is_on || is_word(data->string, OFF, COUNT_OF(OFF))) && is_plain(session, data)) {
        data->kind = DATA_BOOL;
        data->boolean = is_on;
    }
}

void kubernetes_switches(Session *session, Data *data) {
    if (data->kind == DATA_STRING) {
        read_switch(session, data);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        kubernetes_switches(session, data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
}

static void mark_replaced(Data *data) {
    if (data->kind == DATA_STRING && is_to_be_replaced(data->string)) {
        data->tag = STR(FILLED_IN);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        mark_replaced(data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
}

void kubernetes_words(Session *session, Data *data) {
    kubernetes_switches(session, data);
    mark_replaced(data);
}
