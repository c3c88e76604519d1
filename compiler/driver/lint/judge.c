// From the finished files of a build to what is wrong with them, at places of the source. Each file has a session of its
// own, as in `dtc lint`. The source maps, which say where a line comes from, are made when the first thing is found.
#include "compiler/driver/lint/judge.h"

#include "compiler/base/diag/prose.h"
#include "compiler/base/json.h"
#include "compiler/base/overlay.h"
#include "compiler/base/terminal.h"
#include "compiler/driver/lint/help_words.h"
#include "compiler/driver/lint/lint_file.h"
#include "compiler/driver/output/line_map.h"
#include "compiler/plan/model/allow.h"
#include "schema/instances.h"

typedef struct {
    Session *session; // of the build
    const Plan *plan;
    const Output *output;
    Overlay overlay; // the files, for those beside them
    Beside beside;
    Session *maps;       // what the maps are read in; NULL: nothing was found yet
    const Data **leaves; // of each file; NULL without a map
    OutputAllows allows; // of what was found and is allowed
    uint32_t reports_before;
} Judge;

// A file while it is judged.
typedef struct {
    Judge *judge;
    Session *session; // of its own
    uint32_t number;  // among the artifacts
} Judged;

// ---- which builds ------------------------------------------------------------------------------------------------

static bool has_own_words(const PlanPart *part) {
    return !part->is_used && part->patches.count + part->resources.count > 0;
}

static bool has_used_allow(const PlanPart *part) {
    bool has = false;
    for (uint32_t i = 0; i < part->subject->allows.count && !part->is_used; i++) {
        has = has || *part->subject->allows.items[i].was_used;
    }
    return has;
}

static bool is_due(const Plan *plan) {
    bool is = false;
    for (uint32_t i = 0; i < plan->parts.count && !is; i++) {
        is = has_own_words(plan->parts.items[i]) || has_used_allow(plan->parts.items[i]);
    }
    return is;
}

// ---- places of the source ----------------------------------------------------------------------------------------

// What decided a line, and the blocks whose `allow`s count for it.
typedef struct {
    Span span;             // SPAN_NONE: no text of the source did
    const PlanPart *part;  // that the text stands in; NULL: not known
    const PlanPart *patch; // that has the patch which changes the place; NULL: none does
    const PlanPart *file;  // that the file is called after; NULL: not known
    bool is_own;           // the text is one of a patch or a raw resource
    bool is_name;          // then: it is the path, or the resource's name
} Cause;

static bool is_of_patch(const BlockPatch *patch, Span span) {
    return span_holds(patch->path_span, span) || span_holds(patch->value->span, span);
}

// A text in a patch or in a raw resource. Its value says more than its name.
static void find_own(const Plan *plan, Span span, Cause *cause) {
    bool is = false;
    bool is_name = false;
    for (uint32_t i = 0; i < plan->parts.count && !is; i++) {
        const PlanPart *part = plan->parts.items[i];
        for (uint32_t k = 0; k < part->resources.count && !is; k++) {
            is = span_holds(part->resources.items[k]->whole, span);
            is_name = is && span_equal(origin_first_span(part->resources.items[k]->origin), span);
        }
        for (uint32_t k = 0; k < part->patches.count && !is; k++) {
            is = is_of_patch(&part->patches.items[k], span);
            is_name = is && span_equal(part->patches.items[k].path_span, span);
        }
        if (is && (!cause->is_own || (cause->is_name && !is_name))) {
            *cause = (Cause){ .span = span, .part = part, .is_own = true, .is_name = is_name };
        }
    }
}

static bool has_value_at(const PlanPart *part, Span span) {
    bool has = span_holds(part->subject->name_span, span);
    for (int i = 0; i < part->kind->attribute_count && !has; i++) {
        const Value *value = part->subject->values[i];
        has = value != NULL && span_holds(value->span, span);
    }
    return has;
}

// The block that has a text among its values; else the last one that begins before it.
static const PlanPart *part_at(const Plan *plan, Span span) {
    const PlanPart *last = NULL;
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const PlanPart *part = plan->parts.items[i];
        const Span name = part->subject->name_span;
        if (has_value_at(part, span)) {
            return part;
        }
        const bool is_before = name.source == span.source && name.start <= span.start;
        last = is_before && (last == NULL || name.start > last->subject->name_span.start) ? part : last;
    }
    return last;
}

// How much two paths have in common, up to the end of a step.
static size_t common_path(Str a, Str b) {
    size_t same = 0;
    size_t end = 0;
    while (same < a.len && same < b.len && a.data[same] == b.data[same]) {
        same++;
        const bool ends = (same == a.len || a.data[same] == '.' || a.data[same] == '[') &&
                          (same == b.len || b.data[same] == '.' || b.data[same] == '[');
        end = ends ? same : end;
    }
    return str_is(str_slice(a, 0, end), "Resources") ? 0 : end;
}

