// Writes out the loops of a template that say themselves what they go through, as AWS::LanguageExtensions does.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/data.h"

// Whether the template names the transform AWS::LanguageExtensions.
bool cfn_has_extensions(const Data *document);

// Puts what `Fn::ForEach` repeats into its place, once for each item, in a document of which cfn_lengthen() has written the
// short forms. A loop over what the deployment decides stays as it is, and so do all loops where the template does not
// name the transform.
void cfn_write_out_loops(Arena *arena, Data *document);
