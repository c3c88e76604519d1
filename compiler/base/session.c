// Makes and frees what one run holds. Source number 0 is there from the start, empty: it is what SPAN_NONE points to.
#include "compiler/base/session.h"

static Session *create(Arena *arena, Session *owner) {
    Session *session = arena_new(arena, Session);
    session->arena = arena;
    session->owner = owner == NULL ? session : owner;
    source_add(session, STR_NONE, STR_NONE);
    return session;
}

Session *session_create(void) {
    return create(arena_create(), NULL);
}

Session *session_create_beside(Session *other) {
    return create(arena_create_beside(other->arena), other->owner);
}

void session_destroy(Session *session) {
    for (uint32_t i = 0; i < session->ends.count; i++) {
        session->ends.items[i].free(session->ends.items[i].held);
    }
    // The session itself lives in its arena, so nothing of it may be touched after this.
    arena_destroy(session->arena);
}
