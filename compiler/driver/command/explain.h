// The topics of `dtc explain`, one function for each kind of topic. A function returns false if the topic is not of its
// kind.
#pragma once

#include "compiler/driver/command/command.h"

#include "compiler/base/suggest.h"

// explain_schema.c
bool explain_kind(Run *run, Str topic);            // "nodes"
bool explain_attribute(Run *run, Str topic);       // "nodes.efa_layout"
bool explain_pattern(Run *run, Str topic);         // "capacity_reservation"
bool explain_schema_constant(Run *run, Str topic); // "job_shm_mib"
bool explain_quota(Run *run, Str topic);           // "L-417A185B"
void explain_offer_attributes(Run *run, Str topic, Suggestion *suggestion);

// explain_list.c
bool explain_list(Run *run, Str topic); // "functions"

// explain_library.c
bool explain_library(Run *run, Str topic); // "std", "std/eks-p5"
void explain_offer_modules(Run *run, Str topic, Suggestion *suggestion);
Str library_summary(Str text); // the first sentence of a source's first comment; empty: it has none

// explain_variable.c
bool explain_variable(Run *run, Str topic); // "NCCL_NET", "variables"
void explain_offer_variables(Suggestion *suggestion);

// explain_topic.c
bool explain_topic(Run *run, Str topic); // "karpenter": no word of the language, and what dtc does about it today
void explain_offer_topics(Suggestion *suggestion);

// explain_combinations.c: the rows of the code, nothing for another one
void explain_combinations(Run *run, DiagId code);

// explain_asked.c: the forms in which dtc finds what the code says, nothing for a code that no form has
void explain_asked(Run *run, const char *code);

// explain_search.c: what speaks of some words, by title and text; false, and nothing printed, where nothing does.
bool explain_search(Run *run, Str text);
// "127 texts of dtc speak of it: …", behind a topic of its own; nothing where all fit into one answer.
void explain_count_mentions(Run *run, Str text);
Str explain_absent_word(Run *run, Str text, Str *nearest); // the first word that is nowhere; empty: none

// explain_line.c: FILE:LINE of an output. True where the topic has that form and the file is there; `*status` is then
// what came of it.
bool explain_line(Run *run, Str topic, ExitStatus *status);
