// Rules about user data: its size, its MIME parts, and the scripts in it. What is between `${` and `}` is the
// deployment's.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"
#include "schema/schema.h"

static size_t length_of(const PlanUserPiece *piece) {
    return piece->text.end - piece->text.start;
}

// The property, or the longest of the texts that it is put together from.
static Span longest_of(const PlanUserData *data) {
    const PlanUserPiece *longest = data->pieces.count == 0 ? NULL : &data->pieces.items[0];
    for (uint32_t i = 1; i < data->pieces.count; i++) {
        longest = length_of(&data->pieces.items[i]) > length_of(longest) ? &data->pieces.items[i] : longest;
    }
    return longest == NULL ? rule_span(&data->field) : longest->text;
}

void rule_launch_user_data(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    int64_t most = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    if (data->bytes_min > (size_t)most) {
        Diag *diag = plan_report(rules->session, launch->subject, longest_of(data), DIAG(user_data_too_long),
                                 data->is_whole ? "" : "at least ", data->bytes_min, most);
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "put the script in the image or in S3, and run it from here");
    }
}

// What keeps a text from being MIME multipart, or NULL. Of one that is known in part, only what is known counts.
static const char *mime_fault(Arena *arena, const PlanUserData *data) {
    Str type = user_data_header(data->start, "Content-Type:");
    bool knows_headers = data->is_whole || str_find(data->start, STR("\n\n"), 0) < data->start.len;
    bool begins =
        str_starts_with(data->start, STR("MIME-Version:")) || str_starts_with(data->start, STR("Content-Type:"));
    if (!begins) {
        return data->start.len > 0 || data->is_whole ? "does not begin with MIME headers" : NULL;
    }
    if (!knows_headers) {
        return NULL;
    }
    if (!str_starts_with(type, STR("multipart/")) || user_data_boundary(type).len == 0) {
        return "names no boundary of its parts";
    }
    const Str opening = str_format(arena, "--%.*s", STR_ARG(user_data_boundary(type)));
    return !data->is_whole || shell_has_line(data->start, opening) ? NULL : "has no part behind its boundary";
}

static const char *mime_fault_of(const Rules *rules, const PlanUserData *data) {
    const bool is_read = data->field.state == FIELD_KNOWN || data->start.len > 0;
    return is_read ? mime_fault(rules->session->arena, data) : NULL;
}

void rule_launch_mime(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const char *fault = span_is_none(launch->user_key) ? NULL : mime_fault_of(rules, data);
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_not_mime),
                                 "AWS Batch", fault);
        rule_label_use(rules, diag, &data->field);
        diag_label(rules->session, diag, launch->user_key, "AWS Batch adds its own part");
    }
}

// EKS adds to user data where the image is its own. Those of Bottlerocket and Windows read something else.
void rule_managed_group_mime(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL || !managed->has_launch) {
        return;
    }
    const PlanLaunch *launch = group->launch;
    const bool is_linux = managed->image.state == FIELD_ABSENT ||
                          (managed->image.state == FIELD_KNOWN && str_starts_with(managed->image.text, STR("AL2")));
    const char *fault =
        !is_linux || launch->image.state != FIELD_ABSENT ? NULL : mime_fault_of(rules, &launch->user_data);
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&launch->user_data.field),
                                 DIAG(user_data_not_mime), "a managed group of EKS", fault);
        rule_label_use(rules, diag, &launch->user_data.field);
        diag_label(rules->session, diag, managed->template_key, "EKS adds its own part");
    }
}

// ---- the form ----------------------------------------------------------------------------------------------------

void rule_launch_base64(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    if (data->is_plain) {
        Diag *diag = plan_report(rules->session, launch->subject,
                                 data->field.state == FIELD_KNOWN ? rule_span(&data->field) : data->field.key,
                                 DIAG(user_data_plain));
        rule_label_use(rules, diag, &data->field);
        rule_help_resource(rules, diag, launch->subject, "write `UserData = %s…`",
                           launch->subject->is_foreign ? "!Base64 " : "{ \"Fn::Base64\" = ");
        user_data_write_tag(rules, diag, data, STR("UserData: "), STR("!Base64 "));
    }
}

