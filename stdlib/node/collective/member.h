// A rank of a collective. It joins the leader, does what the leader asks, and ends with the leader's verdict.
#pragma once

#include "stdlib/node/collective/job.h"
#include "stdlib/node/collective/text.h"

// Runs to the end; what was found goes into `verdict`, a JSON object without the fields that only this process knows,
// which stand in front of it. Returns what to exit with.
int member_run(const Job *job, Text *verdict);
