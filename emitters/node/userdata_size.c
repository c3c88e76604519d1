// Links parts into the room that EC2 has for user data. It counts what each part takes. If they do not fit, it says
// which of them has to go elsewhere. The limit is EC2's; what AWS Batch and EKS add of their own comes out of the same
// room.
#include "emitters/node/userdata.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"

enum { NAMED_PARTS_MAX = 3 }; // in a message about the size

// The largest part of those that are not `named` yet; NULL where none is left.
static const UserDataPart *largest(const UserDataParts *parts, const UserDataPart *const *named, int count) {
    const UserDataPart *found = NULL;
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        bool is_named = span_is_none(part->span);
        for (int k = 0; k < count; k++) {
            is_named = is_named || named[k] == part;
        }
        if (!is_named && (found == NULL || part->text.len > found->text.len)) {
            found = part;
        }
    }
    return found;
}

// What stands in the place of a script that nodes fetch, and what fetches them.
enum { FETCH_BYTES = 300, FETCHING_BYTES = 650 };

// Whether enough is gained where scripts of the project are fetched.
static bool scripts_can_go(const PlanNodes *nodes, size_t excess) {
    size_t gain = 0;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const size_t len = nodes->setup.items[i].text.len;
        gain += len > FETCH_BYTES ? len - FETCH_BYTES : 0;
    }
    return nodes->setup.count > 0 && (gain > excess + FETCHING_BYTES || nodes->validate == NULL);
}

// Where the author asks for what is too much: a script of his own can go elsewhere, so that is named first.
static Span span_of(const PlanNodes *nodes, bool can_go) {
    const Subject *subject = nodes->head.subject;
    if (can_go) {
        return subject_key(subject, NODES_SETUP);
    }
    if (nodes->validate != NULL) {
        return nodes->validate->part != NULL ? nodes->validate->part->subject->span : subject->name_span;
    }
    return subject_key(subject, NODES_SCRATCH);
}

// Whether nodes would look again by what they fetch, and there is no place for it.
static bool lacks_place(const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    return nodes->validate != NULL && cluster->artifacts == NULL &&
           (cluster->target == TARGET_EKS || cluster->target == TARGET_BATCH);
}

// With a place, scripts for which there is no room go there by themselves.
static void help_with_place(Session *session, Diag *diag, const PlanNodes *nodes) {
    if (lacks_place(nodes)) {
        diag_help(session, diag,
                  "or give the cluster `artifacts = \"s3://…\"`: nodes then fetch their scripts from there");
    }
}

// The way out where a cluster has no place yet.
#define FETCH_IT "write `artifacts = \"s3://BUCKET\"` in the cluster, and nodes fetch it from there"

bool userdata_fits(size_t size) {
    return (int64_t)size <= schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
}

void userdata_check_size(Session *session, const PlanNodes *nodes, const UserDataParts *parts, size_t size) {
    const int64_t max = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    // On EKS what is added is counted already.
    const bool is_counted = nodes->validate != NULL && nodes->cluster->target == TARGET_EKS;
    const int64_t warn = is_counted ? max : schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
    if ((int64_t)size <= warn) {
        return;
    }
    const size_t excess = userdata_fits(size) ? 0 : size - (size_t)max;
    const bool can_go = scripts_can_go(nodes, excess);
    const Subject *subject = nodes->head.subject;
    const uint32_t outer = diags_begin_turn(session);
    Diag *diag = userdata_fits(size)
                     ? plan_report(session, subject, span_of(nodes, can_go), DIAG(user_data_large), size, max)
                     : plan_report(session, subject, span_of(nodes, can_go), DIAG(user_data_too_large), size, max);
    const UserDataPart *named[NAMED_PARTS_MAX];
    for (int i = 0; i < NAMED_PARTS_MAX; i++) {
        named[i] = largest(parts, named, i);
        if (named[i] == NULL) {
            break;
        }
        diag_label(session, diag, named[i]->span, "%.*s: %zu bytes", STR_ARG(named[i]->name), named[i]->text.len);
    }
    if (can_go) {
        diag_help(session, diag, "put the largest where nodes can fetch it: `script(\"https://…\", \"SHA-256\")`");
        help_with_place(session, diag, nodes);
    }
    if (nodes->validate != NULL && nodes->validate->is_script) {
        diag_help(session, diag, "`core = c` takes less room");
    } else if (nodes->validate != NULL && excess > 0 && !can_go) {
        diag_help(session, diag, "`validate = off` makes room, and nodes then check nothing of themselves");
    }
    diags_end_turn(session, outer); // of a group that `like` or a loop copies
}