void rule_launch_whole_base64(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    if (data->fault != NULL) {
        Diag *diag =
            plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_broken), data->fault);
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "encode the whole file anew: `base64 -w0 FILE`");
    }
}

// Where a place stands in the text of its file; where that ends before it, 0.
static size_t begin_of_line(Str text, size_t at) {
    while (at > 0 && text.data[at - 1] != '\n') {
        at--;
    }
    return at;
}

// Takes the empty lines above a line out.
static void join_above(const Rules *rules, Diag *diag, Span line) {
    const Str text = source_get(rules->session, line.source)->text;
    const size_t end = begin_of_line(text, line.start);
    size_t start = end;
    while (start > 0 && str_trim(shell_line_around(text, start - 1)).len == 0) {
        start = begin_of_line(text, start - 1);
    }
    if (start < end) {
        diag_fix(rules->session, diag, (Span){ .source = line.source, .start = (uint32_t)start, .end = (uint32_t)end },
                 STR(""));
    }
}

// An empty line right behind a boundary ends the headers before there were any: the next line is text of the part.
static void check_late_headers(const Rules *rules, const PlanLaunch *launch, size_t at) {
    const PlanUserData *data = &launch->user_data;
    while (at < data->written.len && shell_trimmed_line(data->written, at).len == 0) {
        at = shell_next_line(data->written, at);
    }
    if (at < data->written.len && str_starts_with(shell_line(data->written, at), STR("Content-Type:"))) {
        Diag *diag =
            plan_report(rules->session, launch->subject, user_data_place(rules, data, at), DIAG(mime_headers_late));
        diag_help(rules->session, diag, "remove the empty line between it and the boundary");
        join_above(rules, diag, diag->span);
    }
}

// A line above the headers of a part that has no dashes, or is nearly the boundary behind some.
static bool is_near_boundary(Arena *arena, Str line, Str opening) {
    const bool is_bare = opening.len > 2 && str_equal(line, str_slice(opening, 2, opening.len));
    if (is_bare) {
        return true;
    }
    if (!str_starts_with(line, STR("-")) || str_equal(line, opening) ||
        str_equal(line, str_format(arena, "%.*s--", STR_ARG(opening)))) {
        return false;
    }
    size_t head = 0;
    size_t tail = 0;
    str_common(line, opening, &head, &tail);
    const size_t longest = line.len > opening.len ? line.len : opening.len;
    return longest - head - tail <= 2;
}

static void check_near(const Rules *rules, const PlanLaunch *launch, Str boundary) {
    const PlanUserData *data = &launch->user_data;
    const Str opening = str_format(rules->session->arena, "--%.*s", STR_ARG(boundary));
    for (size_t at = 0; at < data->written.len; at = shell_next_line(data->written, at)) {
        const Str line = shell_trimmed_line(data->written, at);
        const Str next = shell_line(data->written, shell_next_line(data->written, at));
        const bool is_above_headers = str_starts_with_in_any_case(next, STR("Content-Type:")) ||
                                      str_starts_with_in_any_case(next, STR("MIME-Version:"));
        if (is_above_headers && is_near_boundary(rules->session->arena, line, opening)) {
            const Span span = user_data_place(rules, data, at);
            Diag *diag =
                plan_report(rules->session, launch->subject, span, DIAG(mime_line), STR_ARG(line), STR_ARG(boundary));
            diag_help(rules->session, diag, "write `%.*s`", STR_ARG(opening));
            rule_replace_part(rules, diag, span, line, opening);
        }
    }
}

