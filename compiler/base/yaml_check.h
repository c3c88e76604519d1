// What a text of YAML may not have, whatever it says.
#pragma once

#include "compiler/base/session.h"

// False, reported, where the text must not be given to the library: control characters, bytes that are not UTF-8, or more
// open brackets than it should read on for. `text` stands at the beginning of the source.
bool yaml_check(Session *session, uint32_t source, Str text);
