// A rule about scripts of user data that each have a shell of their own, as eksctl's commands have: what one sets, no
// other has.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"

// The script without the line that says who runs it, where it is one line.
static Str only_line(Str body) {
    const bool has_head = str_starts_with(body, STR("#!"));
    const Str text = str_trim(has_head ? str_slice(body, shell_next_line(body, 0), body.len) : body);
    return str_find(text, STR("\n"), 0) < text.len ? STR_NONE : text;
}

// `export NAME=VALUE` that is all of a script: "NAME". What stands in `'` is left alone, as it may be for another program.
static Str exported(const UserDataPart *part) {
    const Str export = STR("export ");
    const Str line = only_line(part->body);
    const Str rest = str_starts_with(line, export) ? str_slice(line, export.len, line.len) : STR_NONE;
    size_t end = 0;
    while (end < rest.len && char_is_of_name(rest.data[end])) {
        end++;
    }
    const bool is_alone = !str_has(rest, ";") && !str_has(rest, "&&") && !str_has(rest, "||") && !str_has(rest, ">");
    return is_alone && str_at(rest, end) == '=' ? str_slice(rest, 0, end) : STR_NONE;
}

// Where a script reads the variable, `$NAME` or `${NAME}`; its length where it does not, or may get it elsewhere.
static size_t read_at(Arena *arena, Str body, Str name) {
    static const char *const OTHERS[] = { "source ", ". /", "eval ", "<<", "'", "read " };
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        if (str_has(body, OTHERS[i])) {
            return body.len;
        }
    }
    if (str_find(body, str_format(arena, "%.*s=", STR_ARG(name)), 0) < body.len ||
        str_find(body, str_format(arena, "for %.*s ", STR_ARG(name)), 0) < body.len) {
        return body.len;
    }
    const size_t braced = str_find(body, str_format(arena, "${%.*s}", STR_ARG(name)), 0);
    const Str plain = str_format(arena, "$%.*s", STR_ARG(name));
    size_t at = str_find(body, plain, 0);
    while (at < body.len && (char_is_of_name(str_at(body, at + plain.len)) || (at > 0 && body.data[at - 1] == '\\'))) {
        at = str_find(body, plain, at + 1);
    }
    return at < braced ? at : braced;
}

// Variables that every shell has.
static bool is_set_anyway(Str name) {
    static const char *const NAMES[] = { "PATH", "HOME", "USER", "PWD", "SHELL", "LANG", "HOSTNAME", "TERM" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_is(name, NAMES[i])) {
            return true;
        }
    }
    return false;
}

static void check_variable(const Rules *rules, const PlanLaunch *launch, const UserDataParts *parts, uint32_t setter) {
    const PlanUserData *data = &launch->user_data;
    const Str name = exported(&parts->items[setter]);
    for (uint32_t i = setter + 1; name.len > 0 && !is_set_anyway(name) && i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        const bool is_script = user_data_is_script(part->body) && str_find(part->body, name, 0) < part->body.len;
        const size_t at =
            is_script ? read_at(rules->session->arena, shell_text(rules->session->arena, part->body, SHELL_READ), name)
                      : part->body.len;
        if (at == part->body.len) {
            continue;
        }
        const PlanUserPiece *piece = &data->pieces.items[setter];
        Diag *diag = plan_report(rules->session, launch->subject, piece->text, DIAG(command_forgets), STR_ARG(name));
        diag_label(rules->session, diag, user_data_place_in(rules, data, part->at + at), "it is empty here");
        diag_help(rules->session, diag, "put both into one item, `- |` with a line for each");
        return;
    }
}

void rule_launch_variables(const Rules *rules, const PlanLaunch *launch) {
    enum { COMMANDS_MAX = 200 }; // far above what anyone writes: each is looked for in each behind it
    const PlanUserData *data = &launch->user_data;
    const bool is_read = !data->is_joined && data->pieces.count > 1 && data->pieces.count <= COMMANDS_MAX &&
                         str_has(data->written, "export ");
    const UserDataParts parts = is_read ? user_data_parts(rules->session->arena, data) : (UserDataParts){ 0 };
    for (uint32_t i = 0; i < parts.count; i++) {
        check_variable(rules, launch, &parts, i);
    }
}
