// Kinds of Kubernetes that make pods (workloads.def).
#pragma once

#include "compiler/base/str.h"

typedef enum {
    IS_JOB = 1 << 0,         // its pods work on something that ends, and that is lost with one of them
    IS_TOGETHER = 1 << 1,    // all its pods are one job; those of others may be jobs of their own
    TALKS = 1 << 2,          // its pods talk to each other
    IS_COUNTED = 1 << 3,     // its pods run at once, and are all of their job, unless it has one pod alone
    IS_INDEXED = 1 << 4,     // its pods are those of Jobs, which may give them an index
    IS_DAEMON = 1 << 5,      // each node has one
    IS_RANKED = 1 << 6,      // the pods of a template run the same command as they are written
    RANKS_TORCH = 1 << 7,    // torchrun reads the rank that they are given by itself, or nobody knows
    GIVES_RANK = 1 << 8,     // RANK is set behind what is written, and wins
    MEETS = 1 << 9,          // torchrun meets where the maker says
    PODS_END = 1 << 10,      // its pods end: they are not started again always
    PODS_RESTART = 1 << 11,  // its pods are always started again, and its selector has to select them
    KEEPS_DNS = 1 << 12,     // the DNS of the pods is what is written
    KEEPS_WORDS = 1 << 13,   // the pods have the containers that are written, and no others
    RUNS_BY_SHELL = 1 << 14, // a shell reads the words of the command
    MAKES_SHM = 1 << 15,     // where nothing is mounted at /dev/shm, a volume in memory is
    LIES_OVER = 1 << 16,     // the template is another object's: the pods are a part of it
    INDEXES = 1 << 17,       // its Jobs give their pods an index where nothing is said
    NAMES_PODS = 1 << 18,    // each pod has a Service of its name, `NAME-GROUP-INDEX`
    KEEPS_ALL = KEEPS_DNS | KEEPS_WORDS,
} WorkloadTrait;

typedef struct {
    const char *type;      // "batch/v1/Job": of versions with the same pods the newest
    unsigned traits;       // of WorkloadTrait
    const char *varies;    // path of what lets the number of pods vary; NULL: nothing does
    const char *least;     // path of how many pods are placed together; NULL: none, or the maker knows
    const char *all;       // path of how many pods there are in all, one after the other
    const char *restart;   // the restart policy of pods that say none, where it matters
    const char *rank;      // a variable that differs in each pod; NULL: nobody knows one
    const char *variables; // what each container is given, `A|B`; `A*` is each name that begins so, and with `*` there
                           // may be others
    const char *domain; // path of the subdomain of the pods, which is else the name of the object; NULL: they have none
    const char *address; // a variable that has the host of a pod; NULL: none
    const char *host;    // a variable by which the maker itself tells pods a name of the cluster; NULL: none
    const char *host_by; // paths that are all there where it does, `A|B`; NULL: it always does
    const char *seekers; // in the path of the pods that look for it; NULL: all do
    const char *own;     // all variables that begin so are the maker's; NULL: there is no such beginning
    const char *labels;  // that have the name of the object, `A|B`; NULL: none
    const char *volumes; // that pods are given, `A|B`; `*A` is each name that ends so
    const char *claims;  // path of templates of claims, each of which is a volume
} WorkloadKind;

typedef struct {
    const char *type;
    const char *path;  // of the specification of pods: "spec.tasks.*.template.spec"
    const char *count; // of the pods that run at once; NULL: nothing here says it
} PodsRow;

extern const PodsRow PODS_ROWS[];
extern const size_t PODS_ROW_COUNT;

const WorkloadKind *schema_workload(Str type); // of an older version the newer one; NULL: the rows have no such kind

const PodsRow *schema_pods(Str type); // the first of a kind that has rows

static inline Str workload_path(const char *path) {
    return path == NULL ? STR_NONE : str_of(path);
}

// Whether `words`, which may be NULL, has the word: `A|B|*C`.
bool workload_has(const char *words, Str word);

// The word of `words` at or behind `*at`, which goes on behind it; empty behind the last one.
Str workload_next(const char *words, size_t *at);