static bool may_patch(const PlanPart *part, const BlockPatch *patch, Str file) {
    const bool is_of_kind = patch->file.len == 0 || str_find(file, patch->file, 0) < file.len;
    return is_of_kind && (str_starts_with(file, part_root(part)->name) || str_starts_with(file, part->stack->name));
}

// What is not there has no origin: it is the patch nearest to the place that took it away, or that changed what is beside
// it. The block of the text stays.
static void find_patch(const Plan *plan, Str file, Str path, Cause *cause) {
    size_t best = 0;
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const PlanPart *part = plan->parts.items[i];
        for (uint32_t k = 0; k < part->patches.count; k++) {
            const BlockPatch *patch = &part->patches.items[k];
            const size_t common = may_patch(part, patch, file) ? common_path(patch->path, path) : 0;
            const size_t weight = common == 0 ? 0 : 2 * common + (patch->value->kind == VALUE_NULL ? 1 : 0);
            if (weight > best) {
                best = weight;
                cause->span = patch->path_span;
                cause->patch = part;
            }
        }
    }
}

// The block that a file is called after.
static const PlanPart *part_of_file(const Plan *plan, Str file) {
    const PlanPart *found = NULL;
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const PlanPart *part = plan->parts.items[i];
        const bool is_it = part->outer == NULL && !part->is_used && str_starts_with(file, part->name);
        found = is_it && (found == NULL || part->name.len > found->name.len) ? part : found;
    }
    return found;
}

// A text that decided a leaf: of a patch or a raw resource, if there is one; else the first.
static Cause text_of(const Judge *judge, const Data *leaf) {
    const Data *origins = data_get(leaf, "origins");
    Cause cause = { 0 };
    for (uint32_t i = 0; origins != NULL && origins->kind == DATA_LIST && i < origins->count; i++) {
        const Span span = line_map_span(judge->session, origins->items[i]);
        if (span_is_none(span) || !source_get(judge->session, span.source)->is_program) {
            continue;
        }
        find_own(judge->plan, span, &cause);
        if (span_is_none(cause.span)) {
            cause = (Cause){ .span = span, .part = part_at(judge->plan, span) };
        }
    }
    return cause;
}

static Cause cause_of(const Judge *judge, const Data *leaf, Str file) {
    Cause cause = text_of(judge, leaf);
    if (!cause.is_own) {
        find_patch(judge->plan, file, data_text(leaf, "path"), &cause);
    }
    const PlanPart *part = part_of_file(judge->plan, file);
    if (span_is_none(cause.span) && part != NULL) {
        cause = (Cause){ .span = part->subject->name_span, .part = part };
    }
    cause.file = part;
    return cause;
}

// ---- source maps -------------------------------------------------------------------------------------------------

static Output like(const Output *output) {
    return (Output){ .format = output->format,
                     .wants_map = output->wants_map,
                     .core_directory = output->core_directory,
                     .cores = output->cores };
}

static void read_maps(Judge *judge) {
    judge->maps = session_create_beside(judge->session);
    judge->leaves = arena_new_array(judge->maps->arena, const Data *, judge->output->artifacts.count);
    Output mapped = like(judge->output);
    mapped.wants_map = true;
    const Output *output = judge->output;
    if (!output->wants_map) {
        emit_all(judge->session, judge->plan, &mapped);
        output = &mapped;
    }
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (artifact->map.len > 0) {
            const uint32_t source = source_add(judge->maps, artifact->name, artifact->map);
            judge->leaves[i] = line_map_leaves(json_read(judge->maps, source), artifact->name);
        }
    }
}

// The file of a place; NULL: it is none of the build.
static const Artifact *file_of(const Judged *file, Span span) {
    const Output *output = file->judge->output;
    const Str path = span_is_none(span) ? STR_NONE : source_get(file->session, span.source)->path;
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (str_equal(output->artifacts.items[i].name, path)) {
            return &output->artifacts.items[i];
        }
    }
    return NULL;
}

static const Data *leaf_at(const Judged *file, Span span) {
    Judge *judge = file->judge;
    const Artifact *artifact = file_of(file, span);
    if (judge->maps == NULL) {
        read_maps(judge);
    }
    const Data *leaves = artifact == NULL ? NULL : judge->leaves[artifact - judge->output->artifacts.items];
    if (leaves == NULL) {
        return NULL;
    }
    const uint32_t line = source_line_number(file->session, span.source, span.start);
    return line_map_find(file->session, leaves, span.source, line);
}

