// A rule about placeholders in scripts that launch.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_text.h"

// `TOKEN=<your-token>` at the end of a line: the shell opens a file of that name to read, and finds none to write.
void rule_script_placeholders(const Rules *rules, const PlanSlurmScript *script) {
    const Str text = script->is_rendered || !str_has(script->text, "=<")
                         ? STR_NONE
                         : shell_text(rules->session->arena, script->text, SHELL_KEPT);
    for (size_t at = str_find(text, STR("=<"), 0); at < text.len; at = str_find(text, STR("=<"), at + 1)) {
        const Str line = shell_line(text, at);
        const size_t end = str_find(line, STR(">"), 2);
        const char first = str_at(line, 2);
        const bool is_name = at > 0 && char_is_of_name(text.data[at - 1]) && char_is_of_name(first);
        if (is_name && end < line.len && str_trim(str_slice(line, end + 1, line.len)).len == 0) {
            const Span place = slurm_span(script, at + 1, at + end + 1);
            Diag *diag = plan_report(rules->session, script->subject, place, DIAG(placeholder),
                                     STR_ARG(str_slice(line, 1, end + 1)));
            diag_help(rules->session, diag, "write the value; to a shell `<` opens a file, and this is an error");
        }
    }
}
