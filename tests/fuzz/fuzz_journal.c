// Any bytes as the journal that a killed build left: no crash, no leak. One that is taken is what journal_write() writes, and
// names files of its folder alone.
#include "compiler/base/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_create();
    const Str text = { .data = (const char *)data, .len = size };
    SetSteps steps = { 0 };
    if (journal_read(arena, text, &steps)) {
        for (uint32_t i = 0; i < steps.count; i++) {
            if (!journal_takes_name(steps.items[i].name)) {
                abort();
            }
        }
        if (!str_equal(journal_write(arena, &steps), text)) {
            abort();
        }
    }
    arena_destroy(arena);
    return 0;
}
