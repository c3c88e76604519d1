// Reads the scripts that steps of a batch script start, where they stand in its folder: `srun ./train.sh`. Their paths may be
// those of another machine, so that only the name counts.
#include "compiler/driver/lint/started.h"

#include "compiler/base/load.h"
#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/slurm/slurm_script.h"

#include <sys/stat.h>

enum { STARTED_MAX = 20, STARTED_BYTES_MAX = 64 * 1024 };

static bool is_there(Session *session, Str path) {
    struct stat status;
    return stat(str_c(session->arena, path), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_size <= STARTED_BYTES_MAX;
}

static bool is_known(const Plan *plan, Str name) {
    bool is = false;
    for (uint32_t i = 0; i < plan->started.count; i++) {
        is = is || str_equal(plan->started.items[i].name, name);
    }
    return is;
}

static void add(Session *session, Plan *plan, Str name, Str path) {
    if (plan->started.count >= STARTED_MAX || is_known(plan, name) || !is_there(session, path)) {
        return;
    }
    const uint32_t before = session->diags.items.count;
    const uint32_t source = source_load(session, path, SPAN_NONE);
    const bool is_script = source != 0 && slurm_is_of_shell(path, source_get(session, source)->text) &&
                           !slurm_is_rendered(source_get(session, source)->text);
    const PlanStarted started = { .name = name,
                                  .script =
                                      is_script ? slurm_read(session, foreign_file(session, source), source) : NULL };
    diags_forget(session, before);
    vec_push(session->arena, &plan->started, started);
}

void started_find(Session *session, uint32_t source, const ForeignFile *file) {
    const Str path = source_get(session, source)->path;
    const Str folder = str_slice(path, 0, path.len - str_after_last(path, '/').len);
    for (uint32_t i = 0; !str_is(path, "-") && i < file->plans.count; i++) {
        Plan *plan = file->plans.items[i];
        for (uint32_t k = 0; plan->script != NULL && plan->script->is_batch && k < plan->script->steps.count; k++) {
            const Str name = slurm_started(&plan->script->steps.items[k]);
            if (name.len > 0) {
                add(session, plan, name, str_format(session->arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(name)));
            }
        }
    }
}
