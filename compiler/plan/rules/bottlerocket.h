// What Bottlerocket takes as a setting, in TOML of user data or in the map of another tool. It refuses all settings where it
// does not know one of them, and the node does not join.
#pragma once

#include "compiler/plan/rules/rules.h"

typedef enum {
    BOTTLEROCKET_OTHER, // nobody knows, or nothing is said of it
    BOTTLEROCKET_TEXT,
    BOTTLEROCKET_NUMBER,
    BOTTLEROCKET_BOOL,
    BOTTLEROCKET_BARE, // a word that is neither, and has no quotes: TOML has no such value
} BottlerocketForm;

typedef struct {
    Str path; // of the map that has the key: "settings.kubernetes"; empty at the top
    Str key;
    Span key_span;
    BottlerocketForm form; // of the value
    Span span;             // of the value
    Str written;           // a text without its quotes
} BottlerocketSetting;

// Whether something is known of the keys at a path.
bool bottlerocket_knows(Str path);

// Whether the name is known and the value has its form; of a path of which nothing is known, true.
bool bottlerocket_takes(const BottlerocketSetting *setting);

// Reports a name that is nearly that of a setting, and a value of another form.
void bottlerocket_check(const Rules *rules, const Subject *subject, const BottlerocketSetting *setting);
