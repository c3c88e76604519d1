// A rule about options that mpirun of Open MPI refuses, before it starts anything.
#include "compiler/plan/rules/launcher/launcher_words.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"

// source: Open MPI 4.1 mpirun(1), `--bind-to`; Open MPI 5.0, prte-bind-to; read 2026-11
static const char *const BINDINGS[] = { "none",    "hwthread", "core",  "l1cache",  "l2cache", "l3cache", "socket",
                                        "package", "numa",     "board", "cpu-list", "cpu",     "default" };

// Parameters of which one alone may stand.
// source: open-mpi/ompi v4.1.x opal/mca/btl/tcp/btl_tcp_component.c and oob_tcp_component.c, "mutually exclusive"; read 2026-11
static const char *const PAIRS[][2] = {
    { "btl_tcp_if_include", "btl_tcp_if_exclude" },
    { "oob_tcp_if_include", "oob_tcp_if_exclude" },
};

// Whether a word is the option, with one `-` or two.
static bool is_option(Str word, const char *name) {
    const size_t dashes = str_starts_with(word, STR("--")) ? 2 : 1;
    return str_at(word, 0) == '-' && str_is_word(str_slice(word, dashes, word.len), name);
}

static Diag *say(const LauncherWords *words, uint32_t i, const char *why) {
    const Str word = launcher_word_at(words, i);
    return plan_report(words->rules->session, words->subject, launcher_word_span(words, i, word), DIAG(mpirun_refuses),
                       STR_ARG(word), why);
}

// `--bind-to core:overload-allowed`
static void check_binding(const LauncherWords *words, uint32_t i) {
    Session *session = words->rules->session;
    const Str word = launcher_word_at(words, i);
    const Str name = str_slice(word, 0, str_find(word, STR(":"), 0));
    Suggestion suggestion = suggest_for(session, name);
    bool is_known = name.len == 0 || !char_is_of_name(name.data[0]);
    for (size_t k = 0; k < COUNT_OF(BINDINGS); k++) {
        is_known = is_known || str_is_word(name, BINDINGS[k]);
        suggest_offer(&suggestion, str_of(BINDINGS[k]));
    }
    if (!is_known) {
        Diag *diag = say(words, i, "it binds to no such thing");
        if (!rule_suggest(words->rules, diag, &suggestion, diag->span)) {
            diag_help(session, diag, "write `none`, `core`, `numa`, `socket` or another one of mpirun(1)");
        }
    }
}

// `-x NAME = VALUE`: the value of `-x` ends at the blank, and `=` is the program.
static void check_export(const LauncherWords *words, uint32_t i) {
    if (i + 2 < words->count && str_is(launcher_word_at(words, i + 1), "=")) {
        Diag *diag = say(words, i + 1, "with blanks around it, it is the program to start");
        const Str name = launcher_word_at(words, i);
        const Str value = launcher_word_at(words, i + 2);
        diag_help(words->rules->session, diag, "write `%.*s=%.*s`", STR_ARG(name), STR_ARG(value));
    }
}

// `start` is the first word behind mpirun.
static void check_pairs(const LauncherWords *words, uint32_t start) {
    for (size_t k = 0; k < COUNT_OF(PAIRS); k++) {
        uint32_t found[2] = { words->count, words->count };
        for (uint32_t i = start; i + 1 < words->count; i++) {
            const bool is_parameter = is_option(launcher_word_at(words, i), "mca");
            for (size_t which = 0; which < 2; which++) {
                const bool is_it = is_parameter && str_is_word(launcher_word_at(words, i + 1), PAIRS[k][which]);
                found[which] = is_it ? i + 1 : found[which];
            }
        }
        if (found[0] < words->count && found[1] < words->count) {
            Diag *diag = say(words, found[1], "of two lists of interfaces one alone counts");
            diag_label(words->rules->session, diag,
                       launcher_word_span(words, found[0], launcher_word_at(words, found[0])), "the other one");
            diag_help(words->rules->session, diag, "leave out one of the two");
        }
    }
}

void launcher_check_mpirun(const LauncherWords *words) {
    const uint32_t start = launcher_word_of(words, PROGRAM_MPIRUN) + 1;
    for (uint32_t i = start; i + 1 < words->count; i++) {
        const Str word = launcher_word_at(words, i);
        if (is_option(word, "bind-to")) {
            check_binding(words, i + 1);
        } else if (str_is(word, "-x")) {
            check_export(words, i + 1);
        }
    }
    check_pairs(words, start);
}
