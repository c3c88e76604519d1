// Fixes that take something out of a file of another tool: a key with its value, or an item of a list.
#pragma once

#include "compiler/plan/rules/rules.h"

// Takes out the entry of a map that stands at a place, which is its key or lies in its value. There is no fix where that
// would take a comment along, or leave the map empty; with `or_map`, the map itself goes then, as an entry of the one
// around it.
void rule_remove(const Rules *rules, Diag *diag, Span place, bool or_map);

// The same for the item of a list that lies around a place: the innermost item that is a map, or the scalar that is the
// place itself.
void rule_remove_item(const Rules *rules, Diag *diag, Span place);

// Finds what these two take out in the text of a file, once all has been said of it.
void removals_settle(Session *session, const Plan *const *plans, uint32_t count);

// All that an entry of a map takes up in the text, from its key on; SPAN_NONE where that is not known, as behind an alias.
Span entry_text(const DataEntry *entry);
