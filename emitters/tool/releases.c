// Finds the newest of what a document holds, so that patches count too.
#include "emitters/tool/releases.h"

#include "schema/releases.h"

// dt(5) promises files for ParallelCluster 3.14 and later, which know every key and system that is written.
typedef struct {
    const char *suffix;
    const char *name;
    ReleaseTool tool;
    int first[RELEASE_PARTS]; // where nothing newer is in the file
} ToolRow;

static const ToolRow TOOL_ROWS[] = {
    { "eksctl", "eksctl", RELEASES_OF_EKSCTL, { 0, 90, 0 } },
    { "pcluster", "ParallelCluster", RELEASES_OF_PARALLELCLUSTER, { 3, 14, 0 } },
};

static bool is_newer(const int *a, const int *b) {
    for (size_t i = 0; i < RELEASE_PARTS; i++) {
        if (a[i] != b[i]) {
            return a[i] > b[i];
        }
    }
    return false;
}

// A text without a dot may be the family of an instance type.
static bool is_text(const char *text, Str value) {
    const Str wanted = str_of(text);
    return str_equal(value, wanted) ||
           (value.len > wanted.len && value.data[wanted.len] == '.' && str_starts_with(value, wanted));
}

static bool is_key(const char *text, Str key) {
    const Str wanted = str_of(text);
    const bool is_list = key.len == wanted.len + 1 && key.data[wanted.len] == 's';
    return str_equal(key, wanted) || (is_list && str_starts_with(key, wanted));
}

// Of two that came in the same release, the first in the file.
static const ReleaseRow *newer(const ToolRow *tool, Str key, Str text, const ReleaseRow *found) {
    for (size_t i = 0; i < RELEASE_ROW_COUNT; i++) {
        const ReleaseRow *row = &RELEASE_ROWS[i];
        const bool is_it =
            row->tool == tool->tool && is_key(row->key, key) && (row->text == NULL || is_text(row->text, text));
        if (is_it && (found == NULL || is_newer(row->release, found->release))) {
            found = row;
        }
    }
    return found;
}

// An item of a list is asked about by the key of the list.
static const ReleaseRow *newest(const ToolRow *tool, const DocNode *node, Str key, const ReleaseRow *found) {
    if (key.len > 0) {
        found = newer(tool, key, node->kind == DOC_STRING ? node->string : STR_NONE, found);
    }
    for (const DocNode *child = doc_is_leaf(node) ? NULL : node->first; child != NULL; child = child->next) {
        found = newest(tool, child, node->kind == DOC_LIST ? key : child->key, found);
    }
    return found;
}

Str releases_line(Arena *arena, const Doc *doc, const char *suffix, const ReleaseTypes *types) {
    for (size_t i = 0; i < COUNT_OF(TOOL_ROWS); i++) {
        const ToolRow *tool = &TOOL_ROWS[i];
        if (strcmp(tool->suffix, suffix) != 0) {
            continue;
        }
        const ReleaseRow *row = newest(tool, doc_root(doc), STR_NONE, NULL);
        for (uint32_t k = 0; k < types->count; k++) {
            row = newer(tool, STR("instanceType"), types->items[k], row);
        }
        const int *release = row == NULL ? tool->first : row->release;
        Str line = str_format(arena, "For %s %d.%d.%d or newer", tool->name, release[0], release[1], release[2]);
        if (row == NULL) {
            return str_format(arena, "%.*s.", STR_ARG(line));
        }
        return row->text == NULL ? str_format(arena, "%.*s, because of `%s`.", STR_ARG(line), row->key)
                                 : str_format(arena, "%.*s, because of `%s: %s`.", STR_ARG(line), row->key, row->text);
    }
    return STR_NONE;
}
