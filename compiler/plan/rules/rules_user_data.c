// Rules about user data: its size, its MIME parts, and the scripts in it. What is between `${` and `}` is the
// deployment's.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"
#include "schema/schema.h"

#include <strings.h>

void rule_launch_user_data(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    int64_t most = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    if (data->field.state != FIELD_ABSENT && data->bytes_min > (size_t)most) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_too_long),
                                 data->is_whole ? "" : "at least ", data->bytes_min, most);
        rule_label_use(rules, diag, &data->field);
        diag_help(rules->session, diag, "put the script in the image or in S3, and run it from here");
    }
}

// The header's value in the lines before the first empty one, its name in any case; empty where there is none.
static Str header(Str text, const char *name) {
    Str wanted = str_of(name);
    for (size_t at = 0; at < text.len;) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, end);
        if (str_trim(line).len == 0) {
            break;
        }
        bool is_it = line.len > wanted.len && strncasecmp(line.data, wanted.data, wanted.len) == 0;
        if (is_it) {
            return str_trim(str_slice(line, wanted.len, line.len));
        }
        at = end + 1;
    }
    return STR_NONE;
}

static Str boundary_of(Str content_type) {
    const Str name = STR("boundary=");
    size_t found = str_find(content_type, name, 0);
    Str value = str_slice(content_type, found + name.len, content_type.len);
    if (str_starts_with(value, STR("\""))) {
        return str_slice(value, 1, str_find(value, STR("\""), 1));
    }
    return str_trim(str_slice(value, 0, str_find(value, STR(";"), 0)));
}

// What keeps a text from being MIME multipart, or NULL. Of one that is known in part, only what is known counts.
static const char *mime_fault(Arena *arena, const PlanUserData *data) {
    Str type = header(data->start, "Content-Type:");
    bool knows_headers = data->is_whole || str_find(data->start, STR("\n\n"), 0) < data->start.len;
    bool begins =
        str_starts_with(data->start, STR("MIME-Version:")) || str_starts_with(data->start, STR("Content-Type:"));
    if (!begins) {
        return data->start.len > 0 || data->is_whole ? "does not begin with MIME headers" : NULL;
    }
    if (!knows_headers) {
        return NULL;
    }
    if (!str_starts_with(type, STR("multipart/")) || boundary_of(type).len == 0) {
        return "names no boundary of its parts";
    }
    Str opening = str_format(arena, "\n--%.*s", STR_ARG(boundary_of(type)));
    bool has_part = str_find(data->start, opening, 0) < data->start.len;
    return has_part || !data->is_whole ? NULL : "has no part behind its boundary";
}

void rule_launch_mime(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    bool is_read = data->field.state == FIELD_KNOWN || data->start.len > 0;
    const char *fault = is_read && !span_is_none(launch->user_key) ? mime_fault(rules->session->arena, data) : NULL;
    if (fault != NULL) {
        Diag *diag =
            plan_report(rules->session, launch->subject, rule_span(&data->field), DIAG(user_data_not_mime), fault);
        rule_label_use(rules, diag, &data->field);
        diag_label(rules->session, diag, launch->user_key, "AWS Batch adds its own part");
    }
}

// Mail, whose form this is, ends lines with CR LF.
static Str without_end(Str line) {
    while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL) {
        line.len--;
    }
    return line;
}

// ---- places in the text ------------------------------------------------------------------------------------------

static Str line_at(Str text, size_t at) {
    return str_slice(text, at, str_find(text, STR("\n"), at));
}

static size_t lines_before(Str text, size_t at) {
    size_t number = 0;
    for (size_t i = 0; i < at; i++) {
        number += text.data[i] == '\n' ? 1 : 0;
    }
    return number;
}

// The place of a line of the text in the file. A block of YAML has the same lines, indented. A text that is written in
// another way is shown as a whole.
static Span place_of(const Rules *rules, const PlanUserData *data, size_t at) {
    const Str file = source_get(rules->session, data->text.source)->text;
    const Str source = str_slice(file, data->text.start, data->text.end);
    const bool has_header = str_starts_with(source, STR("|")) || str_starts_with(source, STR(">"));
    size_t start = has_header ? str_find(source, STR("\n"), 0) + 1 : 0;
    for (size_t i = lines_before(data->written, at); i > 0 && start < source.len; i--) {
        start = str_find(source, STR("\n"), start) + 1;
    }
    if (start >= source.len || lines_before(source, source.len) + 1 < lines_before(data->written, data->written.len)) {
        return data->text;
    }
    const Str line = line_at(source, start);
    const Str words = str_trim(line);
    const uint32_t first = data->text.start + (uint32_t)(start + (size_t)(words.data - line.data));
    return words.len == 0 ? data->text
                          : (Span){ .source = data->text.source, .start = first, .end = first + (uint32_t)words.len };
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

static bool is_header(Str line) {
    const size_t colon = str_find(line, STR(":"), 0);
    bool is_name = colon > 0 && colon < line.len;
    for (size_t i = 0; i < colon && i < line.len; i++) {
        const char c = line.data[i];
        is_name = is_name && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-');
    }
    return is_name || str_starts_with(line, STR(" ")) || str_starts_with(line, STR("\t"));
}

// Behind each boundary stand headers, then an empty line, then the part.
static void check_parts(const Rules *rules, const PlanLaunch *launch, Str boundary) {
    const PlanUserData *data = &launch->user_data;
    const Str opening = str_format(rules->session->arena, "--%.*s", STR_ARG(boundary));
    bool is_in_headers = false;
    for (size_t at = 0; at < data->written.len; at = str_find(data->written, STR("\n"), at) + 1) {
        const Str line = without_end(line_at(data->written, at));
        if (str_equal(line, opening)) {
            is_in_headers = true;
        } else if (is_in_headers && !is_header(line)) {
            is_in_headers = false;
            if (line.len > 0) {
                Diag *diag = plan_report(rules->session, launch->subject, place_of(rules, data, at), DIAG(mime_part));
                diag_help(rules->session, diag, "put an empty line above it");
            }
        }
    }
}

static bool has_line(Str text, Str line) {
    for (size_t at = 0; at < text.len; at = str_find(text, STR("\n"), at) + 1) {
        if (str_equal(without_end(line_at(text, at)), line)) {
            return true;
        }
    }
    return false;
}

void rule_launch_parts(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str type = header(data->written, "Content-Type:");
    const bool is_mime = (str_starts_with(data->written, STR("MIME-Version:")) ||
                          str_starts_with(data->written, STR("Content-Type:"))) &&
                         str_starts_with(type, STR("multipart/"));
    const Str boundary = is_mime ? boundary_of(type) : STR_NONE;
    if (boundary.len == 0 || str_find(boundary, STR("${"), 0) < boundary.len) {
        return;
    }
    if (!has_line(data->written, str_format(rules->session->arena, "--%.*s", STR_ARG(boundary)))) {
        if (span_is_none(launch->user_key)) { // else rule launch_mime says so
            Diag *diag = plan_report(rules->session, launch->subject, place_of(rules, data, 0), DIAG(mime_boundary),
                                     STR_ARG(boundary));
            diag_help(rules->session, diag, "begin each part with a line `--%.*s`", STR_ARG(boundary));
        }
        return;
    }
    check_parts(rules, launch, boundary);
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
            plan_report(rules->session, launch->subject, place_of(rules, data, start), DIAG(script_starts_late));
        diag_help(rules->session, diag, "remove the blanks and empty lines above `#!`");
    }
}

