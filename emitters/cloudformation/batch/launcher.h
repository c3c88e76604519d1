// Jobs of AWS Batch that a launcher starts: the command and the environment of their containers.
#pragma once

#include "emitters/cloudformation/template/stack.h"
#include "emitters/job/job_command.h"

// The container's command: the launcher and its options before the author's words, and where there are several nodes the
// script around all of it.
DocNode *mpirun_command(Stack *stack, const PlanJob *job);
DocNode *torchrun_command(Stack *stack, const PlanJob *job);

// Adds what the launcher's script needs to a list of variables; a variable of the author's own is left to the author.
void mpirun_add_environment(Stack *stack, DocNode *list, const PlanJob *job);
void torchrun_add_environment(Stack *stack, DocNode *list, const PlanJob *job);

// What both are made of.
void launcher_add_words(Stack *stack, DocNode *list, const JobWords *words);
void launcher_add_word(Stack *stack, DocNode *list, Why reason, const char *word);
void launcher_add_script(Stack *stack, DocNode *list, const char *path, const char *name); // `bash -c SCRIPT NAME`
void launcher_add_variable(Stack *stack, DocNode *list, const PlanJob *job, const char *name, DocNode *value);
void launcher_add_constant(Stack *stack, DocNode *list, const PlanJob *job, const char *name, Why reason,
                           enum ConstantId constant);
