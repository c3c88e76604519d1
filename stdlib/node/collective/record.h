// The expectation record, as far as a collective needs it.
#pragma once

#include "stdlib/node/collective/job.h"

// Takes over what the record says of collectives, into `job`. False, with the line at fault in `reason`, where it is no
// record of this version: an unknown key fails, since compiler and core are built together.
bool record_read(const char *text, size_t len, Job *job, char *reason, size_t reason_size);

// The same of a file.
bool record_load(const char *path, Job *job, char *reason, size_t reason_size);
