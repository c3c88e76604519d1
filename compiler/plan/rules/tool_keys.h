// Holds values against the keys that eksctl and ParallelCluster take in their files (schema/patches.def).
#pragma once

#include "compiler/plan/rules/rules.h"

typedef enum { PATCH_EKSCTL, PATCH_PCLUSTER } PatchTool;

// A map of a tool's file.
typedef struct {
    PatchTool tool;
    const char *name;
    const char *keys;
} KeysRow;

// What a key takes, as its row writes it: "string!", "[Addon]", "|one|other".
typedef struct {
    Str type; // without `!`; empty: anything
    bool is_required;
} KeyTakes;

// Where the values stand: in patches of a part, or in a file of somebody else.
typedef struct {
    const Rules *rules;
    PatchTool tool;
    const PlanPart *part;                   // NULL: of no part
    const PlanConfiguration *configuration; // NULL: of no file
} KeysCheck;

const char *keys_tool_name(PatchTool tool);

// What findings about a place are about.
const Subject *keys_subject(const KeysCheck *check, Span span);

// The map of that name, the whole file without one; NULL where the tool has none such.
const KeysRow *keys_find_map(PatchTool tool, Str name);
// What a key of `row` takes; false of an unknown key, which takes anything.
bool keys_find(const KeysRow *row, Str key, KeyTakes *takes);
// The type of the items of a list, of the values of an open map, and of `*Name` itself; empty: not known.
Str keys_item_type(Str type);
bool keys_are_open(Str type); // a map of any keys

// Reports what the tool does not take: a key, and all that is wrong with the value of a key.
void keys_unknown(const KeysCheck *check, const KeysRow *row, Str key, Span span);
void keys_check(const KeysCheck *check, Str name, KeyTakes takes, const Value *value);
