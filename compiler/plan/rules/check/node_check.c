// Rules about the check of nodes. A core refuses a whole record if it does not understand a part of it, and then the
// node fails. So these rules find what a record cannot hold, before it costs anything.
#include "compiler/base/shell.h"
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/node_record.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "stdlib/node/contract.h"

// ---- where it goes ---------------------------------------------------------------------------------------------

// What keeps the nodes of one group of a cluster from a check keeps those of the others, and is said once.
static bool is_first_with_gap(const PlanNodes *nodes, const char *gap) {
    const PlanCluster *cluster = nodes->cluster;
    for (uint32_t i = 0; i < cluster->nodes.count && cluster->nodes.items[i]->head.subject != nodes->head.subject;
         i++) {
        const PlanValidate *other = cluster->nodes.items[i]->validate;
        if (other != NULL && other->gap != NULL && strcmp(other->gap, gap) == 0) {
            return false;
        }
    }
    return true;
}

static void check_place(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    if (validate->gap == NULL || !is_first_with_gap(nodes, validate->gap)) {
        return;
    }
    const PlanCluster *cluster = nodes->cluster;
    Diag *diag = report(rules->session, validate->part->subject->span, DIAG(check_not_carried),
                        STR_ARG(cluster->head.id), validate->gap);
    const bool wants_place = cluster->target == TARGET_PARALLELCLUSTER && cluster->artifacts == NULL;
    diag_help(rules->session, diag, "%s",
              wants_place ? "write `artifacts = \"s3://…\"` in the cluster: the check is put there"
                          : "write `os = al2023`, or `validate = off` and look at the nodes with a DaemonSet");
}

// A file of the project, or a script with a SHA-256, which one of dtc's fetches.
static bool have_file(const PlanScripts *scripts) {
    for (uint32_t i = 0; i < scripts->count; i++) {
        if (scripts->items[i].text.len > 0 || scripts->items[i].sha256.len > 0) {
            return true;
        }
    }
    return false;
}

// Nodes fetch what follows the first stage of their check, and dtc-collective. ParallelCluster's fetch scripts of the
// project and the whole check from there as well.
static bool is_fetched_from(const PlanCluster *cluster) {
    const bool is_slurm = cluster->target == TARGET_PARALLELCLUSTER;
    const PlanHeadNode *head = is_slurm ? cluster->slurm->head_node : NULL;
    bool is_used = head != NULL && have_file(&head->setup);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const PlanValidate *validate = nodes->validate;
        is_used = is_used || (is_slurm && have_file(&nodes->setup)) ||
                  (validate != NULL && (validate->has_second || validate->first_job > 0));
    }
    return is_used;
}

void rule_artifacts(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->artifacts == NULL || is_fetched_from(cluster)) {
        return;
    }
    const Subject *subject = cluster->head.subject;
    Diag *diag = plan_report(rules->session, subject, subject_key(subject, CLUSTER_ARTIFACTS), DIAG(artifacts_unused),
                             STR_ARG(cluster->head.id));
    diag_help(rules->session, diag, "leave `artifacts` out, or write `validate {}` in a group");
}

// ---- what the record can hold ----------------------------------------------------------------------------------

// A link of another name stands for a file of any, in the last folder that needs none. The core has no room to read
// more, within what user data leaves it.
static void help_with_link(const Rules *rules, Diag *diag, Str path) {
    Arena *arena = rules->session->arena;
    size_t end = path.len; // of the folder
    for (size_t i = path.len; i > 0; i--) {
        end = node_record_bad_byte(str_slice(path, i - 1, i)) == 0 ? i - 1 : end;
    }
    while (path.data[end - 1] != '/') {
        end--;
    }
    StrBuf link = { .arena = arena };
    strbuf_add(&link, str_slice(path, 0, end));
    for (size_t i = end; i < path.len; i++) {
        const char c = path.data[i];
        strbuf_add_char(&link, c == ' ' || c == '/' || node_record_bad_byte(str_slice(path, i, i + 1)) == 0 ? '-' : c);
    }
    StrBuf command = { .arena = arena };
    shell_add(&command, "ln -s", path);
    shell_add(&command, "", strbuf_str(&link));
    diag_help(rules->session, diag, "let a script of `setup` make a link, and name that: `%.*s`",
              STR_ARG(strbuf_str(&command)));
}