// ---- what is found -----------------------------------------------------------------------------------------------

static const SubjectAllow *allow_in(const PlanPart *part, const char *code) {
    for (; part != NULL; part = part->outer) {
        for (uint32_t i = 0; i < part->subject->allows.count; i++) {
            if (str_is(part->subject->allows.items[i].code, code)) {
                return &part->subject->allows.items[i];
            }
        }
    }
    return NULL;
}

// What silenced a rule over the Plan silences the same finding in the files, whichever block's line shows it there.
static const SubjectAllow *used_allow(const Plan *plan, const char *code) {
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const SubjectAllow *allow = allow_in(plan->parts.items[i], code);
        if (allow != NULL && *allow->was_used) {
            return allow;
        }
    }
    return NULL;
}

static const SubjectAllow *find_allow(const Judge *judge, const Cause *cause, DiagId id) {
    const char *code = diag_row(id)->code;
    const SubjectAllow *allow = allow_in(cause->part, code);
    allow = allow == NULL ? allow_in(cause->patch, code) : allow;
    const bool is_of_plan = !cause->is_own && cause->patch == NULL;
    return allow == NULL && is_of_plan ? used_allow(judge->plan, code) : allow;
}

static void add_allow(Judge *judge, Str file, const SubjectAllow *allow) {
    *allow->was_used = true;
    for (uint32_t i = 0; i < judge->allows.count; i++) {
        const OutputAllow *other = &judge->allows.items[i];
        if (str_equal(other->file, file) && str_equal(other->code, allow->code)) {
            return;
        }
    }
    StrBuf reason = { .arena = judge->session->arena };
    terminal_add(&reason, allow->reason);
    const OutputAllow added = { .file = file, .code = allow->code, .reason = strbuf_str(&reason) };
    vec_push(judge->session->arena, &judge->allows, added);
}

// The block that a text certainly stands in; NULL: none does, as of a value of `let`, or nobody knows.
static const PlanPart *block_of(const Plan *plan, Span span) {
    Cause cause = { 0 };
    find_own(plan, span, &cause);
    for (uint32_t i = 0; i < plan->parts.count && cause.part == NULL; i++) {
        cause.part = has_value_at(plan->parts.items[i], span) ? plan->parts.items[i] : NULL;
    }
    return cause.part;
}

// Whether what was said before is the same mistake: in the same words, of the same block or of a value that the block of
// the file copies, or of the same text.
static bool is_same(const Judge *judge, const Cause *cause, const Diag *found, const Diag *other) {
    if (other->id != found->id) {
        return other->severity >= found->severity && span_equal(other->span, cause->span);
    }
    const PlanPart *part = cause->part == NULL ? cause->patch : cause->part;
    const PlanPart *its = block_of(judge->plan, other->span);
    return str_equal(other->message, found->message) || part == NULL || its == NULL ||
           part_root(its) == part_root(part) || (cause->file != NULL && has_value_at(cause->file, other->span));
}

// A rule over the Plan says it in the source's words. Of one text the worse mistake alone is shown.
static bool is_said(const Judge *judge, const Cause *cause, const Diag *found) {
    Session *session = judge->session;
    bool is = false;
    for (uint32_t i = 0; i < judge->reports_before && !is; i++) {
        Diag *other = session->diags.items.items[i];
        is = !other->is_allowed && is_same(judge, cause, found, other);
    }
    for (uint32_t i = 0; i < judge->reports_before && !is; i++) {
        Diag *other = session->diags.items.items[i];
        if (!other->is_allowed && span_equal(other->span, cause->span)) {
            diag_hide(session, other);
        }
    }
    return is;
}

// A reason of the finding, where the source has one.
static void add_label(const Judged *file, Diag *diag, const DiagLabel *label) {
    const Data *leaf = leaf_at(file, label->span);
    const Cause cause = text_of(file->judge, leaf);
    if (!span_is_none(cause.span) && !span_equal(cause.span, diag->span)) {
        diag_label(file->judge->session, diag, cause.span, "%.*s", STR_ARG(label->text));
    }
}

