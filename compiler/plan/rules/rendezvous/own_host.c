// Recognizes a node's own address in the forms in which commands write it: a name, a variable, or a command that prints it.
#include "compiler/plan/rules/rendezvous/own_host.h"

#include "compiler/script/shell_words.h"

enum { STEPS_MAX = 4 }; // of variables that name each other

// Names that are the node itself on each node, and a variable that shells and the runtimes of containers set.
static const char *const NAMES[] = { "localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]", "$HOSTNAME", "${HOSTNAME}" };

// What Kubernetes knows of a pod that no other pod of the same template has.
// source: Kubernetes, Downward API, Available fields, read 2026-11
static const char *const FIELDS[] = { "status.podIP", "status.podIPs", "status.hostIP", "metadata.name",
                                      "spec.nodeName" };

// A command that prints the node's own name or address.
typedef struct {
    const char *name;
    const char *says; // in what stands behind it; NULL: anything may
    bool
        may_be_piped; // what it prints are addresses, of which another command takes one: of a name that may make another
} OwnCommand;

// source: hostname(1), uname(1), ip-address(8); Amazon EC2 User Guide, Instance metadata categories; read 2026-11
static const OwnCommand COMMANDS[] = {
    { "hostname", " -i", true },
    { "hostname", " -I", true },
    { "hostname", " --ip-address", true },
    { "hostname", " --all-ip-addresses", true },
    { "hostname", NULL, false },
    { "uname", " -n", false },
    { "cat", " /etc/hostname", false },
    { "ip", " addr", true },
    { "ifconfig", NULL, true },
    { "ec2-metadata", "local-", true },
    { "curl", "/meta-data/local-", false },
    { "curl", "/meta-data/hostname", false },
    { "wget", "/meta-data/local-", false },
    { "python", "gethostname()", false },
    { "python3", "gethostname()", false },
};

// The command in a substitution that ends at a place.
static Str substituted(Str text, size_t end) {
    const size_t start = str_at(text, 0) == '`' ? 1 : 2;
    return end > start ? str_slice(text, start, end - 1) : STR_NONE;
}

static bool prints_own(Str command) {
    const Str name = str_slice(command, 0, str_find(command, STR(" "), 0));
    const bool is_one = !str_has(command, ";") && !str_has(command, "&") && !str_has(command, "||");
    bool prints = false;
    for (size_t i = 0; is_one && i < COUNT_OF(COMMANDS); i++) {
        const OwnCommand *row = &COMMANDS[i];
        prints = prints ||
                 (str_is(str_after_last(name, '/'), row->name) && (row->says == NULL || str_has(command, row->says)) &&
                  (row->may_be_piped || !str_has(command, "|")));
    }
    return prints;
}

// Whether a host ends at a place: `localhost-train` and `localhost.example.com` are others, and what stands behind a
// variable or a command makes another one of it, but for a domain.
static bool ends_host(Str text, size_t at, bool is_literal) {
    const char after = str_at(text, at);
    return !char_is_of_name(after) && after != '-' && after != '$' && (after != '.' || !is_literal);
}

// How many bytes at the start of a text are the node's own host; 0: none.
static size_t own_length(Str text) {
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const Str name = str_of(NAMES[i]);
        if (str_starts_with(text, name) && ends_host(text, name.len, name.data[0] != '$')) {
            return name.len;
        }
    }
    const size_t end = command_end_of_substitution(text, 0);
    return prints_own(substituted(text, end)) && ends_host(text, end, false) ? end : 0;
}

static bool is_of_pod_itself(const PlanVariable *variable) {
    bool is = false;
    for (size_t i = 0; variable != NULL && i < COUNT_OF(FIELDS); i++) {
        is = is || str_is(variable->of_pod, FIELDS[i]);
    }
    return is;
}

// Whether a script may set a variable in a way that nobody follows.
static bool may_be_read(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "read ", "printf -v" };
    return launcher_reads_others(launcher) || launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS));
}

static OwnHost host_at(const Session *session, const PlanField *value, size_t len, Span cause) {
    const Str host = str_slice(value->text, 0, len);
    const Span place = value->is_own ? launcher_part(session, value->span, host) : value->span;
    return (OwnHost){ .host = host, .span = place, .cause = cause };
}

OwnHost own_host(const Session *session, const PlanLauncher *launcher, const PlanField *field) {
    static const OwnHost NONE = { .host = { .len = 0 } };
    PlanField value = *field;
    for (int i = 0; i < STEPS_MAX; i++) {
        const PlanVariable *variable = launcher_named(launcher, &value);
        if (is_of_pod_itself(variable)) {
            return host_at(session, &value, str_find(value.text, STR(":"), 0), variable->value.span);
        }
        const PlanField next = launcher_value(session, launcher, &value);
        if (next.text.data == value.text.data || (next.is_own && may_be_read(launcher))) {
            break;
        }
        value = next;
    }
    const bool is_set = str_has(value.text, "HOSTNAME") && launcher_setting(session, launcher, "HOSTNAME").text.len > 0;
    const size_t len = is_set ? 0 : own_length(value.text);
    return len == 0 ? NONE : host_at(session, &value, len, SPAN_NONE);
}
