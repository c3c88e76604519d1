// Any bytes as a file of `--schema`, in either format. There is no crash. Every row that is taken has a name and is
// found by it. Its interfaces are placed within what it says of its cards, or not at all.
#include "compiler/plan/model/nics.h"
#include "schema/instances.h"
#include "schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// libfyaml 0.7.12 itself loses a buffer when a quoted text with more than 16 escapes has no closing quote.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

static void check_nic(const InstanceRow *row, const Nic *nic) {
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        if (nic->card >= run->first && nic->card < run->first + run->count) {
            const int interfaces = run->interfaces_max == UNKNOWN ? 1 : run->interfaces_max;
            const bool fits = nic->device < interfaces && (nic->kind == NIC_INTERFACE || (run->takes & CARD_EFA) != 0);
            if (!fits) {
                abort();
            }
            return;
        }
    }
    abort();
}

static void check_row(const InstanceRow *row) {
    static const NicLayout LAYOUTS[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH, LAYOUT_SPARE };
    for (size_t i = 0; i < COUNT_OF(LAYOUTS) && schema_instance_gap(row) == NULL; i++) {
        const int all = nics_efa_all(row, LAYOUTS[i]);
        Nics nics;
        if (all == UNKNOWN || nics_place(row, LAYOUTS[i], all, &nics) != NICS_PLACED) {
            continue;
        }
        for (int j = 0; j < nics.count; j++) {
            check_nic(row, &nics.items[j]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    schema_add_source(session, source_add(session, STR("fuzz.yaml"), (Str){ .data = (const char *)data, .len = size }));
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_at(session, i);
        if (row->origin != NULL) {
            if (!has_errors(session) && schema_instance(session, str_of(row->name)) != row) {
                abort();
            }
            check_row(row);
        }
    }
    session_destroy(session);
    return 0;
}
