// Which files wait, and for which facts. A fact is an output of a stack, which describe-stacks prints, or an input that
// somebody has to give.
#include "emitters/deployment/waiting.h"

#include "compiler/base/shell.h"

Str waiting_file(Arena *arena, Str stack) {
    return str_format(arena, "%.*s.facts.json", STR_ARG(stack));
}

Str waiting_command(Arena *arena, const MissingFact *fact) {
    StrBuf text = { .arena = arena };
    shell_add(&text, "aws cloudformation describe-stacks --stack-name", fact->stack);
    shell_add_given(&text, "--region", fact->region);
    shell_add(&text, ">", waiting_file(arena, fact->stack));
    return strbuf_str(&text);
}

static bool is_asked(const Output *output, Str stack) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const DeploymentStep *step = &output->artifacts.items[i].step;
        if (str_equal(step->name, stack) || emitter_needs(step, stack)) {
            return true;
        }
    }
    return false;
}

static void note_asked(Session *session, Diag *diag, const Output *output) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        Str before = STR_NONE;
        for (uint32_t k = 0; k < artifact->missing.count; k++) {
            const Str stack = artifact->missing.items[k].stack;
            if (stack.len > 0 && !str_equal(stack, before)) {
                diag_note(session, diag, "`%.*s` needs facts of the stack `%.*s`", STR_ARG(artifact->step.file),
                          STR_ARG(stack));
            }
            before = stack;
        }
    }
}

static void check_files(Session *session, const Facts *facts, const Output *output) {
    for (uint32_t i = 0; facts != NULL && i < facts->files.count; i++) {
        bool is_of_build = false;
        for (uint32_t k = 0; k < facts->stacks.count && !is_of_build; k++) {
            is_of_build = facts->stacks.items[k]->file == i && is_asked(output, facts->stacks.items[k]->name);
        }
        if (!is_of_build) {
            const FactFile *file = &facts->files.items[i];
            Diag *diag = report(session, file->span, DIAG(facts_of_others), STR_ARG(file->path));
            note_asked(session, diag, output);
        }
    }
}

// "PublicSubnet and PrivateSubnet of lab, -p key"; of one stack each time.
Str waiting_describe(Arena *arena, const Artifact *artifact) {
    StrBuf text = { .arena = arena };
    for (uint32_t i = 0; i < artifact->missing.count; i++) {
        const MissingFact *fact = &artifact->missing.items[i];
        const bool is_same = i + 1 < artifact->missing.count && fact->stack.len > 0 &&
                             str_equal(fact->stack, artifact->missing.items[i + 1].stack);
        strbuf_add(&text, i == 0 ? STR_NONE : STR(", "));
        if (fact->stack.len == 0) {
            strbuf_add_format(&text, "the param `%.*s`", STR_ARG(fact->name));
        } else {
            strbuf_add_format(&text, "%.*s", STR_ARG(fact->name));
        }
        if (fact->stack.len > 0 && !is_same) {
            strbuf_add_format(&text, " of the stack %.*s", STR_ARG(fact->stack));
        }
    }
    return strbuf_str(&text);
}

void waiting_check(Session *session, const Facts *facts, const Output *output, bool must_be_complete) {
    check_files(session, facts, output);
    for (uint32_t i = 0; must_be_complete && i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (artifact->missing.count > 0) {
            report(session, SPAN_NONE, DIAG(file_incomplete), STR_ARG(artifact->name),
                   STR_ARG(waiting_describe(session->arena, artifact)));
        }
    }
}

Data *waiting_data(Arena *arena, const Output *output) {
    Data *waiting = data_list(arena);
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (artifact->missing.count == 0) {
            continue;
        }
        Data *facts = data_list(arena);
        for (uint32_t k = 0; k < artifact->missing.count; k++) {
            const MissingFact *fact = &artifact->missing.items[k];
            Data *map = data_map(arena);
            if (fact->stack.len == 0) {
                data_put(arena, map, STR("param"), data_string(arena, fact->name));
                data_put(arena, map, STR("option"),
                         data_string(arena, str_format(arena, "-p %.*s=VALUE", STR_ARG(fact->name))));
            } else {
                data_put(arena, map, STR("stack"), data_string(arena, fact->stack));
                data_put(arena, map, STR("output"), data_string(arena, fact->name));
                data_put(arena, map, STR("command"), data_string(arena, waiting_command(arena, fact)));
            }
            data_add(arena, facts, map);
        }
        Data *file = data_map(arena);
        data_put(arena, file, STR("file"), data_string(arena, artifact->name));
        data_put(arena, file, STR("kind"), data_string(arena, artifact->step.kind));
        data_put(arena, file, STR("facts"), facts);
        data_add(arena, waiting, file);
    }
    return waiting;
}
