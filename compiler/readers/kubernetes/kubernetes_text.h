// Scalars as kubectl and eksctl read them.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/session.h"

// Plain words of YAML 1.1, such as yes and off, become true and false.
void kubernetes_switches(Session *session, Data *data);

// Likewise. A text for which somebody puts another one before the file is used, such as <IMAGE>, becomes one that is filled
// in.
void kubernetes_words(Session *session, Data *data);
