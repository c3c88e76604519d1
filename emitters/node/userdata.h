// User data of an instance as a MIME message. In that form several parts travel together, and services such as AWS
// Batch can add theirs.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/doc/doc.h"

// What cloud-init does with a part, from its content type.
typedef enum {
    PART_BOOTHOOK,     // runs early, at every boot
    PART_CLOUD_CONFIG, // is merged with the other configuration
    PART_NODE_CONFIG,  // leaves alone: nodeadm of the EKS images reads it
    PART_SHELL,        // runs once in an instance's life, when the system is up, in the order of the parts
} UserDataKind;

typedef struct {
    UserDataKind kind;
    Str text;     // ends with a line end, or is empty
    Span span;    // who asks for it, for messages; SPAN_NONE: dtc itself
    Str name;     // what it is called in messages
    bool goes_on; // more of the script of the part before it: they travel as one
} UserDataPart;

typedef VEC(UserDataPart) UserDataParts;

// Accounts for the bytes of user data, of which the whole message has `size`. Adds one line to `decisions` that names
// each part and its bytes; parts with the same name count as one. Reports a message that is larger than EC2 takes, or
// nearly: with its largest parts, and what makes each of them smaller.
void userdata_account(Session *session, PlanDecisions *decisions, const PlanNodes *nodes, const UserDataParts *parts,
                      size_t size);

// Says that nodes which fail are not replaced, since for want of room nobody counts them.
void userdata_decide_uncounted(Session *session, PlanDecisions *decisions, const PlanNodes *nodes);

// Says that nodes do not look at themselves again while they work, for want of room.
void userdata_decide_unwatched(Session *session, PlanDecisions *decisions, const PlanNodes *nodes);

// Whether EC2 takes a message of `size` bytes.
bool userdata_fits(size_t size);

// The report of userdata_account() alone.
void userdata_check_size(Session *session, const PlanNodes *nodes, const UserDataParts *parts, size_t size);

// A check that nobody asked for, and that is left out.
typedef struct {
    const char *what; // "user data"
    size_t size;      // that it would have with the check
    int64_t most;     // that it may have
} LeftOut;

void userdata_report_unchecked(Session *session, const PlanNodes *nodes, LeftOut left_out);

// The text of a part, and of those behind it that go on with it.
Str userdata_whole(Arena *arena, const UserDataParts *parts, uint32_t first);

// The message; empty where there is no part. The boundary is one that no part holds. The same parts give the same
// bytes, and a reader gets back each part's text byte for byte.
Str userdata_write(Arena *arena, const UserDataParts *parts);

// Adds `text`, which ends with a line end, as the here-document of the command before it. That is `<<'END'`, the text
// as it is, and END on a line of its own. Where the text has such a line, another word takes the place of END.
void userdata_add_here_document(StrBuf *out, Str text);

// Adds a script of stdlib/node/ as it travels: without comments on lines of their own, empty lines and indentation. It
// has no here-document.
void userdata_add_code(StrBuf *out, Str script);

// A whole script of stdlib/node/ as it travels: its first line, which says what runs it, and its code.
Str userdata_bare_script(Arena *arena, Str script);

// The text of a file that comes with dtc, by its path under stdlib/: "node/fail.sh".
Str userdata_library(const char *path);

// A script of the library with `text`, which ends with a line end, in place of the line that asks for `variable` first:
// `: "${variable:?}"`. What stands above, which says what the script is, stays so.
Str userdata_script_with(Arena *arena, Str script, const char *variable, Str text);
