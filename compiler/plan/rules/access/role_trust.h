// What is said of a role that its user cannot take.
#pragma once

#include "compiler/plan/rules/rules.h"

// Somebody who takes a role.
typedef struct {
    const Subject *subject;
    Span span;     // where the role is named
    Str role;      // as it is called
    Span at;       // the role, or what it says of those that may take it
    bool is_named; // there, though for other actions
} RoleTaker;

typedef enum { ROLE_IN_DT, ROLE_IN_YAML } RoleSyntax;

// Reports a role that does not trust a service, such as "ec2".
Diag *role_report_untrusting(const Rules *rules, const RoleTaker *taker, const char *service, RoleSyntax syntax);

// Reports a role that lets nobody tag the sessions in which it is taken.
Diag *role_report_untagged(const Rules *rules, const RoleTaker *taker, RoleSyntax syntax);
