// A rule about commands that go on until somebody ends them: what stands behind one in the same script is never run. It holds in
// scripts for Slurm and for other launchers, and in those of containers.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/script/shell_endless.h"

static void say(const Rules *rules, const Subject *subject, Span endless, Span next) {
    Diag *diag = plan_report(rules->session, subject, endless, DIAG(command_never_ends));
    diag_label(rules->session, diag, next, "is never run");
    diag_help(rules->session, diag, "write `&` at its end, and wait until it answers");
}

static Span span_of(const PlanSlurmScript *script, Str part) {
    const uint32_t start = (uint32_t)(part.data - script->text.data);
    const uint32_t end = start + (uint32_t)str_find(part, STR("\n"), 0);
    return (Span){ .source = script->file.source, .start = start, .end = end };
}

void rule_script_endless(const Rules *rules, const PlanSlurmScript *script) {
    const ShellEndless found = shell_endless(rules->session->arena, script->text);
    if (found.endless.len > 0) {
        say(rules, script->subject, span_of(script, found.endless), span_of(script, found.next));
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
