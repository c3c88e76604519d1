// A rank of a collective: joins the leader, does what it asks for, and ends with its verdict.
#pragma once

#include "stdlib/node/collective/job.h"
#include "stdlib/node/collective/text.h"

// Runs to the end; what was found goes into `verdict`, a JSON object without the fields that only this process knows,
// which stand in front of it. Returns what to exit with.
int member_run(const Job *job, Text *verdict);