// A module is one word. A path is the rest of its line, in which a blank at the end would not be seen.
static bool fits_record(Str text, bool is_path) {
    enum { KEY_BYTES = sizeof("?module ") - 1 };
    uint32_t words = 1;
    for (size_t i = 0; i < text.len; i++) {
        words += text.data[i] == ' ';
    }
    return text.len > 0 && text.len + KEY_BYTES <= NODE_LINE_BYTES_MAX && node_record_bad_byte(text) == text.len &&
           (is_path ? words <= NODE_LINE_VALUES_MAX && text.data[text.len - 1] != ' ' : words == 1);
}

// The kernel calls nvidia-uvm.ko nvidia_uvm.
static bool is_module_name(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !char_is_digit(c) && c != '_') {
            return false;
        }
    }
    return true;
}

static void check_text(const Rules *rules, const Value *value, bool is_path) {
    const Str text = value->string;
    if (!is_path && fits_record(text, false) && !is_module_name(text)) {
        Diag *diag = report(rules->session, value->span, DIAG(record_bad_text),
                            STR_ARG(value_print(rules->session->arena, value)));
        diag_help(rules->session, diag, "name the module as `lsmod` does, with `_` for each `-`");
        diag_note(rules->session, diag, "letters, digits and `_` are what the name of a module has");
    } else if (!fits_record(text, is_path)) {
        Diag *diag = report(rules->session, value->span, DIAG(record_bad_text),
                            STR_ARG(value_print(rules->session->arena, value)));
        if (is_path && text.len > 1 && text.data[0] == '/') {
            help_with_link(rules, diag, text);
        } else {
            diag_help(rules->session, diag,
                      is_path ? "write the whole path, from `/` on" : "name the module as `lsmod` does");
        }
        diag_note(rules->session, diag, "letters, digits%s and `. _ : / @ + -` are what it can hold",
                  is_path ? ", up to 63 blanks" : "");
    } else if (is_path && text.data[0] != '/') {
        Diag *diag = report(rules->session, value->span, DIAG(record_bad_path), STR_ARG(text));
        diag_help(rules->session, diag, "write the whole path, from `/` on");
    }
}

static void check_once(const Rules *rules, const Value *list, uint32_t number, const char *name) {
    const Value *item = list->list.items[number];
    for (uint32_t i = 0; i < number; i++) {
        const Value *other = list->list.items[i];
        if (value_equal(other, item)) {
            Diag *diag = report(rules->session, item->span, DIAG(listed_twice),
                                STR_ARG(value_print(rules->session->arena, item)), STR_ARG(str_of(name)));
            if (!span_equal(other->span, item->span)) {
                diag_label(rules->session, diag, other->span, "first here");
            }
            return;
        }
    }
}

static void check_list(const Rules *rules, const Value *list, bool are_paths) {
    for (uint32_t i = 0; list != NULL && i < list->list.count; i++) {
        check_text(rules, list->list.items[i], are_paths);
        check_once(rules, list, i, are_paths ? "files" : "modules");
    }
}

static uint32_t line_count(Str text) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == '\n' ? 1 : 0;
    }
    return count;
}

static void check_size(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    const uint32_t lines = line_count(validate->record);
    if (validate->record.len <= NODE_RECORD_BYTES_MAX && lines <= NODE_RECORD_LINES_MAX) {
        return;
    }
    const Span span = validate->files->list.count > 0 ? validate->files->span : nodes->head.subject->name_span;
    Diag *diag = report(rules->session, span, DIAG(record_too_large), STR_ARG(nodes->head.id), validate->record.len,
                        lines, NODE_RECORD_BYTES_MAX, NODE_RECORD_LINES_MAX);
    diag_help(rules->session, diag, "name fewer `files`; a folder stands for what is in it");
}

