// The patterns of forms.def.
#include "schema/forms.h"

#define FORM(name, pattern) const char FORM_##name[] = pattern;
#include "schema/forms.def"
#undef FORM