static void report_finding(const Judged *file, const Diag *found, const Data *leaf, const Cause *cause) {
    Session *session = file->judge->session;
    const Artifact *artifact = &file->judge->output->artifacts.items[file->number];
    Diag *diag = report(session, cause->span, found->id, "%.*s", STR_ARG(found->message));
    diag->can_be_allowed = diag_row(found->id)->nature == JUDGEMENT;
    if (found->label.len > 0) {
        diag_primary_label(session, diag, "%.*s", STR_ARG(found->label));
    }
    for (uint32_t i = 0; i < found->labels.count; i++) {
        add_label(file, diag, &found->labels.items[i]);
    }
    for (uint32_t i = 0; i < found->helps.count; i++) {
        diag_help(session, diag, "%.*s", STR_ARG(help_in_source_words(session->arena, found->helps.items[i])));
    }
    for (uint32_t i = 0; i < found->notes.count; i++) {
        diag_note(session, diag, "%.*s", STR_ARG(found->notes.items[i]));
    }
    const Str path = data_text(leaf, "path");
    if (path.len > 0) {
        diag_note(session, diag, "`%.*s` would have it at `%.*s`", STR_ARG(artifact->name), STR_ARG(path));
    } else {
        diag_note(session, diag, "`%.*s` would have it", STR_ARG(artifact->name));
    }
}

// Ids of examples stand in manuals and in tests, and their author knows that. Of a file nobody knows who filled it in.
static bool is_of_judge(const Diag *diag) {
    return !diag->is_allowed && diag->severity != SEVERITY_NOTE && diag->id != DIAG_example_id;
}

static void take_finding(const Judged *file, const Diag *found) {
    Judge *judge = file->judge;
    const Str name = judge->output->artifacts.items[file->number].name;
    const Data *leaf = leaf_at(file, found->span);
    const Cause cause = cause_of(judge, leaf, name);
    const SubjectAllow *allow = find_allow(judge, &cause, found->id);
    if (allow != NULL) {
        add_allow(judge, name, allow);
    } else if (!is_said(judge, &cause, found)) {
        report_finding(file, found, leaf, &cause);
    }
}

// ---- the files ---------------------------------------------------------------------------------------------------

static bool is_judged(const Artifact *artifact) {
    return artifact->missing.count == 0 &&
           (str_ends_with(artifact->name, STR(".yaml")) || str_ends_with(artifact->name, STR(".json")));
}

static Session *begin(Judge *judge) {
    Session *session = session_create_beside(judge->session);
    schema_share(session, judge->session);
    session->levels = judge->session->levels;
    session->overlay = &judge->overlay;
    return session;
}

static void gather(Judge *judge) {
    for (uint32_t i = 0; i < judge->output->artifacts.count; i++) {
        const Artifact *artifact = &judge->output->artifacts.items[i];
        if (is_judged(artifact)) {
            vec_push(judge->session->arena, &judge->overlay,
                     (StandIn){ .path = artifact->name, .text = artifact->content });
        }
    }
    for (uint32_t i = 0; i < judge->overlay.count; i++) {
        const StandIn *file = &judge->overlay.items[i];
        Session *session = begin(judge);
        const ForeignFile offer = lint_offer(session, source_add(session, file->path, file->text), FOREIGN_NONE);
        beside_add(&judge->beside, session, file->path, &offer);
        session_destroy(session);
    }
}

static void judge_file(Judge *judge, uint32_t number) {
    const Artifact *artifact = &judge->output->artifacts.items[number];
    const Judged file = { .judge = judge, .session = begin(judge), .number = number };
    const uint32_t source = source_add(file.session, artifact->name, artifact->content);
    lint_file(file.session, source, FOREIGN_NONE, &judge->beside);
    diags_complete(file.session);
    for (uint32_t i = 0; i < file.session->diags.items.count; i++) {
        if (is_of_judge(file.session->diags.items.items[i])) {
            take_finding(&file, file.session->diags.items.items[i]);
        }
    }
    session_destroy(file.session);
}

// What is said of a file that grows by its allows, such as its size, holds of the one that is written.
static void hide_earlier(Session *session, uint32_t first_of_again) {
    const Diags *diags = &session->diags;
    for (uint32_t i = first_of_again; i < diags->items.count; i++) {
        const Diag *now = diags->items.items[i];
        for (uint32_t k = 0; k < first_of_again; k++) {
            Diag *earlier = diags->items.items[k];
            if (earlier->id == now->id && span_equal(earlier->span, now->span)) {
                diag_hide(session, earlier);
            }
        }
    }
}

void judge(Session *session, const Plan *plan, Output *output) {
    if (has_errors(session) || !is_due(plan)) {
        return;
    }
    Judge judge = { .session = session,
                    .plan = plan,
                    .output = output,
                    .beside = { .arena = session->arena },
                    .reports_before = session->diags.items.count };
    gather(&judge);
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (is_judged(&output->artifacts.items[i])) {
            judge_file(&judge, i);
        }
    }
    if (judge.maps != NULL) {
        session_destroy(judge.maps);
    }
    if (judge.allows.count > 0 && !has_errors(session)) {
        Output again = like(output);
        again.allows = judge.allows;
        const uint32_t reports = session->diags.items.count;
        emit_all(session, plan, &again);
        hide_earlier(session, reports);
        *output = again;
    }
}
