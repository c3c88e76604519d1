// The first releases of tools that take what a file holds (releases.def).
#pragma once

#include "compiler/base/str.h"

typedef enum { RELEASES_OF_EKSCTL, RELEASES_OF_PARALLELCLUSTER, RELEASES_OF_EFA_PLUGIN } ReleaseTool;

enum { RELEASE_PARTS = 3 };

typedef struct {
    ReleaseTool tool;
    const char *key;
    const char *text; // its value; NULL: whatever it is
    int release[RELEASE_PARTS];
} ReleaseRow;

extern const ReleaseRow RELEASE_ROWS[];
extern const size_t RELEASE_ROW_COUNT;

// The first row of the tool about the key; there is one.
const ReleaseRow *release_row(ReleaseTool tool, const char *key);
