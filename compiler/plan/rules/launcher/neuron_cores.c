// A rule about the variables by which a process takes cores of Neuron devices: it asks for no more of them than its
// container has.
// source: AWS Neuron documentation, NeuronX Runtime Configuration, and Kubernetes getting started, 2026-11, read 2026-11
#include "compiler/plan/model/launcher_option.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/rule_field.h"

// The cores of a container: those of the devices, where two may make a logical one, so that there are fewer.
typedef struct {
    int64_t count; // -1: not known
    Span span;     // of what says so
} Cores;

enum { DIGITS_MAX = 6 };

// A number at the start of a text, which goes on behind it; -1: there is none.
static int64_t take_number(Str *text) {
    int64_t number = 0;
    size_t i = 0;
    for (; i < text->len && i < DIGITS_MAX && char_is_digit(text->data[i]); i++) {
        number = number * 10 + (text->data[i] - '0');
    }
    *text = str_slice(*text, i, text->len);
    return i == 0 ? -1 : number;
}

// How many cores `0-3,8` names; -1: it is written in another way.
static int64_t count_visible(Str text) {
    int64_t count = 0;
    Str rest = str_trim(text);
    while (rest.len > 0) {
        const int64_t first = take_number(&rest);
        int64_t last = first;
        if (first >= 0 && rest.len > 0 && rest.data[0] == '-') {
            rest = str_slice(rest, 1, rest.len);
            last = take_number(&rest);
        }
        const bool goes_on = rest.len > 1 && rest.data[0] == ',';
        if (first < 0 || last < first || (rest.len > 0 && !goes_on)) {
            return -1;
        }
        count += last - first + 1;
        rest = str_slice(rest, goes_on ? 1 : 0, rest.len);
    }
    return count;
}

static void check_variable(const Rules *rules, const Subject *subject, const PlanVariable *variable,
                           const Cores *cores) {
    static const char NUMBER[] = "NEURON_RT_NUM_CORES";
    static const char VISIBLE[] = "NEURON_RT_VISIBLE_CORES";
    const bool is_number = field_is(&variable->name, NUMBER);
    if (variable->value.state != FIELD_KNOWN || (!is_number && !field_is(&variable->name, VISIBLE))) {
        return;
    }
    Str text = str_trim(variable->value.text);
    int64_t count = is_number ? take_number(&text) : count_visible(text);
    count = is_number && text.len > 0 ? -1 : count;
    if (count <= cores->count) {
        return;
    }
    Session *session = rules->session;
    Diag *diag = plan_report(session, subject, rule_span(&variable->value), DIAG(neuron_cores),
                             is_number ? NUMBER : VISIBLE, count, cores->count);
    diag_label(session, diag, cores->span, "%" PRId64 " NeuronCore%s", cores->count, cores->count == 1 ? "" : "s");
    if (is_number) {
        diag_help(session, diag, "write `%" PRId64 "`, or ask for more devices", cores->count);
    } else {
        diag_help(session, diag, "write `0-%" PRId64 "`, or ask for more devices", cores->count - 1);
    }
}

static void check_launcher(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                           const Cores *cores) {
    for (uint32_t i = 0; launcher != NULL && cores->count > 0 && i < launcher->variables.count; i++) {
        check_variable(rules, subject, &launcher->variables.items[i], cores);
    }
}

// ---- pods ------------------------------------------------------------------------------------------------------------

enum { DEVICES_MAX = 6000 }; // far above those of any node

static int64_t amount_of(const Value *limits, const char *name, Span *span) {
    const Value *amount = object_get(limits, name);
    double number;
    if (amount == NULL || !quantity_read(amount, &number) || number < 1 || number > DEVICES_MAX) {
        return -1;
    }
    *span = amount->span;
    return (int64_t)number;
}

static Cores cores_of_pod(const Rules *rules, const PlanWorkload *workload) {
    static const char *const DEVICES[] = { "aws.amazon.com/neuron", "aws.amazon.com/neurondevice" };
    const Value *limits = object_get(object_get(workload->container, "resources"), "limits");
    const InstanceRow *row = pod_row(rules->session, object_text(pod_type(workload->pod)));
    Cores cores = { .count = -1, .span = SPAN_NONE };
    cores.count = amount_of(limits, "aws.amazon.com/neuroncore", &cores.span);
    for (size_t i = 0; i < COUNT_OF(DEVICES) && cores.count < 0; i++) {
        const int64_t devices = amount_of(limits, DEVICES[i], &cores.span);
        cores.count = devices > 0 && row != NULL && row->neuron_cores > 0 ? devices * row->neuron_cores : -1;
    }
    return cores;
}

void rule_pod_neuron_cores(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (!workload->is_first) {
            const Cores cores = cores_of_pod(rules, workload);
            check_launcher(rules, object->subject, workload->launcher, &cores);
        }
    }
}

// ---- jobs of AWS Batch -------------------------------------------------------------------------------------------------

void rule_definition_neuron_cores(const Rules *rules, const PlanContainer *container) {
    const bool is_declared = container->form == FORM_DECLARED; // for whose launcher two cores may be a logical one
    const int64_t all =
        container->row == NULL ? -1 : (int64_t)container->row->accelerators * container->row->neuron_cores;
    const Cores cores = { .count = is_declared                   ? all
                                   : container->neuron_cores > 0 ? container->neuron_cores
                                                                 : -1,
                          .span = container->neuron_span };
    if (!is_declared) {
        check_launcher(rules, container->subject, container->launcher, &cores);
    }
    for (uint32_t i = 0; is_declared && cores.count > 0 && i < container->variables.count; i++) {
        check_variable(rules, container->subject, &container->variables.items[i], &cores);
    }
}
