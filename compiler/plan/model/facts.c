// Reads the JSON of describe-stacks as stacks with their outputs. It uses the YAML reader, because JSON is YAML, and
// that reader gives values their lines.
#include "compiler/plan/model/facts.h"

#include "compiler/base/load.h"
#include "compiler/base/yaml_read.h"
#include "schema/names.h"

static void read_outputs(Session *session, const Data *stack, FactStack *read) {
    const Data *outputs = data_get(stack, "Outputs");
    for (uint32_t i = 0; outputs != NULL && outputs->kind == DATA_LIST && i < outputs->count; i++) {
        const Data *output = outputs->items[i];
        const Data *value = data_get(output, "OutputValue");
        const FactOutput row = {
            .key = data_text(output, "OutputKey"),
            .export_name = data_text(output, "ExportName"),
            .value = data_text(output, "OutputValue"),
            .span = value == NULL ? stack->span : value->span,
        };
        if (row.key.len > 0) {
            vec_push(session->arena, &read->outputs, row);
        }
    }
}

static void read_stack(Session *session, Facts *facts, const Data *stack) {
    const Data *name = data_get(stack, "StackName");
    if (name == NULL || name->kind != DATA_STRING) {
        report(session, stack->span, DIAG(facts_shape), "a stack without a StackName");
        return;
    }
    FactStack *read = arena_new(session->arena, FactStack);
    *read = (FactStack){
        .name = name->string,
        .id = data_text(stack, "StackId"),
        .status = data_text(stack, "StackStatus"),
        .span = name->span,
        .file = facts->files.count - 1,
    };
    const FactStack *other = str_map_add(&facts->by_name, read->name, read);
    if (other != NULL) {
        Diag *diag = report(session, read->span, DIAG(facts_stack_twice), STR_ARG(read->name));
        diag_label(session, diag, other->span, "is here too");
        return;
    }
    read_outputs(session, stack, read);
    vec_push(session->arena, &facts->stacks, read);
    // A file of the whole account may hold stacks in any state: only one that a build asks for has to be good.
}

void facts_load(Session *session, Str path, Facts *facts) {
    uint32_t source = source_load(session, path, SPAN_NONE);
    if (source != 0) {
        facts_read(session, source, facts);
    }
}

void facts_read(Session *session, uint32_t source, Facts *facts) {
    const Data *data = yaml_read(session, source);
    if (data == NULL) {
        return; // reported
    }
    const Data *stacks = data_get(data, "Stacks");
    facts->by_name.arena = session->arena;
    const FactFile file = { .path = source_get(session, source)->path, .span = data->span };
    vec_push(session->arena, &facts->files, file);
    if (stacks == NULL || stacks->kind != DATA_LIST) {
        Diag *diag = report(session, data->span, DIAG(facts_shape), "no `Stacks`");
        diag_help(session, diag, "give what `aws cloudformation describe-stacks` prints, as it is");
        return;
    }
    for (uint32_t i = 0; i < stacks->count; i++) {
        if (facts->stacks.count >= FACT_STACKS_MAX) {
            report(session, stacks->items[i]->span, DIAG(facts_too_many), (int)FACT_STACKS_MAX);
            return;
        }
        read_stack(session, facts, stacks->items[i]);
    }
}

bool facts_is_good(const FactStack *stack) {
    return names_have(NAMES_STACK_STATES_WITH_OUTPUTS, stack->status);
}

const FactStack *facts_stack(const Facts *facts, Str name) {
    return facts == NULL ? NULL : str_map_get(&facts->by_name, name);
}

const FactOutput *facts_output(const FactStack *stack, Str key) {
    const FactOutput *by_key = NULL;
    for (uint32_t i = 0; i < stack->outputs.count; i++) {
        const FactOutput *output = &stack->outputs.items[i];
        size_t prefix = stack->name.len + 1;
        if (output->export_name.len == prefix + key.len && str_starts_with(output->export_name, stack->name) &&
            output->export_name.data[stack->name.len] == '-' && str_ends_with(output->export_name, key)) {
            return output;
        }
        if (str_equal(output->key, key)) {
            by_key = output;
        }
    }
    return by_key;
}
