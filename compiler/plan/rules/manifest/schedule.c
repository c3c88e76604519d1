// A rule about times at which a controller begins something: five fields of cron.
// source: kubernetes/kubernetes pkg/apis/batch/validation/validation.go, validateScheduleFormat, which is ParseStandard of
// robfig/cron v3; kubernetes-sigs/karpenter@22664681 pkg/apis/v1/nodepool.go, Budget; ray-project/kuberay@feeaf72f, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

static const struct {
    const char *name;
    int64_t least;
    int64_t most;
} FIELDS[] = { { "minute", 0, 59 }, { "hour", 0, 23 }, { "day", 1, 31 }, { "month", 1, 12 }, { "weekday", 0, 6 } };

static void refuse(const Rules *rules, const PlanObject *object, const Value *value, Str why) {
    Diag *diag = plan_report(rules->session, object->subject, value->span, DIAG(object_refused),
                             STR_ARG(str_after_last(object->resource->type, '/')), str_c(rules->session->arena, why));
    diag_help(
        rules->session, diag,
        "write the minute, the hour, the day, the month and the weekday: `0 3 * * 1-5` is each working day at three");
}

// What is wrong with the numbers of a field; empty: nothing. What stands behind `/` is a step, and behind `-` the end of a range.
static Str wrong_numbers(Arena *arena, Str field, size_t row) {
    enum { NUMBER_MAX = 1000 }; // beyond each field
    int64_t above = -1;
    for (size_t at = 0; at < field.len;) {
        const char before = at > 0 ? field.data[at - 1] : '\0';
        const size_t start = at;
        int64_t number = 0;
        for (; char_is_digit(str_at(field, at)); at++) {
            number = number > NUMBER_MAX ? NUMBER_MAX : number * 10 + (field.data[at] - '0');
        }
        const bool is_there = at > start;
        const bool is_step = before == '/';
        if (is_there && is_step && number == 0) {
            return STR("a step of 0 comes to no end");
        }
        if (is_there && !is_step && (number < FIELDS[row].least || number > FIELDS[row].most)) {
            return str_format(arena, "no %s is %.*s", FIELDS[row].name, STR_ARG(str_slice(field, start, at)));
        }
        if (is_there && before == '-' && above > number) {
            return str_format(arena, "the range of the %s begins at %" PRId64 " and ends at %" PRId64, FIELDS[row].name,
                              above, number);
        }
        above = is_there ? number : str_at(field, at) == '-' ? above : -1;
        at += is_there ? 0 : 1;
    }
    return STR_NONE;
}

static void check_schedule(const Rules *rules, const PlanObject *object, const Value *value) {
    Arena *arena = rules->session->arena;
    Str text = str_trim(object_text(value));
    if (text.len == 0 || text.data[0] == '@' || memchr(text.data, '\t', text.len) != NULL ||
        memchr(text.data, '$', text.len) != NULL || memchr(text.data, '{', text.len) != NULL || str_has(text, "<") ||
        str_has(text, "TZ=")) {
        return;
    }
    int count = 0;
    Str wrong = STR_NONE;
    while (text.len > 0) {
        const size_t blank = str_find(text, STR(" "), 0);
        const Str field = str_slice(text, 0, blank);
        if (count < (int)COUNT_OF(FIELDS) && wrong.len == 0) {
            wrong = wrong_numbers(arena, field, (size_t)count);
        }
        count++;
        text = str_trim(str_slice(text, blank, text.len));
    }
    if (count > (int)COUNT_OF(FIELDS)) {
        refuse(rules, object, value, str_format(arena, "its schedule has five fields, and not %d", count));
    } else if (wrong.len > 0 && count == (int)COUNT_OF(FIELDS)) { // of fewer, its definition tells
        refuse(rules, object, value, str_format(arena, "in its schedule, %.*s", STR_ARG(wrong)));
    }
}

void rule_schedule(const Rules *rules, const PlanObject *object) {
    const Str type = object->resource->type;
    const Value *spec = object_get(object->fields, "spec");
    if (object->is_changed) {
        return;
    }
    if (str_ends_with(type, STR("/CronJob")) || str_ends_with(type, STR("/RayCronJob"))) {
        check_schedule(rules, object, object_get(spec, "schedule"));
    } else if (str_starts_with(type, STR("karpenter.sh/")) && str_ends_with(type, STR("/NodePool"))) {
        const Value *budgets = object_get(object_get(spec, "disruption"), "budgets");
        for (uint32_t i = 0; i < object_count(budgets); i++) {
            check_schedule(rules, object, object_get(budgets->list.items[i], "schedule"));
        }
    }
}
