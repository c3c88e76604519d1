// A rule about ports that a shell works out of the number of a job, or by chance: above 65535 there is none, and every such job
// ends at its start.
#include "compiler/plan/rules/launcher/launcher_words.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_amount.h"

enum { PORT_MOST = 65535, STEPS_MAX = 4 };

// What has the port at which processes meet, or is put into it.
static const char *const NAMES[] = { "MASTER_PORT", "--master-port", "--main_process_port", "--main-process-port",
                                     "RDZV_PORT",   "PORT",          "MAIN_PROCESS_PORT" };

typedef struct {
    const PlanLauncher *launcher;
    int steps;
} Context;

static const CommandSetting *only_setting(const PlanLauncher *launcher, Str name) {
    const CommandSetting *found = NULL;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (str_equal(setting->name, name)) {
            if (found != NULL) {
                return NULL;
            }
            found = setting;
        }
    }
    return found;
}

// Of a variable that the script sets once.
static ShellAmount amount_of(const void *context, Str name) {
    const Context *here = context;
    const CommandSetting *setting = here->steps >= STEPS_MAX ? NULL : only_setting(here->launcher, name);
    const Context next = { .launcher = here->launcher, .steps = here->steps + 1 };
    return setting == NULL ? (ShellAmount){ .is_known = false } : shell_amount(setting->value, amount_of, &next);
}

static bool is_port(const CommandSetting *setting) {
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        is = is || command_is_called(setting, NAMES[i]);
    }
    return is;
}

void launcher_check_ports(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    Session *session = rules->session;
    const Context context = { .launcher = launcher };
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        const bool is_worked_out = char_is_in(str_at(setting->value, 0), "$`") && str_has(setting->value, "(");
        const bool is_quoted = str_at(setting->value, 0) == '`';
        if ((!is_worked_out && !is_quoted) || !is_port(setting)) {
            continue;
        }
        const ShellAmount amount = shell_amount(setting->value, amount_of, &context);
        if (amount.is_known && amount.most > PORT_MOST) {
            Diag *diag = plan_report(session, subject, command_value_place(session, &launcher->words, setting),
                                     DIAG(port_beyond), STR_ARG(setting->value), amount.most);
            const int64_t width = amount.most - amount.least + 1;
            if (width < PORT_MOST / 2) {
                diag_help(session, diag, "begin at %" PRId64 " or below", PORT_MOST - width + 1);
            } else {
                diag_help(session, diag, "write a smaller number behind `%%`, so that no sum is above 65535");
            }
        }
    }
}
