// Rules about the links of Lustre file systems to buckets: which file systems have them, how many, and what they say.
// FSx calls one a data repository association. The driver of FSx on EKS knows only what FSx had before: one bucket for
// the whole file system, from which FSx reads.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"
#include "compiler/plan/model/user_data_mounts.h"
#include "schema/file_systems.h"

// CloudFormation links one that is there as well as one that it makes.
static bool may_be_linked(const PlanCluster *cluster, const PlanStorage *storage) {
    return storage->kind == STORAGE_LUSTRE && (storage->existing == NULL || plan_mounts_by_user_data(cluster));
}

static const char *target_of(const PlanCluster *cluster) {
    return schema_target_name(cluster->target);
}

static Str known_uri(const PlanLink *link) {
    return link->uri->kind == VALUE_STRING ? link->uri->string : STR_NONE;
}

// ---- which file systems ------------------------------------------------------------------------------------------

static void link_of_other(const Rules *rules, const PlanLink *link, const PlanStorage *storage, const Value *reason,
                          const char *what, const char *help) {
    Diag *diag = plan_report(rules->session, link->head.subject, link->head.subject->name_span, DIAG(link_of_other),
                             STR_ARG(storage->head.id), what);
    diag_label(rules->session, diag, reason->span, "says so");
    diag_help(rules->session, diag, "%s", help);
}

static void check_deployment(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    const LustreRow *row = lustre_row(storage->deployment->string);
    if (cluster->target != TARGET_EKS || row->has_import_path) {
        return;
    }
    const PlanLink *link = storage->links.items[0];
    const Value *written = subject_value(storage->head.subject, STORAGE_DEPLOYMENT);
    Diag *diag = plan_report(rules->session, link->head.subject, link->head.subject->name_span, DIAG(link_deployment),
                             STR_ARG(storage->head.id), row->deployment);
    if (written != NULL) {
        diag_label(rules->session, diag, written->span, "is written here");
    }
    diag_help(rules->session, diag,
              "write `deployment = scratch_2` in the storage; or link a file system that is there, and name it: "
              "`existing = \"fs-…\"`");
}

void rule_links(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    for (uint32_t i = 0; i < storage->links.count; i++) {
        const PlanLink *link = storage->links.items[i];
        if (storage->kind != STORAGE_LUSTRE) {
            link_of_other(rules, link, storage, storage->kind_value, "no file system for Lustre",
                          "write `kind = lustre`, or remove the link");
        } else if (!may_be_linked(cluster, storage)) {
            link_of_other(rules, link, storage, storage->existing, "there already",
                          "remove it: what is linked to the file system stays so; `aws fsx "
                          "create-data-repository-association` adds to it");
        }
    }
    if (storage->links.count == 0 || !may_be_linked(cluster, storage)) {
        return;
    }
    check_deployment(rules, cluster, storage);
    const int most = cluster->target == TARGET_EKS ? LIMIT_EKS_LINKS_MAX : LIMIT_LUSTRE_LINKS_MAX;
    if (storage->links.count > (uint32_t)most) {
        const PlanLink *first = storage->links.items[most];
        Diag *diag = plan_report(rules->session, first->head.subject, first->head.subject->name_span, DIAG(links_many),
                                 STR_ARG(storage->head.id), storage->links.count, target_of(cluster), most);
        diag_help(rules->session, diag, "link what is above their prefixes, or make another file system");
    }
    if (storage->backups != NULL) {
        Diag *diag = plan_report(rules->session, storage->head.subject, storage->backups->span, DIAG(link_backups),
                                 STR_ARG(storage->head.id));
        diag_label(rules->session, diag, storage->links.items[0]->head.subject->name_span, "the link");
        diag_help(rules->session, diag, "leave `backups` out: what is exported is in the bucket");
    }
}

// ---- what a link says --------------------------------------------------------------------------------------------

