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

// Of two that came in the same release, the first in the file.
static const ReleaseRow *newest(const ToolRow *tool, const DocNode *node, const ReleaseRow *found) {
    for (size_t i = 0; node->key.len > 0 && i < RELEASE_ROW_COUNT; i++) {
        const ReleaseRow *row = &RELEASE_ROWS[i];
        const bool is_it = row->tool == tool->tool && str_is(node->key, row->key) &&
                           (row->text == NULL || (node->kind == DOC_STRING && str_is(node->string, row->text)));
        if (is_it && (found == NULL || is_newer(row->release, found->release))) {
            found = row;
        }
    }
    for (const DocNode *child = doc_is_leaf(node) ? NULL : node->first; child != NULL; child = child->next) {
        found = newest(tool, child, found);
    }
    return found;
}

Str releases_line(Arena *arena, const Doc *doc, const char *suffix) {
    for (size_t i = 0; i < COUNT_OF(TOOL_ROWS); i++) {
        const ToolRow *tool = &TOOL_ROWS[i];
        if (strcmp(tool->suffix, suffix) != 0) {
            continue;
        }
        const ReleaseRow *row = newest(tool, doc_root(doc), NULL);
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
