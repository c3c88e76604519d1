#include "schema/renamed.h"

#include <string.h>

typedef struct {
    const char *kind; // NULL: a tag
    const char *former;
    const char *name;
} Renamed;

static const Renamed RENAMED[] = {
#define RENAMED_ATTRIBUTE(kind, former, name) { kind, former, name },
#define RENAMED_TAG(former, name) { NULL, former, name },
#include "schema/renamed.def"
};

static const OtherWord OTHER_WORDS[] = {
#define OTHER_WORD(kind, word, attribute, help) { kind, word, attribute, help },
#include "schema/other_words.def"
};

const OtherWord *schema_other_word(const char *kind, Str word) {
    for (size_t i = 0; i < COUNT_OF(OTHER_WORDS); i++) {
        if (strcmp(OTHER_WORDS[i].kind, kind) == 0 && str_is(word, OTHER_WORDS[i].word)) {
            return &OTHER_WORDS[i];
        }
    }
    return NULL;
}

const char *schema_renamed_attribute(const char *kind, Str name) {
    for (size_t i = 0; i < COUNT_OF(RENAMED); i++) {
        if (RENAMED[i].kind != NULL && strcmp(RENAMED[i].kind, kind) == 0 && str_is(name, RENAMED[i].former)) {
            return RENAMED[i].name;
        }
    }
    return NULL;
}

const char *schema_renamed_tag(Str name) {
    for (size_t i = 0; i < COUNT_OF(RENAMED); i++) {
        if (RENAMED[i].kind == NULL && str_is(name, RENAMED[i].former)) {
            return RENAMED[i].name;
        }
    }
    return NULL;
}
