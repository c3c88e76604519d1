// The types of the settings of the kubelet, which a NodeConfig and eksctl hand on as they are written.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports the value of a key that is a text in quotes, where the kubelet wants a number or a switch; nothing where it is not
// known what it wants, and where the text would be no such value without its quotes. `${NAME}` stands for any value.
// The same of a value on the line of its key that is a text, in quotes or not, where the kubelet wants a list or a map, and of
// a number where it wants a duration. True where it is reported.
bool kubelet_check_shape(const Rules *rules, const Subject *subject, Span place, Str key, Str value);

void kubelet_check(const Rules *rules, const Subject *subject, Span place, Str key, Str text);
