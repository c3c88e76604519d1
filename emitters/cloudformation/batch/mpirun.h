// Jobs that Open MPI starts: the command and the environment of their containers.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The container's command: mpirun and its options before the author's, and where there are several nodes the script
// around all of it. NULL where the command's length is not known; reported.
DocNode *mpirun_command(Stack *stack, const PlanJob *job);

// Adds what the launcher, EFA and NCCL need to a list of variables; a variable of the author's own is left to the
// author.
void mpirun_add_environment(Stack *stack, DocNode *list, const PlanJob *job);
