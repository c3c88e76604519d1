// Rows of tables about resources name a type and the properties that lead to a value: `AWS::EFS::AccessPoint/RootDirectory/Path`.
#pragma once

#include "compiler/base/str.h"

// What stands behind the type in the path of a row, without the `/`; NULL where the row is of another type. Each resource
// of a file asks all rows, so the path is not measured first.
static inline const char *resource_path_of(const char *path, Str type) {
    const bool is_of = strncmp(path, type.data, type.len) == 0 && (path[type.len] == '/' || path[type.len] == '\0');
    return !is_of ? NULL : path + type.len + (path[type.len] == '/' ? 1 : 0);
}
