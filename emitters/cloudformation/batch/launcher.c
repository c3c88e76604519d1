// What the commands of all launchers are made of.
#include "emitters/cloudformation/batch/launcher.h"

#include "emitters/cloudformation/template/template_value.h"
#include "emitters/doc/tree.h"
#include "emitters/job/job_environment.h"
#include "stdlib/library.h"

void launcher_add_words(Stack *stack, DocNode *list, const JobWords *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const JobWord *word = &words->items[i];
        DocNode *node =
            word->value != NULL ? template_value(stack, word->value) : doc_string(stack->doc, word->text, word->origin);
        if (node != NULL) {
            doc_add(stack->doc, list, node);
        }
    }
}

void launcher_add_word(Stack *stack, DocNode *list, Why reason, const char *word) {
    doc_add(stack->doc, list, tree_text(stack->doc, reason, word));
}

void launcher_add_script(Stack *stack, DocNode *list, const char *path, const char *name) {
    launcher_add_word(stack, list, WHY_LAUNCHER_SCRIPT, "/bin/bash");
    launcher_add_word(stack, list, WHY_LAUNCHER_SCRIPT, "-c");
    doc_add(stack->doc, list, doc_block(stack->doc, stdlib_find(str_of(path))->text, why(WHY_LAUNCHER_SCRIPT)));
    launcher_add_word(stack, list, WHY_LAUNCHER_SCRIPT, name);
}

void launcher_add_variable(Stack *stack, DocNode *list, const PlanJob *job, const char *name, DocNode *value) {
    if (job_author_variable(job, name) != NULL) {
        return;
    }
    DocNode *variable = tree_add_map(stack->doc, list);
    tree_put_text(stack->doc, variable, "Name", WHY_LAUNCHER_VARIABLE, name);
    tree_put(stack->doc, variable, "Value", value);
}

void launcher_add_constant(Stack *stack, DocNode *list, const PlanJob *job, const char *name, Why reason,
                           enum ConstantId constant) {
    const Str text = str_format(stack->arena, "%" PRId64, schema_constant(constant));
    launcher_add_variable(stack, list, job, name, tree_string(stack->doc, reason, text));
}
