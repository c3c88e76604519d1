// Rules about what the templates of one run export and import. A file alone cannot show these, and a name that no file
// given exports may be of a stack that nobody gave: so a name has to be almost one of theirs before anything is said.
#include "compiler/plan/rules/check.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "schema/resource_types.h"

enum {
    PAIRS_MAX = 4000000, // of names that are compared for one file; more of them are not
    WRITTEN_MIN = 4      // bytes that are written of a name, so that it says what it is of
};

static bool is_hole(Str name, size_t at) {
    return at < name.len && name.data[at] == HOLE;
}

// Whether the two can be one text, where a hole is any text. Only what stands before the first hole and behind the last
// one is compared.
static bool may_be_equal(Str a, Str b) {
    const size_t least = a.len < b.len ? a.len : b.len;
    size_t start = 0;
    while (start < least && a.data[start] == b.data[start] && !is_hole(a, start)) {
        start++;
    }
    if (start == a.len && start == b.len) {
        return true;
    }
    size_t end = 0;
    while (end < least - start && a.data[a.len - 1 - end] == b.data[b.len - 1 - end] && !is_hole(a, a.len - 1 - end)) {
        end++;
    }
    const bool has_holes = memchr(a.data, HOLE, a.len) != NULL || memchr(b.data, HOLE, b.len) != NULL;
    const bool may_begin = start == least || is_hole(a, start) || is_hole(b, start);
    const bool may_end = end == least - start || is_hole(a, a.len - 1 - end) || is_hole(b, b.len - 1 - end);
    return has_holes && may_begin && may_end;
}

static void label_export(Session *session, Diag *diag, const PlanExports *exports, const SharedExport *export,
                         const char *text) {
    const Span span = exports->find == NULL ? SPAN_NONE : exports->find(session, export);
    if (!span_is_none(span)) {
        diag_label(session, diag, span, "%s", text);
    }
}

static void check_name(Session *session, const PlanExports *exports, const PlanShared *import) {
    const Str written = plan_exports_written(session->arena, import->name);
    if (written.len < WRITTEN_MIN || plan_exports_of(exports, import->name) != NULL) {
        return;
    }
    for (uint32_t i = 0; i < exports->names.count; i++) {
        if (may_be_equal(import->name, exports->names.items[i]->first->name)) {
            return;
        }
    }
    Suggestion suggestion = suggest_for(session, written);
    const SharedExport *nearest = NULL;
    for (uint32_t i = 0; i < exports->names.count; i++) {
        const ExportedName *candidate = exports->names.items[i];
        suggest_offer(&suggestion, candidate->written);
        const bool is_best = suggestion.best.data == candidate->written.data && candidate->written.len > 0;
        nearest = is_best ? candidate->first : nearest;
    }
    if (nearest == NULL || !suggest_is_sure(&suggestion)) {
        return;
    }
    Diag *diag = plan_report(session, import->subject, import->span, DIAG(import_unknown), STR_ARG(import->written));
    label_export(session, diag, exports, nearest, "almost the same");
    diag_help(session, diag, "`%.*s` exports `%.*s`", STR_ARG(nearest->path), STR_ARG(nearest->written));
}

// Whether all that is exported under the name is something that the property does not take.
static void check_kind(Session *session, const PlanExports *exports, const PlanShared *import) {
    const bool is_resource = import->from != NULL && import->from->kind == NAMED_RESOURCE;
    const ResourceTakes *takes =
        import->key.len == 0 || !is_resource ? NULL : resource_takes(import->from->type, import->outer, import->key);
    const Str written = takes == NULL ? STR_NONE : plan_exports_written(session->arena, import->name);
    const SharedExport *other = NULL;
    for (uint32_t i = 0; written.len >= WRITTEN_MIN && i < exports->names.count; i++) {
        const ExportedName *name = exports->names.items[i];
        const SharedExport *export = may_be_equal(import->name, name->first->name) ? name->first : NULL;
        for (; export != NULL; export = export->next) {
            if (export->kind.len == 0 || resource_takes_kind(takes, export->kind)) {
                return;
            }
            other = str_equal(name->written, written) ? export : other;
        }
    }
    if (other != NULL) {
        Diag *diag = plan_report(session, import->subject, import->span, DIAG(import_kind), STR_ARG(import->key),
                                 STR_ARG(str_of(takes->kinds[0])), STR_ARG(other->kind));
        label_export(session, diag, exports, other, "exported here");
        diag_help(session, diag, "import a name that is %s", takes->kinds[0]);
    }
}

static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

// Without its ending: a template in YAML and the same one in JSON are one.
static Str stem_of(Str path) {
    const Str ending = str_after_last(path, '.');
    return str_slice(path, 0, path.len - ending.len);
}

// Two templates in one folder that export one name can be deployed one at a time only.
static void check_twice(Session *session, const PlanExports *exports, const PlanShared *export, Str path) {
    const SharedExport *first = NULL;
    const SharedExport *other = plan_exports_of(exports, export->name);
    for (; other != NULL && !str_equal(other->path, path); other = other->next) {
        if (!str_equal(folder_of(other->path), folder_of(path))) {
            continue;
        }
        if (str_equal(stem_of(other->path), stem_of(path))) {
            return;
        }
        first = first == NULL ? other : first;
    }
    if (first != NULL && memchr(export->name.data, HOLE, export->name.len) == NULL) {
        Diag *diag = plan_report(session, export->subject, export->span, DIAG(export_twice), STR_ARG(export->written));
        label_export(session, diag, exports, first, "exported here first");
    }
}

static bool is_looked_at(const PlanShared *shared) {
    return shared->name.len > 0 && shared->name.len <= SHARED_NAME_MAX;
}

void exports_check(Session *session, const PlanExports *exports, const PlanTemplate *template, Str path) {
    const uint64_t count = template->exports.count + template->imports.count;
    if (count * exports->names.count > PAIRS_MAX) {
        return;
    }
    for (uint32_t i = 0; i < template->imports.count; i++) {
        const PlanShared *import = template->imports.items[i];
        if (is_looked_at(import)) {
            check_name(session, exports, import);
            check_kind(session, exports, import);
        }
    }
    for (uint32_t i = 0; i < template->exports.count; i++) {
        if (is_looked_at(template->exports.items[i])) {
            check_twice(session, exports, template->exports.items[i], path);
        }
    }
}