// Behind each boundary stand headers, then an empty line, then the part.
static void check_parts(const Rules *rules, const PlanLaunch *launch, Str boundary) {
    const PlanUserData *data = &launch->user_data;
    const Str opening = str_format(rules->session->arena, "--%.*s", STR_ARG(boundary));
    bool is_in_headers = false;
    bool is_first = false;
    for (size_t at = 0; at < data->written.len; at = str_find(data->written, STR("\n"), at) + 1) {
        const Str line = shell_trimmed_line(data->written, at);
        if (str_equal(line, opening)) {
            is_in_headers = true;
            is_first = true;
            continue;
        }
        if (is_in_headers && !user_data_is_header(line)) {
            is_in_headers = false;
            if (line.len == 0 && is_first) {
                check_late_headers(rules, launch, at);
            } else if (line.len > 0) {
                Diag *diag =
                    plan_report(rules->session, launch->subject, user_data_place(rules, data, at), DIAG(mime_part));
                diag_help(rules->session, diag, "put an empty line above it");
                const Str text = source_get(rules->session, diag->span.source)->text;
                const uint32_t begin = (uint32_t)begin_of_line(text, diag->span.start);
                if (str_equal(source_text(rules->session, diag->span), line)) {
                    diag_fix(rules->session, diag, (Span){ .source = diag->span.source, .start = begin, .end = begin },
                             STR("\n"));
                }
            }
        }
        is_first = false;
    }
}

// The boundary with which the text ends, and each of its parts begins, in the place of the one that its header has.
static void write_boundary(const Rules *rules, Diag *diag, const PlanUserData *data, Str boundary) {
    const Str last = str_trim(data->written);
    size_t begin = begin_of_line(last, last.len);
    const Str line = str_slice(last, begin, last.len);
    const bool is_end = line.len > 4 && str_starts_with(line, STR("--")) && str_ends_with(line, STR("--"));
    const Str used = is_end ? str_slice(line, 2, line.len - 2) : STR_NONE;
    const Str opening = str_format(rules->session->arena, "--%.*s", STR_ARG(used));
    if (used.len > 0 && shell_has_line(data->written, opening)) {
        const size_t at = str_find(data->written, boundary, 0);
        rule_replace_part(rules, diag, user_data_place_in(rules, data, at), boundary, used);
    }
}

// On a line of its own, as a header may go on, or spelled in another way.
static bool has_boundary_below(Str text) {
    const Str headers = str_slice(text, 0, str_find(text, STR("\n\n"), 0));
    return str_has(headers, "oundary") || str_has(headers, "OUNDARY");
}

void rule_launch_parts(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str type = user_data_header(data->written, "Content-Type:");
    const Str boundary = user_data_is_mime(data) ? user_data_boundary(type) : STR_NONE;
    const bool is_others =
        !span_is_none(launch->user_key) || (!span_is_none(launch->managed_key) && launch->image.state == FIELD_ABSENT);
    if (boundary.len == 0 && user_data_is_mime(data) && !is_others && !str_has(type, "${") &&
        !has_boundary_below(data->written)) {
        Diag *diag = plan_report(rules->session, launch->subject,
                                 user_data_place(rules, data, str_find(data->written, STR("Content-Type:"), 0)),
                                 DIAG(mime_without_boundary));
        diag_help(rules->session, diag,
                  "write `Content-Type: %.*s; boundary=\"…\"`, with what stands behind the `--` of each part",
                  STR_ARG(str_slice(type, 0, str_find(type, STR(";"), 0))));
    }
    if (boundary.len == 0 || str_find(boundary, STR("${"), 0) < boundary.len) {
        return;
    }
    if (!shell_has_line(data->written, str_format(rules->session->arena, "--%.*s", STR_ARG(boundary)))) {
        if (!is_others) { // else rules launch_mime and managed_group_mime say so
            Diag *diag = plan_report(rules->session, launch->subject, user_data_place(rules, data, 0),
                                     DIAG(mime_boundary), STR_ARG(boundary));
            diag_help(rules->session, diag, "begin each part with a line `--%.*s`", STR_ARG(boundary));
            write_boundary(rules, diag, data, boundary);
        }
        return;
    }
    check_parts(rules, launch, boundary);
    check_near(rules, launch, boundary);
}

