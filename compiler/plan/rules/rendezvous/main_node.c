// Rules about the main node of a multi-node job of AWS Batch. The other nodes are told its address, and it is not: a command
// that is the same on all nodes finds an empty text there.
// Source: AWS Batch User Guide, Multi-node parallel jobs, Environment variables, read 2026-11.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/rules/node_range.h"
#include "compiler/script/shell_lines.h"

enum { USES_MAX = 100 }; // of a variable, that are looked at in one script

static const char ADDRESS[] = "AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS";

// ---- what a script does with a variable --------------------------------------------------------------------------

// `${NAME:-other}`, `${NAME?}` and the like, or `NAME=other`.
static bool has_other_value(Str text, Str name) {
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        const char after = str_at(text, at + name.len);
        if (!char_is_of_name(after) && ((before == '{' && after != '}') || (before != '$' && after == '='))) {
            return true;
        }
    }
    return false;
}

// Where `$NAME` or `${NAME}` begins; the length of the text where it does not.
static size_t find_use(Str text, Str name, size_t from) {
    for (size_t at = str_find(text, name, from); at < text.len; at = str_find(text, name, at + 1)) {
        const size_t end = at + name.len;
        if (at > 0 && text.data[at - 1] == '$' && !char_is_of_name(str_at(text, end))) {
            return at - 1;
        }
        if (at > 1 && text.data[at - 1] == '{' && text.data[at - 2] == '$' && str_at(text, end) == '}') {
            return at - 2;
        }
    }
    return text.len;
}

// A comment, or what only tells people.
static bool is_told(Str before) {
    const size_t sign = str_find(before, STR("#"), 0);
    const bool is_comment = sign < before.len && (sign == 0 || strchr(" \t", before.data[sign - 1]) != NULL);
    return is_comment || str_find(before, STR("echo "), 0) < before.len ||
           str_find(before, STR("printf "), 0) < before.len;
}

// torchrun takes an empty endpoint for the node itself, which is right on the main one. With a port behind it, it
// takes none.
// source: pytorch/pytorch torch/distributed/elastic/rendezvous/utils.py, parse_rendezvous_endpoint, 2026-11
static bool may_be_empty(Str before, char after) {
    size_t end = before.len;
    while (end > 0 && strchr("\"'= ", before.data[end - 1]) != NULL) {
        end--;
    }
    return after != ':' && launcher_option_ends(str_slice(before, 0, end), LAUNCHER_OPTION(endpoint));
}

// `NAME` of `export NAME=` or `NAME="` at the end of a text; empty where it is no assignment.
static Str assigned(Str before) {
    size_t end = before.len;
    end -= end > 0 && before.data[end - 1] == '"' ? 1 : 0;
    if (end == 0 || before.data[end - 1] != '=') {
        return STR_NONE;
    }
    size_t start = --end;
    while (start > 0 && char_is_of_name(before.data[start - 1])) {
        start--;
    }
    const bool is_word = start == 0 || strchr(" \t", before.data[start - 1]) != NULL;
    return is_word ? str_slice(before, start, end) : STR_NONE;
}

// Where a script takes the variable as it is, by itself or by another variable that it gives the text to. The length of the
// script where it does not, or where it may know better.
static size_t find_need(Str text, Str name, size_t from, bool is_alias) {
    if (!is_alias && has_other_value(text, name)) {
        return text.len;
    }
    size_t at = find_use(text, name, from);
    for (int uses = 0; at < text.len && uses < USES_MAX; at = find_use(text, name, at + name.len), uses++) {
        const Str before = shell_command_before(text, at);
        const size_t end = at + name.len + (str_at(text, at + 1) == '{' ? 3 : 1);
        const Str other = assigned(before);
        if (is_told(before) || may_be_empty(before, str_at(text, end))) {
            continue;
        }
        if (other.len == 0) {
            return at;
        }
        const Str rest = str_slice(text, end, text.len);
        if (!is_alias && !has_other_value(rest, other) && find_need(rest, other, 0, true) < rest.len) {
            return at;
        }
    }
    return text.len;
}

// ---- which command it is -----------------------------------------------------------------------------------------