static void check_limit(const Rules *rules, const PlanValidate *validate) {
    enum { SECOND_MS = 1000 };
    const int64_t least = schema_constant(CONSTANT_NODE_CHECK_LIMIT_LEAST_S);
    const int64_t most = schema_constant(CONSTANT_NODE_CHECK_LIMIT_MOST_S);
    const int64_t limit = validate->limit->integer;
    if (limit % SECOND_MS != 0 || limit < least * SECOND_MS || limit > most * SECOND_MS) {
        report(rules->session, validate->limit->span, DIAG(bad_check_limit),
               STR_ARG(value_print(rules->session->arena, validate->limit)), least, most);
    }
}

// ---- what becomes of a node that fails -------------------------------------------------------------------------

static void check_keep(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    enum { MINUTE_MS = 60 * 1000 };
    const int64_t least = schema_constant(CONSTANT_NODE_CHECK_KEEP_LEAST_MINUTES);
    const int64_t most = schema_constant(CONSTANT_NODE_CHECK_KEEP_MOST_MINUTES);
    const Value *keep = validate->part == NULL ? NULL : subject_value(validate->part->subject, VALIDATE_KEEP);
    if (keep == NULL) {
        return;
    }
    const Str written = value_print(rules->session->arena, validate->keep);
    const int64_t time = validate->keep->integer;
    if (time % MINUTE_MS != 0 || time < least * MINUTE_MS || time > most * MINUTE_MS) {
        Diag *diag = report(rules->session, validate->keep->span, DIAG(bad_check_keep), STR_ARG(written), least, most);
        diag_help(rules->session, diag, "write whole minutes between the two, or leave it out for %dmin",
                  (int)schema_constant(CONSTANT_NODE_CHECK_KEEP_MINUTES));
    } else if (validate->on_fail != ON_FAIL_TERMINATE) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, validate->keep->span, DIAG(keep_without_end),
                                 STR_ARG(written), STR_ARG(nodes->head.id));
        diag_help(rules->session, diag, "write `on_fail = terminate`, or leave `keep` out");
    }
}

// Of ParallelCluster both what ends and what keeps a node are clustermgtd's: a bootstrap that fails ends the instance, and
// within a minute clustermgtd ends what is drained or down and runs nothing (aws-parallelcluster-node@2e8f9a8,
// src/slurm_plugin/clustermgtd.py, terminate_drain_nodes and terminate_down_nodes, read 2026-11). Its configuration says
// otherwise on the head node alone.
static void check_quarantine(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    if (nodes->cluster->target != TARGET_PARALLELCLUSTER || validate->on_fail != ON_FAIL_QUARANTINE) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, subject_value(validate->part->subject, VALIDATE_ON_FAIL)->span,
                    DIAG(quarantine_ends), STR_ARG(nodes->head.id));
    diag_help(rules->session, diag, "write `on_fail = terminate`, and `keep = %dmin` for the longest time to look",
              (int)schema_constant(CONSTANT_NODE_CHECK_KEEP_MOST_MINUTES));
}

// ---- what is measured ------------------------------------------------------------------------------------------

// Where nobody wrote it, `all_reduce` is the default of groups that have something to measure, and of no others.
static void check_collective(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    const char *nothing = plan_nothing_to_measure(nodes);
    if (nothing == NULL || str_is(validate->collective->string, "none")) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.subject, validate->collective->span, DIAG(nothing_to_measure),
                             STR_ARG(validate->collective->string), STR_ARG(nodes->head.id), nothing);
    if (nodes->count.high->integer < 2) {
        diag_label(rules->session, diag, nodes->count.high->span, "the most, and it takes two");
        diag_help(rules->session, diag, "leave `collective` out, or let `count` be two");
    } else if (nodes->instance->efa_max > 0) {
        diag_help(rules->session, diag, "leave `collective` out, or write `efa = all`");
    } else {
        diag_label(rules->session, diag, nodes->instance_value->span, "a type without EFA");
        diag_help(rules->session, diag, "leave `collective` out, or take a type with EFA");
    }
}

