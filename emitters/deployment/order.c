// The order of deployment. A stack comes after those whose exports it imports. All steps of a wave can be applied at
// once.
#include "emitters/deployment/order.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/names.h"

// The stack that a step makes.
static Str made_stack(Arena *arena, const DeploymentStep *step) {
    return str_is(step->kind, "eksctl") ? plan_eksctl_stack(arena, step->name) : step->name;
}

// Whether a step makes the stack. eksctl gives the stack of a cluster a name of its own.
static bool order_makes(Arena *arena, const DeploymentStep *step, Str stack) {
    return str_equal(made_stack(arena, step), stack);
}

// ---- waves -----------------------------------------------------------------------------------------------------

enum { NOT_SEEN = -1, ON_THE_WAY = -2 }; // in place of a wave

typedef VEC(DeploymentStep *) Path;

typedef struct {
    Session *session;
    StrMap stacks; // by name, the steps that make them; of steps that make no stack, by their own
    StrMap keys;   // by key, the steps that have one
    Path path;     // from the first step that was asked to the one at hand, each needs the next
} Ordering;

static const StackReference *reference_to(const Ordering *ordering, const DeploymentStep *step,
                                          const DeploymentStep *needed) {
    for (uint32_t i = 0; i < step->references.count; i++) {
        if (str_map_get(&ordering->stacks, step->references.items[i].stack) == needed) {
            return &step->references.items[i];
        }
    }
    return NULL; // dtc itself wants the order
}

// From `again` on, the path is a circle.
static void report_circle(const Ordering *ordering, const DeploymentStep *again) {
    Session *session = ordering->session;
    const Path *path = &ordering->path;
    uint32_t start = 0;
    while (path->items[start] != again) {
        start++;
    }
    VEC(const StackReference *) references = { 0 };
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = start; i < path->count; i++) {
        const DeploymentStep *next = i + 1 < path->count ? path->items[i + 1] : again;
        const StackReference *reference = reference_to(ordering, path->items[i], next);
        if (reference != NULL) {
            vec_push(session->arena, &references, reference);
        }
        strbuf_add_format(&text, "`%.*s`, ", STR_ARG(path->items[i]->name));
    }
    strbuf_add_format(&text, "`%.*s`", STR_ARG(again->name));
    const Span last = references.count > 0 ? references.items[references.count - 1]->at : (Span){ 0 };
    Diag *diag = report(session, last, DIAG(circular_stacks), STR_ARG(strbuf_str(&text)));
    for (uint32_t i = 0; i + 1 < references.count; i++) {
        diag_label(session, diag, references.items[i]->at, "needs the stack `%.*s`",
                   STR_ARG(references.items[i]->stack));
    }
}

// One more than the latest of what it needs. A need that no stack of this build meets is there already. As deep as there
// are files at most.
static void set_wave(Ordering *ordering, DeploymentStep *step) {
    int wave = 0;
    step->wave = ON_THE_WAY;
    vec_push(ordering->session->arena, &ordering->path, step);
    for (uint32_t k = 0; k < step->needs.count + step->follows.count; k++) {
        DeploymentStep *needed = k < step->needs.count
                                     ? str_map_get_mutable(&ordering->stacks, step->needs.items[k])
                                     : str_map_get_mutable(&ordering->keys, step->follows.items[k - step->needs.count]);
        if (needed == NULL || needed == step) {
            continue;
        }
        if (needed->wave == NOT_SEEN) {
            set_wave(ordering, needed);
        }
        if (needed->wave == ON_THE_WAY) {
            report_circle(ordering, needed);
        } else if (needed->wave >= wave) {
            wave = needed->wave + 1;
        }
        step->must_wait = step->must_wait || needed->is_waiting || needed->must_wait;
    }
    ordering->path.count--;
    step->wave = wave;
}

static void add_step(Ordering *ordering, DeploymentStep *step) {
    step->wave = NOT_SEEN;
    str_map_add(&ordering->stacks, made_stack(ordering->session->arena, step), step);
    if (step->key.len > 0) {
        str_map_add(&ordering->keys, step->key, step);
    }
}

// A reference may name what stands further down, so that a stack may be emitted before one that it needs.
void order_set_waves(Session *session, Output *output) {
    Ordering ordering = { .session = session,
                          .stacks = { .arena = session->arena },
                          .keys = { .arena = session->arena } };
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        DeploymentStep *step = &output->artifacts.items[i].step;
        step->is_waiting = output->artifacts.items[i].missing.count > 0;
        add_step(&ordering, step);
    }
    for (uint32_t i = 0; i < output->steps.count; i++) {
        add_step(&ordering, &output->steps.items[i]);
    }
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (output->artifacts.items[i].step.wave == NOT_SEEN) {
            set_wave(&ordering, &output->artifacts.items[i].step);
        }
    }
    for (uint32_t i = 0; i < output->steps.count; i++) {
        if (output->steps.items[i].wave == NOT_SEEN) {
            set_wave(&ordering, &output->steps.items[i]);
        }
    }
}

// ---- questions -------------------------------------------------------------------------------------------------

// By wave; of one wave, as they were added.
static int compare_steps(const void *a, const void *b) {
    const Step *left = a;
    const Step *right = b;
    if (left->step->wave != right->step->wave) {
        return left->step->wave < right->step->wave ? -1 : 1;
    }
    return left->place < right->place ? -1 : 1;
}

typedef enum { FILES_WRITTEN, FILES_ALL } WhichFiles; // what misses facts waits, and is not written

static Steps steps_of(Arena *arena, const Output *output, WhichFiles files) {
    Steps steps = { 0 };
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (artifact->step.file.len > 0 && (files == FILES_ALL || artifact->missing.count == 0)) {
            vec_push(arena, &steps, ((Step){ .step = &artifact->step, .artifact = artifact, .place = i }));
        }
    }
    for (uint32_t i = 0; i < output->steps.count; i++) {
        vec_push(arena, &steps, ((Step){ .step = &output->steps.items[i], .place = output->artifacts.count + i }));
    }
    if (steps.count > 0) {
        qsort(steps.items, steps.count, sizeof(steps.items[0]), compare_steps);
    }
    return steps;
}

Steps order_steps(Arena *arena, const Output *output) {
    return steps_of(arena, output, FILES_WRITTEN);
}

Steps order_all_steps(Arena *arena, const Output *output) {
    return steps_of(arena, output, FILES_ALL);
}

bool order_can_ask(Arena *arena, const Output *output, Str stack) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (order_makes(arena, &artifact->step, stack)) {
            return !artifact->step.is_waiting && !artifact->step.must_wait;
        }
    }
    return true; // it is there already
}
