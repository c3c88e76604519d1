// Rules about user data: its size, its MIME parts, and the scripts in it. What is between `${` and `}` is the
// deployment's.
#include "compiler/plan/rules/rule_field.h"

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
            }
        }
        is_first = false;
    }
}

void rule_launch_parts(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str type = user_data_header(data->written, "Content-Type:");
    const Str boundary = user_data_is_mime(data) ? user_data_boundary(type) : STR_NONE;
    if (boundary.len == 0 || str_find(boundary, STR("${"), 0) < boundary.len) {
        return;
    }
    if (!shell_has_line(data->written, str_format(rules->session->arena, "--%.*s", STR_ARG(boundary)))) {
        // Else rules launch_mime and managed_group_mime say so.
        if (span_is_none(launch->user_key) &&
            (span_is_none(launch->managed_key) || launch->image.state != FIELD_ABSENT)) {
            Diag *diag = plan_report(rules->session, launch->subject, user_data_place(rules, data, 0),
                                     DIAG(mime_boundary), STR_ARG(boundary));
            diag_help(rules->session, diag, "begin each part with a line `--%.*s`", STR_ARG(boundary));
        }
        return;
    }
    check_parts(rules, launch, boundary);
}

void rule_launch_base64_once(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    if (data->is_twice) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_twice));
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "encode the text once");
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
    }
}