static const char *path_fault(Str path) {
    if (!str_starts_with(path, STR("/"))) {
        return "it does not begin with `/`";
    }
    for (size_t i = 0; i < path.len; i++) {
        if ((unsigned char)path.data[i] < ' ' || path.data[i] == 0x7f) {
            return "it holds a control character";
        }
    }
    const bool is_odd = str_find(path, STR("//"), 0) < path.len || str_find(path, STR("/../"), 0) < path.len ||
                        str_find(path, STR("/./"), 0) < path.len || str_ends_with(path, STR("/..")) ||
                        str_ends_with(path, STR("/."));
    return is_odd                                  ? "a part of it is empty, `.` or `..`"
           : path.len > LIMIT_LUSTRE_LINK_PATH_MAX ? "it is longer than FSx takes"
                                                   : NULL;
}

static bool has_word(const Value *list, const char *word) {
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (str_is(list->list.items[i]->string, word)) {
            return true;
        }
    }
    return false;
}

// The driver of EKS hands on one word: none, new, new and changed, or all.
static bool has_policy(const Value *imports) {
    const bool has_new = has_word(imports, "new");
    const bool has_changed = has_word(imports, "changed");
    return (has_new || !has_changed) && (has_changed || !has_word(imports, "deleted"));
}

static void check_events(const Rules *rules, const PlanCluster *cluster, const PlanLink *link) {
    const Subject *subject = link->head.subject;
    if (cluster->target == TARGET_EKS) {
        if (!has_policy(link->imports)) {
            Diag *diag = plan_report(rules->session, subject, link->imports->span, DIAG(link_import),
                                     STR_ARG(value_print(rules->session->arena, link->imports)));
            diag_help(rules->session, diag,
                      "write `[new]`, `[new, changed]`, `[new, changed, deleted]`, or `[]`, with which FSx lists what "
                      "is there at "
                      "the beginning");
        }
        return;
    }
    if (link->imports->list.count == 0 && link->exports->list.count == 0) {
        Diag *diag = plan_report(rules->session, subject, link->imports->span, DIAG(link_idle), STR_ARG(link->head.id));
        diag_help(rules->session, diag,
                  "write what the link is for: `export = [new, changed, deleted]`, or an `import`");
    }
}

static void check_region(const Rules *rules, const PlanCluster *cluster, const PlanLink *link) {
    const PlanBucket *bucket = plan_bucket_in(rules->plan, link->uri);
    if (bucket == NULL || bucket->region.len == 0 || cluster->region.len == 0 ||
        str_equal(bucket->region, cluster->region) || link->imports->list.count == 0) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, link->head.subject, link->uri->span, DIAG(link_region), STR_ARG(bucket->head.id),
                    STR_ARG(bucket->region), STR_ARG(cluster->head.id), STR_ARG(cluster->region));
    diag_label(rules->session, diag, cluster->head.subject->name_span, "in %.*s", STR_ARG(cluster->region));
    diag_help(rules->session, diag,
              cluster->target == TARGET_EKS
                  ? "link a bucket of the cluster's region"
                  : "link a bucket of the cluster's region, or write `import = []` and export alone");
}

// With `mount = "/fsx"`, "/fsx/corpus" is /fsx/fsx/corpus.
static void check_twice(const Rules *rules, const PlanLink *link, const PlanStorage *storage) {
    const Str path = link->path->string;
    const Str mount = storage->mount->string;
    if (!str_starts_with(path, mount) || (path.len > mount.len && path.data[mount.len] != '/')) {
        return;
    }
    const Str inside = path.len == mount.len ? STR("/") : str_slice(path, mount.len, path.len);
    Diag *diag = plan_report(rules->session, link->head.subject, link->path->span, DIAG(link_path_of_nodes),
                             STR_ARG(path), STR_ARG(mount), STR_ARG(path));
    diag_label(rules->session, diag, storage->mount->span, "nodes find it here");
    diag_help(rules->session, diag, "write `path = \"%.*s\"`", STR_ARG(inside));
}

void rule_link_says(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    for (uint32_t i = 0; i < storage->links.count; i++) {
        const PlanLink *link = storage->links.items[i];
        const char *fault = link->path == NULL ? NULL : path_fault(link->path->string);
        if (fault != NULL) {
            Diag *diag = plan_report(rules->session, link->head.subject, link->path->span, DIAG(link_path),
                                     STR_ARG(link->path->string), fault);
            diag_help(rules->session, diag, "write a path inside of the file system, as in `\"/corpus\"`");
        } else if (link->path != NULL) {
            check_twice(rules, link, storage);
        }
        check_events(rules, cluster, link);
        check_region(rules, cluster, link);
    }
}

