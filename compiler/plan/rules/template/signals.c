// Rules about what user data tells CloudFormation and asks of it: a resource is there, and one that gets a signal waits.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/template/names.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"

static bool is_letter(char c) {
    const char small = char_small(c);
    return (small >= 'a' && small <= 'z') || char_is_digit(c);
}

// The logical id behind `--resource`; empty where there is none, or something else fills it in.
static Str resource_of(Str command) {
    const Str option = STR("--resource");
    size_t at = str_find(command, option, 0) + option.len;
    while (at < command.len && strchr(" =\"'\t", command.data[at]) != NULL) {
        at++;
    }
    const size_t start = at;
    while (at < command.len && is_letter(command.data[at])) {
        at++;
    }
    const bool is_whole = at >= command.len || strchr(" \t\n\\\"';|&)", command.data[at]) != NULL;
    return start < command.len && is_whole ? str_slice(command, start, at) : STR_NONE;
}

// The stack is the one that the user data stands in.
static bool is_of_this_stack(Str command) {
    return str_find(command, STR("AWS::StackName"), 0) < command.len ||
           str_find(command, STR("AWS::StackId"), 0) < command.len;
}

// A rolling update waits for signals only where its policy says so.
static bool update_waits(const Value *policy) {
    const Value *rolling = value_get(policy, "AutoScalingRollingUpdate");
    const Value *wait =
        rolling == NULL || rolling->kind != VALUE_MAP ? rolling : value_get(rolling, "WaitOnResourceSignals");
    return wait != NULL && !(wait->kind == VALUE_BOOL && !wait->boolean);
}

static bool waits(const PlanResource *resource) {
    const ValueEntry *update = value_entry(resource->attributes, resource->attribute_count, "UpdatePolicy");
    return value_entry(resource->attributes, resource->attribute_count, "CreationPolicy") != NULL ||
           (update != NULL && (update->value->kind != VALUE_MAP || update_waits(update->value))) ||
           str_is(resource->resource->type, "AWS::CloudFormation::WaitCondition");
}

// Those whose creation can wait for cfn-signal (CloudFormation Template Reference, CreationPolicy attribute, 2026-11).
static bool can_wait(const Resource *resource) {
    return str_is(resource->type, "AWS::AutoScaling::AutoScalingGroup") || str_is(resource->type, "AWS::EC2::Instance");
}

// How many instances a group starts with; 1 where nobody knows.
static int64_t first_instances(const Resource *resource) {
    enum { INSTANCES_MAX = 10000 };
    static const char *const KEYS[] = { "DesiredCapacity", "MinSize" };
    const ValueEntry *entry = NULL;
    for (size_t i = 0; entry == NULL && i < COUNT_OF(KEYS); i++) {
        entry = value_entry(resource->properties, resource->property_count, KEYS[i]);
    }
    const Value *value = entry == NULL ? NULL : entry->value;
    int64_t count = value != NULL && value->kind == VALUE_INT ? value->integer : 0;
    const Str text = value != NULL && value->kind == VALUE_STRING ? value->string : STR_NONE;
    for (size_t i = 0; i < text.len; i++) {
        const bool is_number = char_is_digit(text.data[i]) && count <= INSTANCES_MAX && count >= 0;
        count = is_number ? count * 10 + (text.data[i] - '0') : -1;
    }
    return count < 1 || count > INSTANCES_MAX ? 1 : count;
}

static void say_what_waits(const Rules *rules, Diag *diag, const PlanResource *resource) {
    Session *session = rules->session;
    if (can_wait(resource->resource)) {
        diag_label(session, diag, resource->resource->span, "has no `CreationPolicy`");
        const int64_t count = first_instances(resource->resource);
        const Str counted = count > 1 ? str_format(session->arena, "Count: %" PRId64 ", ", count) : STR_NONE;
        diag_help(
            session, diag,
            "write `CreationPolicy: {ResourceSignal: {%.*sTimeout: PT15M}}` beside its `Properties`, or leave the "
            "signal out",
            STR_ARG(counted));
    } else {
        diag_label(session, diag, resource->resource->span, "can have no `CreationPolicy`");
        diag_help(session, diag,
                  "write `--resource` with the group or the instance that these nodes are of, or leave the signal out");
    }
}

void rule_launch_signals(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str program = STR("cfn-signal ");
    const bool is_read = str_find(data->written, program, 0) < data->written.len;
    const Str run = is_read ? user_data_shell(rules->session->arena, data, SHELL_RUN) : STR_NONE;
    for (size_t at = str_find(run, program, 0); at < run.len; at = str_find(run, program, at + 1)) {
        const Str command = str_slice(run, at, shell_end_of_command(run, at));
        const Str name = is_of_this_stack(command) ? resource_of(command) : STR_NONE;
        const PlanResource *resource = name.len == 0 ? NULL : rule_find_resource(rules, name);
        if (resource != NULL && !waits(resource)) {
            Diag *diag = plan_report(rules->session, launch->subject, user_data_place_in(rules, data, at),
                                     DIAG(signal_of_nothing), STR_ARG(name));
            say_what_waits(rules, diag, resource);
            plan_say_once(rules->session, diag); // templates of one group
            return;
        }
    }
}

// ---- a resource that is not there ----------------------------------------------------------------------------------

// The only resource of the template that waits for a signal when it is made; else nothing.
static Str only_waiting(const PlanTemplate *template) {
    Str name = STR_NONE;
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_RESOURCE && data_get(named->data, "CreationPolicy") != NULL) {
            if (name.len > 0) {
                return STR_NONE;
            }
            name = named->name;
        }
    }
    return name;
}

static void report_missing(const Rules *rules, const PlanTemplate *template, const Subject *subject, Str name,
                           Span span) {
    const Str waiting = only_waiting(template);
    const PlanUse use = { .kind = USE_DEPENDS_ON, .subject = subject, .name = name, .span = span };
    names_report(rules, template, &use,
                 waiting.len > 0 ? str_format(rules->session->arena,
                                              "write `--resource %.*s`, which waits for a signal", STR_ARG(waiting))
                                 : STR("name the resource that this user data belongs to"));
}

static void check_commands(const Rules *rules, const PlanTemplate *template, const Subject *subject, const Data *text) {
    const PlanUserData data = { .written = text->string, .text = text->span };
    const Str program = STR("cfn-signal ");
    const bool is_read = str_find(data.written, program, 0) < data.written.len;
    const Str run = is_read ? shell_text(rules->session->arena, data.written, SHELL_RUN) : STR_NONE;
    for (size_t at = str_find(run, program, 0); at < run.len; at = str_find(run, program, at + 1)) {
        const Str command = str_slice(run, at, shell_end_of_command(run, at));
        const Str name = is_of_this_stack(command) ? resource_of(command) : STR_NONE;
        if (name.len > 0 && plan_named(template, NAMED_RESOURCE, name) == NULL) {
            report_missing(rules, template, subject, name, user_data_place_in(rules, &data, at));
            return;
        }
    }
}

static void check_texts(const Rules *rules, const PlanTemplate *template, const Subject *subject, const Data *data) {
    if (data->kind == DATA_STRING) {
        check_commands(rules, template, subject, data);
        return;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        check_texts(rules, template, subject, data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
}

void rule_template_signals(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_RESOURCE && named->data != NULL) {
            check_texts(rules, template, named->subject, named->data);
        }
    }
}
