// Makes the tree of a tool's file from values.
#pragma once

#include "emitters/tool/tool_file.h"

// A value as it stands in the file: NULL for one that is null, or a late optional that nothing gave. A late value
// without a fact becomes an empty text in a file that is then not written.
DocNode *tool_value(ToolFile *file, const Value *value);

// Like tool_value(), for a list of lists and single values. The result is one flat list.
DocNode *tool_list(ToolFile *file, const Value *value);

// A quantity in units of `unit` (bytes, bits a second, milliseconds). A rule reports one that is not whole.
DocNode *tool_amount(ToolFile *file, const Value *value, int64_t unit);

// Adds a word in capitals. FSx writes such words in capitals, and the language in small letters.
void tool_put_upper(ToolFile *file, DocNode *map, const char *key, const Value *word);

// ARNs of managed policies, each once. A name means a policy of AWS's own, in the partition of `region` (empty: `aws`).
DocNode *tool_policy_arns(ToolFile *file, Str region, const Value *policies);
