// What ParallelCluster and Slurm take as names.
#include "compiler/plan/rules/slurm_name.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/limits.h"

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static bool is_digit_or_hyphen(char c) {
    return (c >= '0' && c <= '9') || c == '-';
}

static const char *too_long(const Rules *rules, Str name, int most) {
    Arena *arena = rules->session->arena;
    return str_c(arena, str_format(arena, "it has %zu characters, and %d is the most", name.len, most));
}

const char *slurm_queue_name_fault(const Rules *rules, Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!is_lower(name.data[i]) && (i == 0 || !is_digit_or_hyphen(name.data[i]))) {
            return "it begins with a small letter, and small letters, digits and hyphens follow";
        }
    }
    if (name.len == 0) {
        return "it is empty";
    }
    if (str_is(name, "default")) {
        return "Slurm keeps this word for itself";
    }
    return name.len > LIMIT_SLURM_QUEUE_NAME_MAX ? too_long(rules, name, LIMIT_SLURM_QUEUE_NAME_MAX) : NULL;
}

// Which characters a name may have is the same for every stack: rule names.
const char *slurm_cluster_name_fault(const Rules *rules, Str name, bool is_accounted) {
    const int most = is_accounted ? LIMIT_SLURM_ACCOUNTED_NAME_MAX : LIMIT_SLURM_CLUSTER_NAME_MAX;
    return name.len > (size_t)most ? too_long(rules, name, most) : NULL;
}

const char *slurm_storage_name_fault(const Rules *rules, Str name) {
    return name.len > LIMIT_SLURM_STORAGE_NAME_MAX ? too_long(rules, name, LIMIT_SLURM_STORAGE_NAME_MAX)
           : str_is(name, "default")               ? "ParallelCluster keeps this word for itself"
                                                   : NULL;
}

void slurm_check_name(const Rules *rules, const Subject *subject, Span span, Str name, const char *what,
                      const char *fault, const char *help) {
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(slurm_name), STR_ARG(name), what, fault);
        diag_help(rules->session, diag, "%s", help);
        const Str better = rule_plain_name(rules->session->arena, name, true);
        if (strcmp(what, "a queue") == 0 && slurm_queue_name_fault(rules, better) == NULL) {
            rule_rename(rules, diag, span, name, better);
        }
    }
}