// ---- two links -----------------------------------------------------------------------------------------------------

static Str without_slash(Str path) {
    return str_ends_with(path, STR("/")) ? str_slice(path, 0, path.len - 1) : path;
}

static bool do_overlap(Str one, Str other) {
    return str_paths_overlap(without_slash(one), without_slash(other));
}

static void overlap(const Rules *rules, const PlanLink *link, const Value *value, const Value *other) {
    Diag *diag = plan_report(rules->session, link->head.subject, value->span, DIAG(links_overlap),
                             STR_ARG(value->string), STR_ARG(other->string));
    diag_label(rules->session, diag, other->span, "this one");
    diag_help(rules->session, diag, "link directories and prefixes of which none is in another");
}

static bool is_good_path(const PlanLink *link) {
    return link->path != NULL && path_fault(link->path->string) == NULL;
}

void rule_links_apart(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    for (uint32_t i = 0; cluster->target != TARGET_EKS && i < storage->links.count; i++) {
        const PlanLink *link = storage->links.items[i];
        for (uint32_t k = 0; k < i; k++) {
            const PlanLink *other = storage->links.items[k];
            if (is_good_path(link) && is_good_path(other) && do_overlap(link->path->string, other->path->string)) {
                overlap(rules, link, link->path, other->path);
                break;
            }
            if (known_uri(link).len > 0 && known_uri(other).len > 0 && do_overlap(known_uri(link), known_uri(other))) {
                overlap(rules, link, link->uri, other->uri);
                break;
            }
        }
    }
}

// ---- two links of a template ---------------------------------------------------------------------------------------

typedef struct {
    const PlanUse *system; // the use that names the file system
    const Data *path;
    const Data *uri;
} TemplateLink;

typedef VEC(TemplateLink) TemplateLinks;

static bool is_literal(const Data *data, const char *start) {
    return data != NULL && data->kind == DATA_STRING && data->tag.len == 0 &&
           str_starts_with(data->string, str_of(start)) && str_find(data->string, STR("{"), 0) >= data->string.len;
}

static bool overlaps(const Rules *rules, const TemplateLink *link, const Data *text, const Data *other,
                     const char *start) {
    if (!is_literal(text, start) || !is_literal(other, start) || !do_overlap(text->string, other->string)) {
        return false;
    }
    Diag *diag = plan_report(rules->session, link->system->subject, text->span, DIAG(links_overlap),
                             STR_ARG(text->string), STR_ARG(other->string));
    diag_label(rules->session, diag, other->span, "this one");
    diag_help(rules->session, diag, "link directories and prefixes of which none is in another");
    return true;
}

// Of more links than a file system can have, the first are asked.
void rule_template_links(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    TemplateLinks links = { 0 };
    uint32_t asked = 0;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_link = use->from != NULL && use->to != NULL && use->kind == USE_REF && use->is_whole &&
                             str_is(use->key, "FileSystemId") &&
                             str_is(use->from->type, "AWS::FSx::DataRepositoryAssociation");
        const Data *properties = is_link ? data_get(use->from->data, "Properties") : NULL;
        const TemplateLink link = { use, data_get(properties, "FileSystemPath"),
                                    data_get(properties, "DataRepositoryPath") };
        for (uint32_t k = 0; is_link && k < links.count && k < 4 * LIMIT_LUSTRE_LINKS_MAX; k++) {
            const TemplateLink *other = &links.items[k];
            const PlanUse *both[] = { use, other->system };
            if (other->system->to == use->to && uses_meet(rules->session->arena, both, COUNT_OF(both), &asked) &&
                (overlaps(rules, &link, link.path, other->path, "/") ||
                 overlaps(rules, &link, link.uri, other->uri, "s3://"))) {
                break;
            }
        }
        if (is_link) {
            vec_push(rules->session->arena, &links, link);
        }
    }
}
