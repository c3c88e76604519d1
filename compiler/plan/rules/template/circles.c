// Conditions of a template that ask for each other in a circle. They are walked along what they ask for, without recursion:
// a chain of them may be as long as the file.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

typedef VEC(const PlanNamed *) Conditions;

// A condition on the way, and which of those that it asks for comes next.
typedef struct {
    const PlanNamed *condition;
    Conditions asked;
    uint32_t next;
} Step;

typedef enum { NOT_SEEN, ON_THE_WAY, SEEN } Sight;

typedef struct {
    const Rules *rules;
    Sight *sights; // by the index of a condition
    VEC(Step) steps;
} Walk;

static void add_asked(Arena *arena, Conditions *asked, const PlanTest *test) {
    if (test != NULL && test->kind == TEST_CONDITION) {
        vec_push(arena, asked, test->condition);
    }
    for (uint32_t i = 0; test != NULL && i < test->part_count; i++) {
        add_asked(arena, asked, test->parts[i]);
    }
}

static void enter(Walk *walk, const PlanNamed *condition) {
    Step step = { .condition = condition };
    add_asked(walk->rules->session->arena, &step.asked, condition->test);
    walk->sights[condition->index] = ON_THE_WAY;
    vec_push(walk->rules->session->arena, &walk->steps, step);
}

// From `first`, which is on the way, to the end of it.
static void report_circle(const Walk *walk, const PlanNamed *first) {
    StrBuf text = { .arena = walk->rules->session->arena };
    uint32_t i = 0;
    while (walk->steps.items[i].condition != first) {
        i++;
    }
    for (; i < walk->steps.count; i++) {
        strbuf_add_format(&text, "`%.*s` -> ", STR_ARG(walk->steps.items[i].condition->name));
    }
    strbuf_add_format(&text, "`%.*s`", STR_ARG(first->name));
    plan_report(walk->rules->session, first->subject, first->span, DIAG(circular_conditions),
                STR_ARG(strbuf_str(&text)));
}

static void walk_from(Walk *walk, const PlanNamed *condition) {
    enter(walk, condition);
    while (walk->steps.count > 0) {
        Step *step = &walk->steps.items[walk->steps.count - 1];
        if (step->next == step->asked.count) {
            walk->sights[step->condition->index] = SEEN;
            walk->steps.count--;
            continue;
        }
        const PlanNamed *asked = step->asked.items[step->next++];
        if (walk->sights[asked->index] == ON_THE_WAY) {
            report_circle(walk, asked);
        } else if (walk->sights[asked->index] == NOT_SEEN) {
            enter(walk, asked);
        }
    }
}

void rule_template_circles(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL) {
        return;
    }
    Walk walk = { .rules = rules, .sights = arena_new_array(rules->session->arena, Sight, template->named.count) };
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_CONDITION && walk.sights[named->index] == NOT_SEEN) {
            walk_from(&walk, named);
        }
    }
}
