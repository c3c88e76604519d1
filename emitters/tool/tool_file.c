// What every file of a tool has: a document, and the step that applies it.
#include "emitters/tool/tool_file.h"

ToolFile *tool_open(Session *session, const Plan *plan, const PlanHead *head, const char *suffix, const char *kind) {
    Arena *arena = arena_create_beside(session->arena);
    ToolFile *file = arena_new(arena, ToolFile);
    *file = (ToolFile){ .session = session, .plan = plan, .head = head, .suffix = suffix, .arena = arena };
    file->doc = doc_create(session, arena);
    file->step.kind = str_of(kind);
    file->step.name = head->name->string;
    file->step.file = str_format(session->arena, "%.*s.%s.yaml", STR_ARG(head->id), suffix);
    return file;
}
