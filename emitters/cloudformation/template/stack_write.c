// Puts the finished sections of a template in order, applies the author's patches, and makes the artifact.
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/parameters.h"
#include "emitters/cloudformation/template/references.h"
#include "emitters/cloudformation/template/stack_step.h"

#include <string.h>

// A list that dtc made of a stack's parts ends where CloudFormation stops reading; what an author wrote is never cut.
static Str fit_description(Stack *stack, Str list) {
    if (list.len <= LIMIT_TEMPLATE_DESCRIPTION_MAX) {
        return list;
    }
    static const char REST[] = " and others";
    size_t end = LIMIT_TEMPLATE_DESCRIPTION_MAX - strlen(REST);
    while (end > 0 && list.data[end] != ',') {
        end--;
    }
    return str_format(stack->arena, "%.*s%s", STR_ARG(str_slice(list, 0, end)), REST);
}

static DocNode *description_node(Stack *stack, Str fallback, const Origin *reason) {
    if (stack->head->doc.len == 0) {
        doc_because(stack->doc, reason);
        DocNode *node = tree_string(stack->doc, WHY_DESCRIPTION, fit_description(stack, fallback));
        doc_unbecause(stack->doc);
        return node;
    }
    StrBuf text = { .arena = stack->arena };
    for (size_t i = 0; i < stack->head->doc.len; i++) {
        char c = stack->head->doc.data[i];
        strbuf_add_char(&text, c == '\n' ? ' ' : c);
    }
    return doc_string(stack->doc, str_trim(strbuf_str(&text)), stack->head->origin);
}

static void add_sections(Stack *stack, Str description, const Origin *reason) {
    DocNode *root = doc_root(stack->doc);
    tree_put_text(stack->doc, root, "AWSTemplateFormatVersion", WHY_FORMAT_VERSION, "2010-09-09");
    tree_put(stack->doc, root, "Description", description_node(stack, description, reason));
    DocNode *parameters = parameters_make(stack);
    if (doc_count(stack->metadata) > 0) {
        tree_put(stack->doc, root, "Metadata", stack->metadata);
    }
    tree_put(stack->doc, root, "Parameters", parameters);
    if (doc_count(stack->conditions) > 0) {
        tree_put(stack->doc, root, "Conditions", stack->conditions);
    }
    tree_put(stack->doc, root, "Resources", stack->resources);
    if (doc_count(stack->outputs) > 0) {
        tree_put(stack->doc, root, "Outputs", stack->outputs);
    }
}

static Str write_text(Stack *stack, const Output *output, DocLines *lines) {
    Arena *arena = stack->session->arena;
    if (output->format == FORMAT_JSON) {
        const Str text = doc_json_write(arena, stack->doc, lines);
        return limits_fits_request(text) ? text : doc_json_write_line(arena, stack->doc, lines);
    }
    const Str header = emitter_header_with(stack->arena, stack->session, stack->plan, output, stack->step.file);
    return yaml_write(arena, stack->doc, header, lines);
}

void stack_write(Stack *stack, Str description, const Origin *reason, Output *output) {
    Session *session = stack->session;
    ExtrasPatches patches = extras_patches(stack);
    add_sections(stack, description, reason);
    extras_apply(stack, &patches);
    doc_unbecause(stack->doc); // the block's, from stack_open()
    stack->step.file = str_format(session->arena, "%.*s.cfn.%s", STR_ARG(stack->head->id),
                                  output->format == FORMAT_JSON ? "json" : "yaml");
    DocLines lines = { 0 };
    Str content = write_text(stack, output, output->wants_map ? &lines : NULL);
    // What could not be written is missing where others refer to it: that is said already.
    const bool is_whole = session->diags.error_count == stack->errors_before;
    if (limits_check(stack, content) && is_whole) {
        references_check(stack, &patches);
    }
    step_fill(stack, content.len);
    Artifact artifact = {
        .name = stack->step.file,
        .content = content,
        .map = output->wants_map ? doc_map_write(session, session->arena, stack->step.file, &lines) : STR_NONE,
        .step = stack->step,
    };
    emitter_add(session, output, artifact);
    for (uint32_t i = 0; i < stack->decisions.count; i++) {
        vec_push(session->arena, &output->decisions, stack->decisions.items[i]);
    }
    arena_destroy(stack->arena);
}
