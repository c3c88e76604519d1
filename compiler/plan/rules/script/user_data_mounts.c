// A rule about mounts of EFS in user data: what the helper of EFS asks of their options.
// source: aws/efs-utils@def6e742 src/efs_utils_common/mount_options.py, check_options_validity, 2026-07-13, read 2026-11
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"

// A type of file system in a command or in a line of fstab. Options that a variable has are not known.
static bool is_mount_of_efs(Str line) {
    return str_has(line, " efs ") && !str_has(line, "tls") && !str_has(line, "-o $") && !str_has(line, "-o \"$") &&
           !str_has(line, ",$");
}

// The option that asks for `tls`, as it stands behind a comma or `-o`; else the end of the line.
static size_t option_at(Str line, Str option) {
    for (size_t at = str_find(line, option, 1); at < line.len; at = str_find(line, option, at + 1)) {
        const char after = str_at(line, at + option.len);
        const bool is_whole = str_ends_with(option, STR("=")) || after == ',' || after == ' ' || after == '"';
        const Str before = str_slice(line, 0, at);
        if (is_whole && (str_ends_with(before, STR(",")) || str_ends_with(before, STR("-o ")) ||
                         str_ends_with(before, STR("-o \"")))) {
            return at;
        }
    }
    return line.len;
}

static bool check_line(const Rules *rules, const PlanLaunch *launch, size_t start, Str line) {
    const size_t point = option_at(line, STR("accesspoint="));
    const bool is_point = point < line.len;
    const size_t at = is_point ? point : option_at(line, STR("iam"));
    if (at < line.len) {
        Diag *diag =
            plan_report(rules->session, launch->subject, user_data_place_in(rules, &launch->user_data, start + at),
                        DIAG(mount_without_tls), is_point ? "accesspoint" : "iam");
        diag_help(rules->session, diag, "write `tls` and a comma before it");
        const Str option = is_point ? STR("accesspoint=") : STR("iam");
        const Str lead = str_slice(line, at - 1, at + option.len);
        rule_replace_part(
            rules, diag, diag->span, lead,
            str_format(rules->session->arena, "%.*stls,%.*s", STR_ARG(str_slice(lead, 0, 1)), STR_ARG(option)));
    }
    return at < line.len;
}

void rule_launch_mounts(const Rules *rules, const PlanLaunch *launch) {
    enum { SAID_MAX = 20 };
    const bool has_mount = str_has(launch->user_data.written, " efs ");
    const Str text = has_mount ? user_data_shell(rules->session->arena, &launch->user_data, SHELL_KEPT) : STR_NONE;
    int said = 0;
    for (size_t at = 0; at < text.len && said < SAID_MAX; at = shell_next_line(text, at)) {
        const Str line = shell_line(text, at);
        if (!str_ends_with(line, STR("\\")) && is_mount_of_efs(line)) {
            said += check_line(rules, launch, at, line) ? 1 : 0;
        }
    }
}
