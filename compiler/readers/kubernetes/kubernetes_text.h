// Scalars of a manifest as kubectl reads them.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/session.h"

// Plain words of YAML 1.1, such as yes and off, become true and false. A text for which somebody puts another one before
// the file is used, such as <IMAGE>, becomes one that is filled in.
void kubernetes_words(Session *session, Data *data);
