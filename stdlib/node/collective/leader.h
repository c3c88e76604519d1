// The leader of a collective. It gathers the ranks, tells each what to do and when, and judges.
#pragma once

#include "stdlib/node/collective/job.h"

// Serves `listener` until the verdict has been given; what to exit with. To be run in a process of its own that never
// touched the fabric: what hangs a rank must not hang the one who has to name it.
int leader_run(const Job *job, int listener);
