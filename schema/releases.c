// The rows of releases.def.
#include "schema/releases.h"

const ReleaseRow RELEASE_ROWS[] = {
#define RELEASE(tool, key, text, ...) { RELEASES_OF_##tool, key, text, { __VA_ARGS__ } },
#include "schema/releases.def"
#undef RELEASE
};

const size_t RELEASE_ROW_COUNT = COUNT_OF(RELEASE_ROWS);

const ReleaseRow *release_row(ReleaseTool tool, const char *key) {
    for (size_t i = 0; i < RELEASE_ROW_COUNT; i++) {
        if (RELEASE_ROWS[i].tool == tool && strcmp(RELEASE_ROWS[i].key, key) == 0) {
            return &RELEASE_ROWS[i];
        }
    }
    assert(false && "a release that no row has");
    return &RELEASE_ROWS[0];
}
