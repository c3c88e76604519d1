// Fixes in files of other tools: what they change may be deployed already, and then an update can cost data, or what runs.
#pragma once

#include "compiler/plan/model/plan.h"
#include "schema/updates.h"

// Takes back each fix whose deployment could replace or interrupt what is there (schema/updates.def). Its diagnostic says
// what that costs. For when all is reported that is said about these plans.
void fixes_hold(Session *session, const Plan *const *plans, uint32_t count);

// Says in a help what an update of a property costs. False, and nothing is said, where it costs nothing.
bool rule_say_price(Session *session, Diag *diag, Str owner, Str path);

// Whose updates a piece of a file is subject to, as schema/updates.h names it.
Str piece_owner(Arena *arena, const PlanFile *file, const PlanPiece *piece);

// A key of a file with those around it.
typedef struct Trail {
    Str key;
    const struct Trail *outer; // NULL: there is none
} Trail;

// "LaunchTemplateData.MetadataOptions": without what CloudFormation alone reads, and without `Properties`.
Str trail_path(Arena *arena, const Trail *trail);
