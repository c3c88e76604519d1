#include "emitters/node/eks_choice.h"

bool eks_choice_template_is_too_large(const EksStart *start) {
    return (int64_t)start->template_size > schema_constant(CONSTANT_TEMPLATE_BODY_BYTES_MAX);
}

static bool has_room(const EksStart *start) {
    return userdata_fits(start->size) && !eks_choice_template_is_too_large(start);
}

static void report_unchecked(Session *session, const PlanNodes *nodes, const EksStart *start) {
    const bool is_message = !userdata_fits(start->size);
    const ConstantId most = is_message ? CONSTANT_USER_DATA_BYTES_MAX : CONSTANT_TEMPLATE_BODY_BYTES_MAX;
    const LeftOut left_out = { .what = is_message ? "user data" : "eksctl's template",
                               .size = is_message ? start->size : start->template_size,
                               .most = schema_constant(most) };
    userdata_report_unchecked(session, nodes, left_out);
}

EksStart eks_choice_start(const EksChoice *choice, const PlanNodes *nodes) {
    EksStart start = { .size = 0 };
    EksStart whole = start; // the last one with the check
    for (EksStartWay way = eks_start_first(nodes); way != EKS_START_WAYS;
         way = eks_start_next(choice->session, nodes, way)) {
        whole = start;
        start = choice->write(choice->state, nodes, way);
        start.way = way;
        if (has_room(&start)) {
            break;
        }
    }
    const bool has_check = eks_start_has_check(nodes, start.way);
    if (nodes->validate != NULL && !has_check && has_room(&start)) { // else that is what is wrong
        report_unchecked(choice->session, nodes, &whole);
    }
    if (has_check) {
        eks_start_upload(choice->session, choice->plan, choice->output, nodes, start.way, choice->step);
        if (start.way == EKS_START_UNCOUNTED && nodes->validate->on_fail == ON_FAIL_TERMINATE) {
            userdata_decide_uncounted(choice->session, choice->decisions, nodes);
        }
        userdata_account(choice->session, choice->decisions, nodes, &start.parts, start.size);
    } else {
        userdata_check_size(choice->session, nodes, &start.parts, start.size);
    }
    return start;
}
