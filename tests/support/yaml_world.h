// A document for tests of its writers, and what it looks like as YAML.
#pragma once

#include "tests/support/check.h"

#include "compiler/base/session.h"
#include "emitters/doc/doc.h"

static const Origin ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "test", .text = "because of the test" };

typedef struct {
    Session *session;
    Doc *doc;
    DocNode *root;
} World;

static inline int set_up(void **state) {
    World *world = calloc(1, sizeof(*world));
    world->session = session_create();
    world->doc = doc_create(world->session, world->session->arena);
    world->root = doc_root(world->doc);
    *state = world;
    return 0;
}

static inline int tear_down(void **state) {
    World *world = *state;
    session_destroy(world->session);
    free(world);
    return 0;
}

static inline DocNode *text(const World *world, const char *value) {
    return doc_string(world->doc, str_of(value), &ORIGIN);
}

static inline DocNode *number(const World *world, int64_t value) {
    return doc_int(world->doc, value, &ORIGIN);
}

static inline DocNode *call(const World *world, DocCall name, DocNode *child) {
    return doc_call(world->doc, name, child);
}

static inline DocNode *list_of(const World *world, DocNode *first, DocNode *second, DocNode *third) {
    DocNode *const items[] = { first, second, third };
    DocNode *list = doc_list(world->doc);
    for (size_t i = 0; i < COUNT_OF(items) && items[i] != NULL; i++) {
        doc_add(world->doc, list, items[i]);
    }
    return list;
}

static inline DocNode *put(const World *world, const char *key, DocNode *value) {
    return doc_put(world->doc, world->root, str_of(key), value);
}

static inline void assert_yaml(const World *world, const char *expected) {
    const Str yaml = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);
    assert_string_equal(str_c(world->session->arena, yaml), expected);
}
