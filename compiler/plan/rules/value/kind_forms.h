// What ids and ARNs look like that a property takes: one form for each kind (text_forms.def), asked in every file.
#pragma once

#include "compiler/plan/rules/value_place.h"
#include "schema/resource_types.h"

// Whether what the place takes has a form.
bool kind_form_is_known(const ResourceTakes *takes);

// Reports a text that is none of the kinds that its place takes. Nothing of one that somebody fills in before, that stands
// for a resource of the template, or that comes from somewhere else. `text` is what `value` is; `key` is its property.
void kind_form_check(const ValuePlace *place, const ResourceTakes *takes, Str key, const Value *value, Str text);
