// Rows of tables about resources name a type and the properties that lead to a value: `AWS::EFS::AccessPoint/RootDirectory/Path`.
#pragma once

#include "compiler/base/str.h"

// Whether the path of a row is of this type; `*rest` is then what stands behind the type, without the `/`. Each resource of
// a file asks all rows, and few of them have a `/` or their end where the type ends.
static inline bool resource_path_of(Str path, Str type, Str *rest) {
    const bool may_be = type.len == path.len || str_at(path, type.len) == '/';
    if (!may_be || !str_starts_with(path, type)) {
        return false;
    }
    *rest = str_slice(path, type.len + 1, path.len);
    return true;
}
