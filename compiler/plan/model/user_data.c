// Reads the text of user data: the headers of its parts, and what of them a shell runs.
#include "compiler/plan/model/user_data.h"

#include <strings.h>

// ---- headers ----------------------------------------------------------------------------------------------------

Str user_data_header(Str text, const char *name) {
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

Str user_data_boundary(Str content_type) {
    const Str name = STR("boundary=");
    size_t found = str_find(content_type, name, 0);
    Str value = str_slice(content_type, found + name.len, content_type.len);
    if (str_starts_with(value, STR("\""))) {
        return str_slice(value, 1, str_find(value, STR("\""), 1));
    }
    return str_trim(str_slice(value, 0, str_find(value, STR(";"), 0)));
}

bool user_data_is_mime(const PlanUserData *data) {
    return (str_starts_with(data->written, STR("MIME-Version:")) ||
            str_starts_with(data->written, STR("Content-Type:"))) &&
           str_starts_with(user_data_header(data->written, "Content-Type:"), STR("multipart/"));
}

bool user_data_is_header(Str line) {
    const size_t colon = str_find(line, STR(":"), 0);
    bool is_name = colon > 0 && colon < line.len;
    for (size_t i = 0; i < colon && i < line.len; i++) {
        const char c = line.data[i];
        is_name = is_name && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-');
    }
    return is_name || str_starts_with(line, STR(" ")) || str_starts_with(line, STR("\t"));
}

// ---- parts -----------------------------------------------------------------------------------------------------

// From the line behind a boundary on.
static UserDataPart read_part(Str text, size_t start, size_t end) {
    static const char name[] = "Content-Type:";
    UserDataPart part = { .type_at = start, .at = end };
    for (size_t at = start; at < end && part.at == end; at = shell_next_line(text, at)) {
        const Str line = shell_trimmed_line(text, at);
        if (line.len == 0) {
            part.at = shell_next_line(text, at);
        } else if (!user_data_is_header(line)) {
            part.at = at; // cloud-init takes it for the part
        } else if (str_starts_with_in_any_case(line, str_of(name))) {
            part.type = str_trim(str_slice(line, sizeof name - 1, str_find(line, STR(";"), 0)));
            part.type_at = at;
        }
    }
    part.at = part.at < end ? part.at : end;
    part.body = str_slice(text, part.at, end);
    return part;
}

// Each piece is a script of its own.
static void add_pieces(Arena *arena, const PlanUserData *data, UserDataParts *parts) {
    const Str text = data->written;
    for (uint32_t i = 0; i < data->pieces.count; i++) {
        const size_t at = data->pieces.items[i].at;
        const size_t end = i + 1 < data->pieces.count ? data->pieces.items[i + 1].at : text.len;
        vec_push(arena, parts, ((UserDataPart){ .type_at = at, .at = at, .body = str_slice(text, at, end) }));
    }
}

// The parts between the boundaries of a MIME multipart.
static void add_multipart(Arena *arena, Str text, UserDataParts *parts) {
    const Str boundary = user_data_boundary(user_data_header(text, "Content-Type:"));
    const Str opening = str_format(arena, "--%.*s", STR_ARG(boundary));
    size_t start = text.len;
    for (size_t at = boundary.len == 0 ? text.len : str_find(text, opening, 0); at < text.len;
         at = str_find(text, opening, at + opening.len)) {
        if (at > 0 && text.data[at - 1] != '\n') {
            continue;
        }
        if (start < text.len) {
            vec_push(arena, parts, read_part(text, start, at));
        }
        start = shell_next_line(text, at);
    }
}

enum { TEXT_MAX = 64 * 1024 }; // bytes, four times what EC2 takes: to look for a place in it is not worth the time

UserDataParts user_data_parts(Arena *arena, const PlanUserData *data) {
    UserDataParts parts = { 0 };
    if (data->written.len == 0 || data->written.len > TEXT_MAX) {
        return parts;
    }
    if (data->pieces.count > 0 && !data->is_joined) {
        add_pieces(arena, data, &parts);
    } else if (user_data_is_mime(data)) {
        add_multipart(arena, data->written, &parts);
    } else {
        vec_push(arena, &parts, ((UserDataPart){ .body = data->written }));
    }
    return parts;
}

bool user_data_is_script(Str body) {
    const Str text = str_trim(body);
    const Str line = shell_trimmed_line(text, 0);
    const Str program = str_slice(line, 2, line.len);
    for (size_t at = 0; str_starts_with(text, STR("#!")) && at < program.len; at++) {
        const Str rest = str_slice(program, at, program.len);
        const bool is_shell = str_starts_with(rest, STR("sh")) || str_starts_with(rest, STR("bash"));
        const char before = at == 0 ? '/' : program.data[at - 1];
        const char after = str_at(rest, str_starts_with(rest, STR("sh")) ? 2 : 4);
        if (is_shell && (before == '/' || before == ' ') && (after == '\0' || after == ' ')) {
            return true;
        }
    }
    return false;
}

static Str without_indent(Str text) {
    size_t at = 0;
    while (at < text.len && (text.data[at] == ' ' || text.data[at] == '\t')) {
        at++;
    }
    return str_slice(text, at, text.len);
}

// Lines of YAML that are a comment.
static void blank_comments(char *text, Str body) {
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        const Str line = shell_line(body, at);
        if (str_starts_with(str_trim(line), STR("#")) && !str_starts_with(line, STR("#cloud-"))) {
            memset(text + at, ' ', line.len);
        }
    }
}

