// The types of the settings of the kubelet, which a NodeConfig and eksctl hand on as they are written.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports the value of a key that is a text in quotes, where the kubelet wants a number or a switch; nothing where it is not
// known what it wants, and where the text would be no such value without its quotes. `${NAME}` stands for any value.
void kubelet_check(const Rules *rules, const Subject *subject, Span place, Str key, Str text);
