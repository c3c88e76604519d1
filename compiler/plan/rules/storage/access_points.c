// Rules about access points of EFS. EFS makes the directory of one only where `CreationInfo` says whose it is to be.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

static const char ACCESS_POINT[] = "AWS::EFS::AccessPoint";

static const Data *root_of(const PlanNamed *named) {
    return data_get(data_get(named->data, "Properties"), "RootDirectory");
}

// The path as it is written; NULL where there is none.
static const Data *path_of(const PlanNamed *named) {
    const Data *path = data_get(root_of(named), "Path");
    return path != NULL && path->kind == DATA_STRING && path->tag.len == 0 ? path : NULL;
}

// Whether a copy, or a resource of the account's own, brings directories into the file system.
static bool is_filled(const PlanTemplate *template, const PlanNamed *files) {
    static const char *const STARTS[] = { "AWS::DataSync::", "AWS::EFS::FileSystem", "AWS::CloudFormation::" };
    bool is = false;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->to != files || use->kind == USE_DEPENDS_ON || use->from == NULL || use->from->kind != NAMED_RESOURCE) {
            continue;
        }
        is = is || !str_starts_with(use->from->type, STR("AWS::"));
        for (size_t k = 0; k < COUNT_OF(STARTS); k++) {
            is = is || str_starts_with(use->from->type, str_of(STARTS[k]));
        }
    }
    return is;
}

// A file system that is new, so that no directory is in it.
static bool is_on_new(const PlanTemplate *template, const PlanNamed *point) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_reference(use, ACCESS_POINT, "FileSystemId") && use->from == point && use->is_whole &&
            str_is(use->to->type, "AWS::EFS::FileSystem")) {
            return !is_filled(template, use->to);
        }
    }
    return false;
}

// `/data/set` is in `/data`, and `/database` is not.
static bool is_in(Str path, Str directory) {
    const size_t end = str_ends_with(directory, STR("/")) ? directory.len - 1 : directory.len;
    return str_starts_with(path, str_slice(directory, 0, end)) && (path.len == end || path.data[end] == '/');
}

// Another access point makes the directory, or one in it; or a script does, as far as the template shows it.
static bool may_be_made(const Session *session, const PlanTemplate *template, Str path) {
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Str text = named->data == NULL ? STR_NONE : source_text(session, named->data->span);
        const bool makes = str_is(named->type, ACCESS_POINT) && data_get(root_of(named), "CreationInfo") != NULL &&
                           (path_of(named) == NULL || is_in(path_of(named)->string, path));
        if (makes || str_has(text, "mkdir") || str_has(text, "makedirs")) {
            return true;
        }
    }
    return false;
}

// Source: EFS API Reference, RootDirectory; EFS User Guide, Enforcing a root directory with an access point; read 2026-11.
void rule_template_access_points(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *path = str_is(named->type, ACCESS_POINT) ? path_of(named) : NULL;
        if (path == NULL || str_is(path->string, "/") || data_get(root_of(named), "CreationInfo") != NULL ||
            !is_on_new(template, named) || may_be_made(rules->session, template, path->string)) {
            continue;
        }
        const Str key = str_format(rules->session->arena, "`Path: %.*s`", STR_ARG(path->string));
        Diag *diag = rule_combination(rules, named->subject, path->span, "EFS", key, STR(" without `CreationInfo`"),
                                      "EFS makes no such directory, and no mount finds one");
        diag_help(rules->session, diag, "write `CreationInfo` with `OwnerUid`, `OwnerGid` and `Permissions` beside it");
    }
}
