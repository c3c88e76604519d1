// The session: the whole state of one run of the compiler. Functions take it as their first parameter.
#pragma once

#include "compiler/base/diag/diag.h"
#include "compiler/base/overlay.h"
#include "compiler/base/vec.h"

// Frees what a library holds outside of the arena.
typedef struct {
    void (*free)(void *held);
    void *held;
} SessionEnd;

struct Session {
    Arena *arena;
    VEC(Source) sources; // [0] is no source
    Diags diags;
    uint32_t suggestion_count;       // candidates that were looked at, against SUGGESTIONS_MAX
    uint64_t step_count;             // of work that takes time and no memory: evaluation, sums of files
    size_t beside_bytes;             // that builds beside it took (driver/mended.h), and gave back
    VEC(SessionEnd) ends;            // run when the session is destroyed
    Session *owner;                  // that it was made beside, and that outlives it; itself where there is none
    struct PatternCache *patterns;   // compiled when first used; owned by pattern.c
    const DiagLevel *levels;         // of each DiagId; NULL: all are as their rows say
    const Overlay *overlay;          // texts that stand in for files; NULL: all are as on the disk
    struct FillerCache *fillers;     // folders that were looked into; owned by driver/lint/fillers.c
    struct InstanceTable *instances; // those that were asked for, and of `--schema` files; owned by schema/instances.c
};

// Never returns NULL.
Session *session_create(void);

// One that takes memory which others beside the same session gave back, and what that one has compiled. It has to be
// destroyed before that one, and only one thread at a time may use any of them.
Session *session_create_beside(Session *other);

void session_destroy(Session *session);
