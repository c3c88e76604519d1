// Patterns of texts that services take (forms.def): FORM_ and the name.
#pragma once

#define FORM(name, pattern) extern const char FORM_##name[];
#include "schema/forms.def"
#undef FORM
