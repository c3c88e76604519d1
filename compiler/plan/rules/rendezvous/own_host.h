// The address at which each of several nodes finds itself alone: where all of them are told to meet there, none meets another.
#pragma once

#include "compiler/plan/model/launcher.h"

typedef struct {
    Str host; // as it is written; empty: there is none, or it may be that of one node
    Span span;
    Span cause;      // what gives the host to the variable that stands there; SPAN_NONE: nothing else does
    bool is_default; // nothing says a host
    bool is_alone;   // an option keeps the node alone
} OwnHost;

// The host of an option of a launcher, by variables of a script and of the container too.
OwnHost own_host(const Session *session, const PlanLauncher *launcher, const PlanField *field);
