// Nodes of the document of a tool's file.
#pragma once

#include "emitters/tool/tool_file.h"

// A value as it stands in the file: NULL for one that is null, or a late optional that nothing gave. A late value
// without a fact becomes an empty text in a file that is then not written.
DocNode *tool_node(ToolFile *file, const Value *value);

// The same of a list of lists and single values, laid end to end.
DocNode *tool_list(ToolFile *file, const Value *value);

// A quantity in units of `unit` (bytes, bits a second, milliseconds); reported where it does not come out even.
DocNode *tool_amount(ToolFile *file, const Value *value, int64_t unit);

// A word in capitals, as FSx spells what the language has in small letters.
void tool_put_upper(ToolFile *file, DocNode *map, const char *key, const Value *word);

// ARNs of managed policies, each once; a name is one of AWS's own, in the partition of `region` (empty: `aws`).
DocNode *tool_policy_arns(ToolFile *file, Str region, const Value *policies);