// The word that ends a here-document which begins in a line; empty where none does. `*is_tabbed`: tabs may stand before it.
static Str heredoc_word(Str line, bool *is_tabbed) {
    const size_t found = str_find(line, STR("<<"), 0);
    const bool is_other = found >= line.len || str_at(line, found + 2) == '<' ||
                          (found > 0 && str_find(str_slice(line, 0, found), STR("#"), 0) < found) ||
                          str_find(line, STR("(("), 0) < found;
    if (is_other) {
        return STR_NONE;
    }
    size_t at = found + 2;
    *is_tabbed = str_at(line, at) == '-';
    at += *is_tabbed ? 1 : 0;
    while (str_at(line, at) == ' ') {
        at++;
    }
    const char quote = str_at(line, at);
    at += quote == '\'' || quote == '"' || quote == '\\' ? 1 : 0;
    const size_t start = at;
    for (char c = str_at(line, at);
         (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9'); c = str_at(line, at)) {
        at++;
    }
    return str_slice(line, start, at);
}

static bool ends_heredoc(Str line, Str word, bool is_tabbed) {
    while (is_tabbed && str_starts_with(line, STR("\t"))) {
        line = str_slice(line, 1, line.len);
    }
    return str_equal(line, word);
}

// The place behind the line that ends it; the length of the text where none does.
static size_t heredoc_end(Str text, size_t at, Str word, bool is_tabbed) {
    while (at < text.len) {
        const Str line = line_at(text, at);
        at = str_find(text, STR("\n"), at) + 1;
        if (ends_heredoc(line, word, is_tabbed)) {
            return at;
        }
    }
    return text.len + 1;
}

void rule_launch_heredocs(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    // In other parts of a MIME text, or in another language, the end may be indented.
    const Str text = str_starts_with(str_trim(data->written), STR("#!")) ? data->written : STR_NONE;
    for (size_t at = 0; at < text.len;) {
        bool is_tabbed = false;
        const Str word = heredoc_word(line_at(text, at), &is_tabbed);
        const size_t next = str_find(text, STR("\n"), at) + 1;
        if (word.len == 0) {
            at = next;
            continue;
        }
        const size_t end = heredoc_end(text, next, word, is_tabbed);
        if (end > text.len && str_find(text, STR("\n"), at) < text.len) {
            Diag *diag = plan_report(rules->session, launch->subject, place_of(rules, data, at), DIAG(heredoc_open),
                                     STR_ARG(word));
            diag_help(rules->session, diag, "end it by a line that is `%.*s`, with no blank before or behind it",
                      STR_ARG(word));
            return; // the rest of the text is in it
        }
        at = end;
    }
}

// ---- what runs ---------------------------------------------------------------------------------------------------

static bool is_al2023(const PlanField *image) {
    return image->state == FIELD_KNOWN &&
           (str_find(image->text, STR("amazon-linux-2023"), 0) < image->text.len ||
            str_find(image->text, STR("al2023"), 0) < image->text.len || field_is(image, "AmazonLinux2023"));
}

void rule_launch_bootstrap(const Rules *rules, const PlanLaunch *launch) {
    const Str program = STR("/etc/eks/bootstrap.sh");
    const PlanUserData *data = &launch->user_data;
    const size_t found = str_find(data->written, program, 0);
    if (found >= data->written.len || !is_al2023(&launch->image)) {
        return;
    }
    size_t line = found;
    while (line > 0 && data->written.data[line - 1] != '\n') {
        line--;
    }
    Diag *diag = plan_report(rules->session, launch->subject, place_of(rules, data, line), DIAG(bootstrap_gone));
    diag_label(rules->session, diag, rule_span(&launch->image), "has nodeadm");
    diag_help(rules->session, diag, "write a NodeConfig: `apiVersion: node.eks.aws/v1alpha1`");
}