static bool is_run(const UserDataPart *part) {
    return user_data_is_script(part->body) || str_is(part->type, "text/cloud-boothook");
}

Str user_data_shell(Arena *arena, const PlanUserData *data, ShellPart part) {
    const UserDataParts parts = user_data_parts(arena, data);
    char *text = arena_alloc(arena, data->written.len);
    if (data->written.len > 0) {
        memcpy(text, data->written.data, data->written.len);
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *one = &parts.items[i];
        if (is_run(one)) {
            const Str run = shell_text(arena, one->body, part);
            memcpy(text + one->at, run.len > 0 ? run.data : "", run.len);
        } else {
            blank_comments(text + one->at, one->body);
        }
    }
    return (Str){ .data = text, .len = data->written.len };
}

Str user_data_scripts(Arena *arena, const PlanUserData *data) {
    const UserDataParts parts = user_data_parts(arena, data);
    char *text = arena_alloc(arena, data->written.len);
    memset(text, ' ', data->written.len);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *one = &parts.items[i];
        const Str run = is_run(one) ? shell_text(arena, one->body, SHELL_HELD) : STR_NONE;
        memcpy(text + one->at, run.len > 0 ? run.data : "", run.len);
    }
    return (Str){ .data = text, .len = data->written.len };
}

// Behind `ExecStart=` and the signs by which systemd is told more; the length of a line without it.
static size_t unit_command(Str line) {
    const Str key = STR("ExecStart=");
    size_t at = line.len - without_indent(line).len;
    if (!str_starts_with(str_slice(line, at, line.len), key)) {
        return line.len;
    }
    at += key.len;
    while (at < line.len && strchr("@-:+!", line.data[at]) != NULL) {
        at++;
    }
    return at;
}

// The command of an item that is a plain text; the length of a line that is no such item.
static size_t item_command(Str line) {
    const size_t indent = line.len - without_indent(line).len;
    const bool is_item = str_starts_with(str_slice(line, indent, line.len), STR("- "));
    const size_t at = indent + 2;
    return is_item && at < line.len && strchr("{|>&*!#`-", line.data[at]) == NULL ? at : line.len;
}

// Of an item in quotes, or of a list of words, the words alone.
static void blank_yaml(char *line, size_t length) {
    const char first = line[0];
    for (size_t i = 0; i < length && (first == '[' || first == '"' || first == '\''); i++) {
        const bool is_sign = first == '[' ? strchr("[],\"'", line[i]) != NULL : line[i] == first;
        line[i] = is_sign ? ' ' : line[i];
    }
}

static bool is_cloud_config(const UserDataPart *part) {
    return str_is(part->type, "text/cloud-config") || str_starts_with(str_trim(part->body), STR("#cloud-config"));
}

// A key of the first level begins a list or ends one.
static bool is_in_runcmd(Str line, bool is_in) {
    const bool is_key = line.len > 0 && line.data[0] != ' ' && line.data[0] != '-' && line.data[0] != '#';
    return is_key ? str_starts_with(line, STR("runcmd:")) || str_starts_with(line, STR("bootcmd:")) : is_in;
}

Str user_data_started(Arena *arena, const PlanUserData *data) {
    const UserDataParts parts = user_data_parts(arena, data);
    char *text = arena_alloc(arena, data->written.len);
    memset(text, ' ', data->written.len);
    for (uint32_t i = 0; i < parts.count; i++) {
        const Str body = parts.items[i].body;
        const bool is_config = is_cloud_config(&parts.items[i]);
        bool is_in = false;
        bool goes_on = false;
        for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
            const Str line = shell_line(body, at);
            is_in = is_config && is_in_runcmd(line, is_in);
            const bool was_going_on = goes_on;
            const size_t command = goes_on ? 0 : is_in ? item_command(line) : unit_command(line);
            goes_on = command < line.len && str_ends_with(str_trim(line), STR("\\"));
            if (command < line.len) {
                char *start = text + parts.items[i].at + at + command;
                memcpy(start, line.data + command, line.len - command);
                if (is_in && !was_going_on) {
                    blank_yaml(start, line.len - command);
                }
            }
            if (at + line.len < body.len) {
                text[parts.items[i].at + at + line.len] = '\n';
            }
        }
    }
    return (Str){ .data = text, .len = data->written.len };
}

size_t user_data_runs(Arena *arena, const PlanUserData *data, Str program) {
    const UserDataParts parts = user_data_parts(arena, data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *one = &parts.items[i];
        const bool is_script = is_run(one);
        const size_t at = !str_has(one->body, str_c(arena, program)) ? one->body.len
                          : is_script                                ? shell_runs(arena, one->body, program)
                                                                     : shell_line_runs(one->body, program);
        if (at < one->body.len) {
            return one->at + at;
        }
    }
    return data->written.len;
}
