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

// One more than the latest of what it needs. A need that no stack of this build meets is there already.
static void set_wave(const StrMap *stacks, DeploymentStep *step) {
    step->wave = 0;
    for (uint32_t k = 0; k < step->needs.count; k++) {
        const DeploymentStep *needed = str_map_get(stacks, step->needs.items[k]);
        if (needed != NULL && needed->wave >= step->wave) {
            step->wave = needed->wave + 1;
        }
    }
}

// Stacks are emitted after what they can need, so one walk suffices.
void order_set_waves(Arena *arena, Output *output) {
    StrMap stacks = { .arena = arena };
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        DeploymentStep *step = &output->artifacts.items[i].step;
        set_wave(&stacks, step);
        str_map_add(&stacks, made_stack(arena, step), step);
    }
    for (uint32_t i = 0; i < output->steps.count; i++) {
        set_wave(&stacks, &output->steps.items[i]);
    }
}

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

bool order_must_wait(Arena *arena, const Output *output, const DeploymentStep *step, uint32_t before) {
    for (uint32_t k = 0; k < step->needs.count; k++) {
        for (uint32_t i = 0; i < before; i++) {
            const Artifact *artifact = &output->artifacts.items[i];
            if (order_makes(arena, &artifact->step, step->needs.items[k])) {
                if (artifact->missing.count > 0 || order_must_wait(arena, output, &artifact->step, i)) {
                    return true;
                }
                break; // the first of the name makes it
            }
        }
    }
    return false;
}

bool order_can_ask(Arena *arena, const Output *output, Str stack) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (order_makes(arena, &artifact->step, stack)) {
            return artifact->missing.count == 0 && !order_must_wait(arena, output, &artifact->step, i);
        }
    }
    return true; // it is there already
}
