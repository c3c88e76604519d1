// A file for a tool that takes no late values: ParallelCluster, eksctl, kubectl. What is late is looked up among the
// facts; a file that misses some is not written: it waits, and says for what.
#pragma once

#include "emitters/emitter.h"
#include "emitters/doc/tree.h"

typedef struct {
    Session *session;
    const Plan *plan;
    const PlanHead *head; // the block whose file it is
    const char *suffix;   // "pcluster"
    bool has_documents;   // the root's values are documents of their own; patches say that they are for this file
    Arena *arena;         // the document's: given back as a whole when the text is written
    Doc *doc;
    Blocks blocks;       // whose patches are applied, and of all in them
    Blocks other_blocks; // but of these: theirs are for another file
    MissingFacts missing;
    PlanStep step;      // in the session's arena, as the texts in it and the next one
    Str remove_by_name; // in place of a `step.remove` that names the file, where it waits and is not there
} Plain;

// An empty document; its root is a map. `kind` is the step's.
Plain *plain_open(Session *session, const Plan *plan, const PlanHead *head, const char *suffix, const char *kind);

// A value as it stands in the file: NULL for one that is null, or a late optional that nothing gave. A late value
// without a fact becomes an empty text in a file that is then not written.
DocNode *plain_node(Plain *plain, const Value *value);

// The same of a list of lists and single values, laid end to end; and with the text of a value that is a string.
DocNode *plain_list(Plain *plain, const Value *value);
Str plain_text(Plain *plain, const Value *value); // empty where it is missing or null

// Whether a value turns out to be null here: not given, null, or a late optional that nothing gave.
bool plain_is_null(Plain *plain, const Value *value);

// A quantity in units of `unit` (bytes, bits a second, milliseconds); reported where it does not come out even.
DocNode *plain_amount(Plain *plain, const Value *value, int64_t unit, const char *unit_name);

// A word in capitals, as FSx spells what the language has in small letters.
void plain_put_upper(Plain *plain, DocNode *map, const char *key, const Value *word);

// ARNs of managed policies, each once; a name is one of AWS's own, in the partition of `region` (empty: `aws`).
DocNode *plain_policy_arns(Plain *plain, Str region, const Value *policies);

// An output of a stack that another tool makes, by its key; and the account that such a stack is in. `used` is where
// the source needs it. Empty where no fact tells: the file then waits.
Str plain_fact(Plain *plain, Span used, Str stack, const char *output);
Str plain_account(Plain *plain, Span used, Str stack);

// Ends the file: patches, text, artifact. The plain file is gone afterwards.
void plain_write(Plain *plain, Output *output);
