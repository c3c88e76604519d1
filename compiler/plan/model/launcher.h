// What a command starts, as rules ask for it: the launcher that it runs, what that is told of nodes, processes, ranks and
// where they meet, and the variables that it finds. Each way in fills it once for a command: a `job` of infra.dt, a job
// definition of AWS Batch, each container of pods, and the scripts that a node runs at its start.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/model/plan_nodes.h"
#include "compiler/script/command_words.h"

// More than one where one starts the other, or a script runs several.
typedef enum {
    PROGRAM_TORCHRUN = 1,
    PROGRAM_MPIRUN = 2,
    PROGRAM_SRUN = 4,
    PROGRAM_ACCELERATE = 8,
    PROGRAM_DEEPSPEED = 16,
    PROGRAM_ANY = 0,
} PlanProgram;

typedef VEC(PlanVariable) PlanLauncherVariables;

// A field that an option fills (launcher.def) has it as it is written: `2`, `2:4`, `$NNODES`. Its `key` is the place of the
// option, its `name` the usual spelling. Of several it is the first with a number, or else the first with any value.
typedef struct PlanLauncher {
    CommandWords words;
    CommandSettings settings; // in the words
    unsigned programs;        // PlanProgram that are run

    PlanField nodes;        // that wait for each other
    PlanField tasks;        // processes of each node
    PlanField rank;         // of the node
    PlanField address;      // of the main node
    PlanField port;         // of the main node
    PlanField endpoint;     // of the rendezvous
    PlanField backend;      // of the rendezvous
    PlanField standalone;   // a node alone; only whether it is there
    PlanField machine_rank; // of the node, to launchers beside torchrun
    PlanField total;        // processes of all nodes, to accelerate
    PlanField each;         // processes of each node, to mpirun and what takes its options
    PlanField map;          // how mpirun spreads its processes: "ppr:8:node"
    PlanField hosts;        // or a file of them, likewise
    PlanField machine_file; // the same, or an option of another program
    PlanField processes;    // all that mpirun starts; absent where several are run, or one with several parts

    PlanLauncherVariables variables; // of the environment; FIELD_LATE is the value of one that Kubernetes fills in
    bool has_other_variables;        // that nobody knows
    bool is_of_pod;                  // Kubernetes fills in `$(NAME)`; to a shell that is a command
} PlanLauncher;

// Of the words of a list in infra.dt, or in an object: none of what is no list.
void launcher_words_of_list(Arena *arena, CommandWords *words, const Value *list);

// Of the `command`, the `args` and the `env` of a container, which may be NULL.
const PlanLauncher *launcher_of_pod(Session *session, const Value *container);
// Of a list, or what is none, and a map of variables.
const PlanLauncher *launcher_of_job(Session *session, const Value *command, const Value *env);
const PlanLauncher *launcher_of_definition(Session *session, const PlanContainer *container);
// Of scripts that each node runs at its start. NULL where none of them names a launcher, which costs no more than the look.
const PlanLauncher *launcher_of_user_data(Session *session, const PlanUserData *data);
const PlanLauncher *launcher_of_scripts(Session *session, const PlanScripts *scripts);
// Of a script that a person submits. Likewise.
const PlanLauncher *launcher_of_script(Session *session, Str script, Span span);
// Of what srun starts in it, with the variables that it finds.
const PlanLauncher *launcher_of_step(Session *session, const CommandWords *words,
                                     const PlanLauncherVariables *variables, bool has_others);

// Whether a word is the program, or the end of its path, or a script has it.
bool launcher_runs(const PlanLauncher *launcher, PlanProgram program);
// The program that a word names, perhaps by a path; PROGRAM_ANY: none of them.
PlanProgram launcher_program(Str word);
const char *launcher_program_name(PlanProgram program); // "torchrun"; empty of several, or of none

// A variable of the environment; NULL: there is none, or nobody knows it.
const PlanVariable *launcher_variable(const PlanLauncher *launcher, Str name);
// Whether the environment has one whose name begins so; whether it may, by what nobody knows.
bool launcher_sets(const PlanLauncher *launcher, const char *start);
bool launcher_may_set(const PlanLauncher *launcher, const char *start);

// The field, or the value of the variable that it names before `:` or its end: of `$ADDRESS:29500` that of ADDRESS, as a
// script sets it once, which may name another, or as the environment has it and no script sets it.
PlanField launcher_value(const Session *session, const PlanLauncher *launcher, const PlanField *field);
// The variable of the environment that a field names, likewise; NULL: it names none, or a script sets it.
const PlanVariable *launcher_named(const PlanLauncher *launcher, const PlanField *field);
// Its number, of a range the lower end: by a variable too, of the environment or of a script. -1: nobody knows one.
int64_t launcher_number(const PlanLauncher *launcher, const PlanField *field);
// How many processes mpirun starts on each node, by `each` or by a `map` of `ppr:N:node`. -1: nothing says it.
int64_t launcher_each(const PlanLauncher *launcher);
// The field that says for how many nodes each of them waits: an option, or PET_NNODES, which torchrun reads where no option
// says it.
PlanField launcher_nodes(const PlanLauncher *launcher);
// Its number, of a range the lower end; -1: nobody knows one.
int64_t launcher_node_count(const PlanLauncher *launcher);
// Where the field is written as a number and nothing else; SPAN_NONE elsewhere, as of a range or a variable.
Span launcher_number_place(const Session *session, const PlanField *field);

// The first value that the words give a variable or an option: `NAME=VALUE` of a script, or behind `-x`. Absent where there
// is none.
PlanField launcher_setting(const Session *session, const PlanLauncher *launcher, const char *name);

// Whether a text stands anywhere in the words, in what only tells people, too.
bool launcher_mentions(const PlanLauncher *launcher, const char *text);
bool launcher_mentions_any(const PlanLauncher *launcher, const char *const *texts, size_t count);

// Whether a script among the words reads another one that may set its variables.
bool launcher_reads_others(const PlanLauncher *launcher);

// Whether its mpirun may start more processes on a host than it has slots there.
bool launcher_shares_slots(const PlanLauncher *launcher);
// The word that has a text in what is run; NULL: none.
const CommandWord *launcher_says(const PlanLauncher *launcher, const char *text);
bool launcher_has_late_words(const PlanLauncher *launcher); // whether one of them is not known

// Whether only some nodes may run what stands in a script.
bool launcher_has_branches(const PlanLauncher *launcher);

// The place of a text in what is written at a span; the span where it is written in another way.
Span launcher_part(const Session *session, Span span, Str text);
