// The part of the expectation record that a collective needs.
#pragma once

#include "stdlib/node/collective/job.h"

// Copies what the record says of collectives into `job`. False if the text is not a record of this version; `reason`
// then has the wrong line. An unknown key is wrong too, because compiler and core are built together.
bool record_read(const char *text, size_t len, Job *job, char *reason, size_t reason_size);

// Like record_read(), for the file at `path`.
bool record_load(const char *path, Job *job, char *reason, size_t reason_size);
