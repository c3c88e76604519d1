// Writes the verdict of a collective as JSON.
#pragma once

#include "stdlib/node/collective/job.h"
#include "stdlib/node/collective/text.h"
#include "stdlib/node/collective/verdict.h"

// Appends the fields that all ranks share, and the brace that ends the object.
void outcome_write(Text *text, const Job *job, const Evidence *evidence, const Verdict *verdict,
                   const bool is_phase_done[PHASES], uint64_t ms);

// Writes the fields that only this process knows, which stand first, with the brace that begins the object.
void outcome_write_head(Text *text, const Job *job);

// Appends what a process says that has no verdict of the leader's, and the brace that ends the object.
void outcome_write_lost(Text *text, const Job *job, const char *reason);
