// Bytes into lines of the record. Nothing is repaired: the compiler that wrote them was built with this core, so
// whatever is not as contract.h has it means that the record is not what the compiler wrote.
#include "stdlib/node/core/record.h"

#include <stddef.h>

enum { KEY_SIZE = 16, FORM_SIZE = 4 };

enum { ONCE, MANY };

typedef struct {
    char name[KEY_SIZE];
    char form[FORM_SIZE];
    char repeat;
    char class;
} KeyRow;

#define NODE_KEY(ID, name, form, repeat, unit, class, text) { name, form, repeat, class },
static const KeyRow KEYS[] = { NODE_KEYS(NODE_KEY) };
#undef NODE_KEY

enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0] };

const char *key_name(Key key) {
    return KEYS[key].name;
}

Class key_class(Key key) {
    return (Class)KEYS[key].class;
}

const char *record_values(const Record *record, Key key) {
    for (int i = 0; i < record->count; i++) {
        if (record->lines[i].key == key) {
            return record->lines[i].values;
        }
    }
    return NULL;
}

static bool word_has_form(const char *word, char form) {
    if (form == 'p') {
        return *word == '/';
    }
    if (form == 'w' || (form == 'u' && word_is(word, "unlimited"))) {
        return true;
    }
    const uint64_t number = number_at(word);
    while (is_digit(*word) || (form == 'v' && *word == '.')) {
        word++;
    }
    return (unsigned char)*word <= ' ' && number <= NODE_NUMBER_MAX;
}

// A form is a letter a value, from `n` on; the last may be followed by `*` or `?`, which stand before.
static bool values_have_form(const char *values, const char *form) {
    int count = 0;
    for (const char *word = values; *word != '\0'; word = word_next(word)) {
        form += word != values && form[1] != '*';
        if (*form < 'n' || !word_has_form(word, *form) || ++count > NODE_LINE_VALUES_MAX) {
            return false;
        }
    }
    return count > 0 && (form[1] < 'n' || form[2] == '?');
}

static const char *read_line(Record *record, const char *text) {
    Line *line = &record->lines[record->count];
    line->only_warns = *text == NODE_RECORD_WARN;
    text += line->only_warns;
    for (int i = 0; i < KEY_COUNT; i++) {
        const char *rest = text_after(text, KEYS[i].name);
        if (rest == NULL || *rest != ' ') {
            continue;
        }
        line->key = (Key)i;
        line->values = rest + 1;
        if (KEYS[i].repeat == ONCE && record_values(record, line->key) != NULL) {
            return "key stands twice";
        }
        record->count++;
        return values_have_form(line->values, KEYS[i].form) ? NULL : "value of another form";
    }
    return "unknown key";
}

static bool is_in_alphabet(char byte) {
    for (const char *mark = NODE_RECORD_PUNCTUATION; *mark != '\0'; mark++) {
        if (byte == *mark) {
            return true;
        }
    }
    return is_digit(byte) || (unsigned)((byte | 0x20) - 'a') < 26;
}

static bool is_version(const char *line) {
    const char *rest = text_after(line, NODE_RECORD_VERSION);
    return rest != NULL && *rest == '\0';
}

static const char *read_lines(Record *record, char *text, const char *end) {
    while (text < end) {
        char *start = text;
        record->fault_line++;
        text += *text == NODE_RECORD_WARN;
        while (text < end && is_in_alphabet(*text)) {
            text++;
        }
        if (text == end || *text != '\n') {
            return "a byte that may not stand here";
        }
        *text++ = '\0';
        if (text - start > NODE_LINE_BYTES_MAX + 1 || record->fault_line > NODE_RECORD_LINES_MAX) {
            return "too long";
        }
        const char *fault = record->fault_line > 1 ? read_line(record, start)
                            : is_version(start)    ? NULL
                                                   : "another version";
        if (fault != NULL) {
            return fault;
        }
    }
    record->fault_line = 0;
    return record->count > 0 ? NULL : "nothing in it";
}

void record_read(Record *record, char *text, int len) {
    record->count = 0;
    record->fault_line = 0;
    record->fault = len < 0 ? "cannot be read" : len > NODE_RECORD_BYTES_MAX ? "too long" : NULL;
    if (record->fault == NULL) {
        record->fault = read_lines(record, text, text + len);
    }
}
