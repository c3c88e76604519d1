// Finds placeholders: words that samples leave for others to replace, in a text that is about to be deployed.
#pragma once

#include "compiler/plan/model/plan.h"

// Where a text goes decides what can be meant in it.
typedef enum {
    TEXT_SCRIPT, // a shell or a template reads it: `${x}` and `<X_Y>` have a meaning there
    TEXT_VALUE,  // some program may put something in place of `${x}`
    TEXT_PLAIN,  // it arrives as it is
} TextUse;

// The first placeholder at or after `from`: true, and where it begins and ends.
bool placeholder_find(Str text, TextUse use, size_t from, size_t *start, size_t *end);

// The first words in angle brackets, whatever they are: `<subnet>`, `<role arn>`. A text may mean them; where an id belongs
// they stand for it.
bool placeholder_find_angle(Str text, size_t from, size_t *start, size_t *end);

// Whether all of a text is words in angle brackets, two or more: `<HF_token>`. One may be a token of a model: `<image>`.
bool placeholder_is_words(Str text);

// Whether all of a text is a variable of a shell: `$SUBNET`, `${SUBNET}`.
bool placeholder_is_variable(Str text);

// The first id that documentation uses in examples and no account has: `subnet-12345678`, account 123456789012.
bool placeholder_find_example(Str text, size_t from, size_t *start, size_t *end);

// Adds what a script replaces: by `sed 's/PLACEHOLDER/…/'`, and `${NAME}` by envsubst. The script has no comments, and lives
// as long as the fillers.
void placeholder_add_filler(Arena *arena, PlanFillers *fillers, Str script);

// Whether a file has two or more variables of a shell that are not the same: `$NAME`, `${NAME}`. `*has_one`: or one.
bool placeholder_has_variables(Str text, bool *has_one);

// For when all scripts are added.
void placeholder_sort_fillers(PlanFillers *fillers);

// Whether one of the scripts puts a text in the place of a placeholder.
bool placeholder_is_filled_by(const PlanFillers *fillers, Str placeholder);

// Whether somebody, or another program, puts a text in the place of a part of it: `${OIDC}`, `<ID>`, `%s`, XXXX.
bool placeholder_is_open(Str text);

// Whether somebody puts a text in the place of a name, or of a part of it, before a cluster sees it: TARGET_NODE_NAME,
// Kustomize's `$(name)`, `job-{number}`.
bool placeholder_is_filled_in(Str name);
