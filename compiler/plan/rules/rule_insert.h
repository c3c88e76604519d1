// Fixes that put an entry into a map of a file of another tool. The value is as YAML has it; a list is as JSON has it. A key
// may lead through maps, as "MetadataOptions|HttpTokens": those that are not there are made.
//
// Nothing is written before insertions_settle(): keys and values have to live as long as the session.
#pragma once

#include "compiler/plan/rules/rules.h"

// Behind the entry that stands at a place, which is its key or lies in its value, with the indent and the quotes of that one.
// There is no fix where the key is there already, where a function of CloudFormation decides what the map is, and where the
// map takes over another one or stands in several places.
void rule_insert_beside(const Rules *rules, Diag *diag, Span place, Str key, Str value);

// The same at the end of the map at a place: its whole text, or the key that it stands behind.
void rule_insert_into(const Rules *rules, Diag *diag, Span place, Str key, Str value);

// Behind the item of a list that stands at a place. A single value, as IAM takes one for a list, becomes a list of two. What
// begins with `!` is of YAML alone.
void rule_insert_item(const Rules *rules, Diag *diag, Span place, Str value);

// Finds where these write in the text of a file, once all has been said of it.
void insertions_settle(Session *session, const Plan *const *plans, uint32_t count);
