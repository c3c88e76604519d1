// The words of commands in a batch script, with what variables of the script put into them.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"

// A word, without the quotes around all of it. It is a slice of the script.
typedef struct {
    Str text;
    char quote; // around all of it; NUL: none
} SlurmWord;

typedef VEC(SlurmWord) SlurmWords;

// A variable that the script sets.
typedef struct {
    Str name;
    Str raw;        // its value, as it is written: without quotes around all of it, or what stands in `( )`
    bool is_list;   // `( … )`
    bool is_sure;   // it is set once, whatever the script asks before
    VEC(Str) more;  // what is added to it behind, in the same way
    bool is_open;   // something else may be added
    uint32_t times; // that something is
    bool is_exported;
    bool
        is_idle; // to srun each value that it is given is nothing, or an option that is not about nodes, tasks and GPUs
    bool is_fallback; // `: ${NAME:=VALUE}`
    PlanField set;    // FIELD_KNOWN: the text that it has, behind other variables too
    Str fallback;     // what it is where nobody sets it before; empty: it has a text, or nothing is known
} SlurmVariable;

typedef VEC(SlurmVariable) SlurmVariables;

typedef struct {
    Arena *arena;
    uint32_t source;
    Str text; // of the script
    SlurmVariables variables;
    VEC(Span) heredocs; // texts of here-documents
    uint32_t expanded;  // how often one of them was put into words
    bool is_each;       // each node may run it: what differs among nodes stays as it is written
    int64_t nodes;      // of the job; -1: not known
} SlurmShell;

// Finds the variables of a script. `(SlurmShell){ .arena = …, .source = …, .text = … }`.
void slurm_find_variables(SlurmShell *shell);
const SlurmVariable *slurm_variable(const SlurmShell *shell, Str name); // NULL: none

// The words of a text as a shell takes them apart, without comments. The text is a slice of the script.
void slurm_split(const SlurmShell *shell, Str text, SlurmWords *words);

// The same, of words: a variable that is all of a word without quotes, or a list, in the place of its words.
void slurm_expand(SlurmShell *shell, const SlurmWord *word, SlurmWords *words);

// The name of `$NAME`, `${NAME}` or `${NAME[@]}` that is all of a text; empty: it is none.
Str slurm_name_in(Str text);

Span slurm_place(const SlurmShell *shell, Str part); // of a slice of the script