void rule_launch_base64_once(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    if (data->is_twice) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_twice));
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "encode the text once");
        const Span value = rule_span(&data->field);
        const Str before = str_slice(source_get(rules->session, value.source)->text, 0, value.start);
        const Str tag = STR("!Base64 ");
        if (str_ends_with(before, tag)) {
            diag_fix(rules->session, diag,
                     (Span){ .source = value.source, .start = value.start - (uint32_t)tag.len, .end = value.start },
                     STR(""));
        }
    }
}

// ---- scripts -----------------------------------------------------------------------------------------------------

void rule_launch_script_start(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    size_t start = 0;
    while (start < data->written.len && strchr(" \t\r\n", data->written.data[start]) != NULL) {
        start++;
    }
    if (start > 0 && str_starts_with(str_slice(data->written, start, data->written.len), STR("#!"))) {
        Diag *diag =
            plan_report(rules->session, launch->subject, user_data_place(rules, data, start), DIAG(script_starts_late));
        diag_help(rules->session, diag, "remove the blanks and empty lines above `#!`");
        if (data->written.data[start - 1] == '\n') {
            join_above(rules, diag, diag->span);
        }
    }
}

// Keys with which a cloud-config often begins.
// source: cloud-init documentation, Module reference, read 2026-11
static const char *const CLOUD_KEYS[] = { "bootcmd:",
                                          "runcmd:",
                                          "packages:",
                                          "package_update:",
                                          "package_upgrade:",
                                          "mounts:",
                                          "ssh_authorized_keys:",
                                          "users:",
                                          "write_files:",
                                          "hostname:",
                                          "timezone:",
                                          "repo_update:",
                                          "cloud_final_modules:",
                                          "yum_repos:" };

// Programs with which the first line of a script often begins, whose `#!` was forgotten.
static const char *const SCRIPT_WORDS[] = { "sudo ", "yum ",    "dnf ",   "apt-get ", "apt ",
                                            "echo ", "export ", "mkdir ", "set -",    "systemctl ",
                                            "aws ",  "cat ",    "curl ",  "wget ",    "cd " };

static bool begins_with_one(Str line, const char *const *words, size_t count) {
    bool begins = false;
    for (size_t i = 0; i < count; i++) {
        begins = begins || str_starts_with(line, str_of(words[i]));
    }
    return begins;
}

// What it is called by its first line that is no comment; NULL where dtc knows no such text.
static const char *head_of(Str line) {
    return begins_with_one(line, CLOUD_KEYS, COUNT_OF(CLOUD_KEYS))       ? "#cloud-config"
           : begins_with_one(line, SCRIPT_WORDS, COUNT_OF(SCRIPT_WORDS)) ? "#!/bin/bash"
                                                                         : NULL;
}

// "# cloud-config", "#Cloud-Config": a comment to cloud-init.
static bool is_misspelt_head(Str line) {
    if (!str_starts_with(line, STR("#")) || str_equal(line, STR("#cloud-config"))) {
        return false;
    }
    const Str words = str_trim(str_slice(line, 1, line.len));
    return str_is_in_any_case(words, "cloud-config") || str_is_in_any_case(words, "cloud config") ||
           str_is_in_any_case(words, "cloudconfig") || str_is_in_any_case(words, "cloud_config");
}

// Bottlerocket reads TOML, Windows tags, and nodeadm a NodeConfig: neither begins with such a line. eksctl writes a head of
// its own.
void rule_launch_headless(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    if (launch->form != FORM_RESOURCE || data->pieces.count > 0 || !span_is_none(launch->user_key)) {
        return;
    }
    const Str first = shell_trimmed_line(data->written, 0);
    const char *head = is_misspelt_head(first)            ? "#cloud-config"
                       : str_starts_with(first, STR("#")) ? NULL
                                                          : head_of(first);
    if (head != NULL) {
        const Span span = user_data_place(rules, data, 0);
        Diag *diag = plan_report(rules->session, launch->subject, span, DIAG(user_data_headless), STR_ARG(first));
        diag_help(rules->session, diag, is_misspelt_head(first) ? "write `%s`" : "write `%s` above it", head);
        if (is_misspelt_head(first)) {
            rule_replace_part(rules, diag, span, first, str_of(head));
        }
    }
}