// Where the first job is missing, `all_reduce` measures nothing either.
static void help_to_measure(const Rules *rules, Diag *diag, const PlanValidate *validate, bool has_accelerators) {
    const char *way = validate->job_gap.way;
    if (way == NULL) {
        diag_help(rules->session, diag, "write `collective = all_reduce`");
    } else if (has_accelerators) {
        diag_help(rules->session, diag, "let the group have %s, or write `collective = none`", way);
    } else {
        diag_help(rules->session, diag,
                  "write `collective = none`, or write `collective = all_reduce` and let the group have %s", way);
    }
}

static void check_nccl(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    if (!str_is(validate->collective->string, "nccl") || plan_measures_accelerators(nodes)) {
        return;
    }
    const char *why = plan_no_accelerators_measured(nodes, validate);
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, validate->collective->span, DIAG(nccl_without_tests), why);
    const bool has_accelerators = why == validate->job_gap.why;
    if (!has_accelerators) {
        diag_label(rules->session, diag, nodes->instance_value->span, "a type without them");
    }
    help_to_measure(rules, diag, validate, has_accelerators);
}

// ---- floors ----------------------------------------------------------------------------------------------------

static void check_floor(const Rules *rules, const PlanNodes *nodes, const PlanValidate *validate) {
    enum { BITS_OF_MEGABYTE = 8 * 1000 * 1000, MEGABYTES_OF_GIGABYTE = 1000 };
    const Value *floor = validate->min_busbw;
    if (floor == NULL) {
        return;
    }
    const Str written = value_print(rules->session->arena, floor);
    if (str_is(validate->collective->string, "none")) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, floor->span, DIAG(floor_without_collective),
                                 STR_ARG(written));
        diag_help(
            rules->session, diag, "%s",
            plan_nothing_to_measure(nodes) == NULL
                ? "write `collective = all_reduce`, or leave `min_busbw` out"
                : "leave `min_busbw` out: the group has no two nodes with EFA between which NCCL could be measured");
        return;
    }
    if (nodes->instance->accelerator == ACCELERATOR_NONE) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, floor->span, DIAG(floor_without_accelerators),
                                 STR_ARG(written), nodes->instance->name);
        diag_label(rules->session, diag, nodes->instance_value->span, "a type without accelerators");
        diag_help(rules->session, diag, "leave `min_busbw` out");
        return;
    }
    if (floor->integer < BITS_OF_GIGABIT) { // the record holds whole ones
        rule_outside(rules, nodes->head.subject, floor->span, "min_busbw", written, "the check", STR("125MBps"),
                     STR("what the type has"));
        return;
    }
    const CollectiveRow *measured = schema_collective(nodes->instance, nodes->count.high->integer);
    if (measured == NULL || floor->integer / BITS_OF_MEGABYTE <= measured->megabytes_per_second) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, floor->span, DIAG(floor_above_measured), STR_ARG(written),
                    measured->megabytes_per_second / MEGABYTES_OF_GIGABYTE, measured->nodes, measured->type);
    diag_label(rules->session, diag, nodes->instance_value->span, "%d of it", measured->nodes);
    diag_note(rules->session, diag, "messages of %" PRId64 " bytes: %s", measured->bytes, measured->source);
}

void rule_validate(const Rules *rules, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate == NULL) {
        return;
    }
    check_place(rules, nodes, validate);
    check_list(rules, validate->files, true);
    check_list(rules, validate->modules, false);
    check_size(rules, nodes, validate);
    check_limit(rules, validate);
    check_keep(rules, nodes, validate);
    if (validate->gap == NULL) {
        check_quarantine(rules, nodes, validate);
        check_collective(rules, nodes, validate);
    }
    if (validate->gap == NULL && plan_nothing_to_measure(nodes) == NULL) {
        check_nccl(rules, nodes, validate);
    }
    check_floor(rules, nodes, validate);
}