static size_t bytes_of(const UserDataParts *parts, Str name) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        bytes += str_equal(parts->items[i].name, name) ? parts->items[i].text.len : 0;
    }
    return bytes;
}

static bool is_first_of_name(const UserDataParts *parts, uint32_t which) {
    for (uint32_t i = 0; i < which; i++) {
        if (str_equal(parts->items[i].name, parts->items[which].name)) {
            return false;
        }
    }
    return true;
}

void userdata_decide_unwatched(Session *session, PlanDecisions *decisions, const PlanNodes *nodes) {
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(session->arena, nodes),
        .text = str_format(session->arena,
                           "nodes are checked when they boot, and not every few minutes after that: the script for it "
                           "does not fit into user data%s",
                           lacks_place(nodes) ? "; " FETCH_IT : ""),
    };
    vec_push(session->arena, decisions, decision);
}

void userdata_decide_uncounted(Session *session, PlanDecisions *decisions, const PlanNodes *nodes) {
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(session->arena, nodes),
        .text = str_format(session->arena,
                           "a node that fails its check takes no work and is not ended: the script that counts such "
                           "nodes, so that not all are ended at once, does not fit into user data%s",
                           lacks_place(nodes) ? "; " FETCH_IT : ""),
    };
    vec_push(session->arena, decisions, decision);
}

void userdata_account(Session *session, PlanDecisions *decisions, const PlanNodes *nodes, const UserDataParts *parts,
                      size_t size) {
    userdata_check_size(session, nodes, parts, size);
    const bool is_checked = nodes->cluster->target == TARGET_EKS && nodes->validate != NULL;
    if (is_checked && !nodes->validate->has_second) {
        userdata_decide_unwatched(session, decisions, nodes);
    }
    StrBuf text = { .arena = session->arena };
    strbuf_add_format(&text, "%zu bytes of user data, of %" PRId64 ":", size,
                      schema_constant(CONSTANT_USER_DATA_BYTES_MAX));
    size_t counted = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (is_first_of_name(parts, i)) {
            const size_t bytes = bytes_of(parts, parts->items[i].name);
            strbuf_add_format(&text, " %.*s %zu,", STR_ARG(parts->items[i].name), bytes);
            counted += bytes;
        }
    }
    strbuf_add_format(&text, " the rest %zu", size - counted);
    if (lacks_place(nodes)) {
        strbuf_add(&text,
                   STR("; the check does not ask drivers for errors: its program for that does not fit; " FETCH_IT));
    }
    const PlanDecision decision = { .span = nodes->head.subject->name_span,
                                    .subject = plan_group_path(session->arena, nodes),
                                    .text = strbuf_str(&text) };
    vec_push(session->arena, decisions, decision);
}

void userdata_report_unchecked(Session *session, const PlanNodes *nodes, LeftOut left_out) {
    Diag *diag = plan_report(session, nodes->head.subject, nodes->head.subject->name_span, DIAG(check_left_out),
                             STR_ARG(nodes->head.id), left_out.what, left_out.size, left_out.most);
    if (nodes->setup.count > 0) {
        diag_help(session, diag, "put scripts where nodes can fetch them: `script(\"https://…\", \"SHA-256\")`");
        help_with_place(session, diag, nodes);
    }
    diag_help(session, diag, "write `validate = off` where it is meant");
}
