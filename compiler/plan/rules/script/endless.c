// A rule about commands that go on until somebody ends them: what stands behind one in the same script is never run. It holds in
// scripts for Slurm and for other launchers, and in those of containers.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/slurm_script.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_endless.h"
#include "compiler/script/shell_text.h"

static void say(const Rules *rules, const Subject *subject, Span endless, Span next) {
    Diag *diag = plan_report(rules->session, subject, endless, DIAG(command_never_ends),
                             "waits here until somebody ends this, and what stands behind it is never run");
    diag_label(rules->session, diag, next, "is never run");
    diag_help(rules->session, diag, "write `&` at its end, and wait until it answers");
}

static Span span_of(const PlanSlurmScript *script, Str part) {
    const size_t start = (size_t)(part.data - script->text.data);
    return slurm_span(script, start, start + str_find(part, STR("\n"), 0));
}

void rule_script_endless(const Rules *rules, const PlanSlurmScript *script) {
    const ShellEndless found = shell_endless(rules->session->arena, script->text);
    if (found.endless.len > 0) {
        say(rules, script->subject, span_of(script, found.endless), span_of(script, found.next));
    }
}

// Whether what stands behind a place only tells or sets something, so that the script ends at once.
static bool ends_at_once(const PlanSlurmScript *script, const ShellCommands *commands, size_t at) {
    static const char *const IDLE[] = { "echo", "printf", "date", "true", "export", "unset", "module", ":" };
    bool ends = true;
    for (uint32_t i = 0; i < commands->count; i++) {
        const ShellSimple *command = &commands->items[i];
        const size_t place = command->words.count == 0 ? 0 : shell_word_place(script->text, command->words.items[0]);
        const Str program = command->program < command->words.count
                                ? str_after_last(command->words.items[command->program], '/')
                                : STR("true");
        bool is_idle = false;
        for (size_t k = 0; k < COUNT_OF(IDLE); k++) {
            is_idle = is_idle || str_is_word(program, IDLE[k]);
        }
        ends = ends && (place <= at || is_idle);
    }
    return ends;
}

// A step behind `&` at the end of a batch script, for which nothing waits: Slurm ends it with the script.
// source: sbatch(1), DESCRIPTION: the job ends when its script does; srun(1), "wait", 2026-11, read 2026-11
void rule_script_waits(const Rules *rules, const PlanSlurmScript *script) {
    static const char *const OTHERS[] = { "wait", "()", "function ", "trap ", "<<" };
    Session *session = rules->session;
    const PlanSlurmStep *last = script->steps.count == 0 ? NULL : &script->steps.items[script->steps.count - 1];
    bool is_asked = script->is_batch && last != NULL && last->is_background;
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        is_asked = is_asked && !str_has(script->text, OTHERS[i]);
    }
    ShellCommands commands = { 0 };
    if (!is_asked || !shell_commands(session->arena, script->text, &commands)) {
        return;
    }
    const Str sure = shell_text(session->arena, script->text, SHELL_SURE);
    const size_t end = last->launcher == NULL || last->launcher->words.count == 0
                           ? last->span.end
                           : last->launcher->words.items[last->launcher->words.count - 1].span.end;
    if (sure.data[last->span.start] == script->text.data[last->span.start] && ends_at_once(script, &commands, end)) {
        Diag *diag = plan_report(session, script->subject, last->span, DIAG(command_never_ends),
                                 "does not wait for this, and Slurm ends it when the script ends");
        diag_help(session, diag, "write `wait` on the last line");
    }
}

// The script of a shell among the words of a container.
static void check_words(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        const CommandWord *word = &launcher->words.items[i];
        const ShellEndless found = word->is == SHELL_WORD_SCRIPT ? shell_endless(rules->session->arena, word->text)
                                                                 : (ShellEndless){ .endless = STR_NONE };
        if (found.endless.len > 0) {
            const size_t endless = (size_t)(found.endless.data - word->text.data);
            const size_t next = (size_t)(found.next.data - word->text.data);
            say(rules, subject,
                command_part_place(rules->session, word, endless, endless + str_find(found.endless, STR("\n"), 0)),
                command_part_place(rules->session, word, next, next + str_find(found.next, STR("\n"), 0)));
        }
    }
}

void rule_pod_endless(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_words(rules, object->subject, object->workloads.items[i]->launcher);
    }
}

void rule_definition_endless(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_words(rules, container->subject, container->launcher);
    }
}
