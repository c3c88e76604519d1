// What is said of a version of Kubernetes that EKS supports no more, or for more money.
#pragma once

#include "compiler/plan/rules/rules.h"

// Whether EKS has no cluster of the version any more.
bool kubernetes_has_ended(Str version);

// Nothing is said of a version that is newer than the rows, and of a text that is no version.
void kubernetes_check_version(const Rules *rules, const Subject *subject, Span span, Str version);