// The narrowest range that has the node: it stands in place of the wider ones. NULL where that is not known.
static const Value *range_of_main(const Value *properties) {
    const Value *list = object_get(properties, "NodeRangeProperties");
    const Value *found = NULL;
    int64_t main = 0;
    NodeRange narrowest = { .last = INT32_MAX };
    if (!rule_number(object_get(properties, "MainNode"), &main)) {
        return NULL;
    }
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Str text = object_text(object_get(list->list.items[i], "TargetNodes"));
        NodeRange range;
        if (!node_range_read(text, INT32_MAX, &range)) {
            return NULL;
        }
        if (range.first <= main && main <= range.last &&
            (found == NULL || range.last - range.first < narrowest.last - narrowest.first)) {
            found = list->list.items[i];
            narrowest = range;
        }
    }
    return found;
}

// The place of the variable in the file, or of the whole word.
static Span place_of(const Session *session, const CommandWord *word, size_t at) {
    const size_t name = str_find(word->text, str_of(ADDRESS), at);
    return command_part_place(session, word, name, name + strlen(ADDRESS));
}

// The only use that matters, at a place that has the name, in a script that stands in quotes or in lines of its own.
static void write_address(const Rules *rules, Diag *diag, const CommandWord *word, size_t at) {
    Session *session = rules->session;
    const Str written = source_text(session, word->span);
    const char sign = str_at(written, 0);
    const bool is_text = sign == '"' || sign == '\'' || str_find(written, STR("\n"), 0) < written.len;
    const bool is_last = find_need(word->text, str_of(ADDRESS), at + 1 + strlen(ADDRESS), false) == word->text.len;
    Span use = diag->span;
    if (!is_text || !is_last || !str_is_word(source_text(session, use), ADDRESS) || use.start < 2) {
        return;
    }
    const Str text = source_get(session, use.source)->text;
    const bool has_brace = text.data[use.start - 1] == '{' && str_at(text, use.end) == '}';
    use.start -= has_brace ? 2 : 1;
    use.end += has_brace;
    if (text.data[use.start] == '$') {
        diag_fix(session, diag, use, str_format(session->arena, "${%s:-$(hostname -i)}", ADDRESS));
    }
}

// `nodes` is what says that the main node is among those that run the command.
static void check_command(const Rules *rules, const Subject *subject, const CommandWords *words, Span nodes) {
    Session *session = rules->session;
    if (words->count == 0 || !shell_is_any(words->items[0].text)) {
        return;
    }
    for (uint32_t i = 0; i < words->count; i++) {
        if (words->items[i].text.len == 0 || command_asks(words->items[i].run)) {
            return;
        }
    }
    for (uint32_t i = 1; i < words->count; i++) {
        const Str text = words->items[i].text;
        const size_t at = find_need(text, str_of(ADDRESS), 0, false);
        if (at < text.len) {
            Diag *diag =
                plan_report(session, subject, place_of(session, &words->items[i], at), DIAG(main_node_address));
            diag_label(session, diag, nodes, "the main node is one of these");
            diag_help(session, diag, "write `${%s:-$(hostname -i)}`", ADDRESS);
            write_address(rules, diag, &words->items[i], at);
            return;
        }
    }
}

void rule_main_node(const Rules *rules, const PlanResource *resource) {
    if (!str_is(resource->resource->type, "AWS::Batch::JobDefinition")) {
        return;
    }
    const Value *range = range_of_main(resource_property(resource->resource, "NodeProperties"));
    const JobContainers containers = job_containers_of_range(rules->session->arena, range);
    for (uint32_t i = 0; i < containers.count; i++) {
        CommandWords words = { 0 };
        launcher_words_of_list(rules->session->arena, &words, object_get(containers.items[i].container, "Command"));
        check_command(rules, resource->subject, &words, object_get(range, "TargetNodes")->span);
    }
}

// A launcher tells its processes where they meet.
void rule_main_node_of_job(const Rules *rules, const PlanJob *job) {
    if (job->cluster->target == TARGET_BATCH && job->launcher == LAUNCHER_NONE && plan_job_is_multi_node(job)) {
        check_command(rules, job->head.subject, &job->workload->launcher->words, job->nodes->span);
    }
}
