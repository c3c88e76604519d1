// Numbers that a command says by an option, of trainers too, whose options no launcher reads.
#pragma once

#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"

// The number of an option: by variables too, and by what they are where nobody sets them before. -1: nobody knows it.
int64_t launcher_said_number(const PlanLauncher *launcher, const PlanField *field);

// Where the number is written: of a variable where that is set.
Span launcher_said_place(const PlanLauncher *launcher, const PlanField *field);

// What an option of either name says, where it stands once; absent where it does not.
PlanField launcher_said_once(const Rules *rules, const PlanLauncher *launcher, const char *option, const char *key);

// Of model_sizes.c: whether the sizes of a model divide into the parts that its trainer makes of it.
void launcher_check_model(const Rules *rules, const Subject *subject, const PlanLauncher *launcher);
