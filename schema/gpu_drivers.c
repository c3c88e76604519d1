// The rows of gpu_drivers.def, held against what a type needs.
#include "schema/gpu_drivers.h"

#include "compiler/base/glob.h"

enum { BRANCHES_MAX = 2 };

static const struct {
    const char *image;
    int first; // minor versions of Kubernetes; 0: no bound
    int last;
    int branches[BRANCHES_MAX]; // 0 behind the last
} ROWS[] = {
#define GPU_DRIVERS(image, first, last, ...) { image, first, last, { __VA_ARGS__ } },
#include "schema/gpu_drivers.def"
#undef GPU_DRIVERS
};

// A row that is about some versions is not about a version that nobody knows.
static bool is_of_version(size_t row, int minor) {
    const bool has_bound = ROWS[row].first > 0 || ROWS[row].last > 0;
    return !has_bound || (minor > 0 && minor >= ROWS[row].first && (ROWS[row].last == 0 || minor <= ROWS[row].last));
}

static bool works(int branch, const InstanceRow *type) {
    return branch >= type->driver_first && (type->driver_last == 0 || branch <= type->driver_last);
}

int gpu_driver_at_odds(Arena *arena, Str image, int minor, const InstanceRow *type) {
    const bool has_bounds = type->driver_first > 0 || type->driver_last != 0; // most types have no GPUs
    for (size_t i = 0; has_bounds && i < COUNT_OF(ROWS); i++) {
        if (!is_of_version(i, minor) || !glob_matches(arena, str_of(ROWS[i].image), image)) {
            continue;
        }
        for (int k = 0; k < BRANCHES_MAX && ROWS[i].branches[k] != 0; k++) {
            if (works(ROWS[i].branches[k], type)) {
                return 0;
            }
        }
        return ROWS[i].branches[0];
    }
    return 0;
}
