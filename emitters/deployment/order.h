// The order of deployment: which step needs what another step makes, and so which comes first.
#pragma once

#include "emitters/emitter.h"

// Sets the waves of all artifacts and of steps without a file, and which of them wait, from their needs. Reports stacks that need each other in
// a circle (DT1399).
void order_set_waves(Session *session, Output *output);

// The steps of a build in the order in which they are applied: by wave, then as they were emitted, those without a file
// last. Artifacts that are no step of their own (a script that a step names) are left out.
typedef struct {
    const DeploymentStep *step;
    const Artifact *artifact; // what it applies; NULL: nothing
    uint32_t place;           // before they are ordered: files, then other steps
} Step;

typedef VEC(Step) Steps;
Steps order_steps(Arena *arena, const Output *output);

// Like order_steps(), with the files that wait for facts.
Steps order_all_steps(Arena *arena, const Output *output);

// Whether the stack can be asked when the steps that are printed have been taken.
bool order_can_ask(Arena *arena, const Output *output, Str stack);
