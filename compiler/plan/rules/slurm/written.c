// A rule about a batch script that another script writes: in a here-document whose word has no quotes, variables are filled in
// where it is written, and those of a job are empty there.
// source: Bash Reference Manual, Here Documents; sbatch(1), OUTPUT ENVIRONMENT VARIABLES; read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_lines.h"

// Variables that a job has, and no node beside it.
static bool is_of_job(Str name) {
    static const char *const NAMES[] = {
        "PROCID",       "NODEID",        "LOCALID",           "JOB_ID",        "JOBID",        "JOB_NODELIST",
        "NODELIST",     "NNODES",        "JOB_NUM_NODES",     "NTASKS",        "NPROCS",       "CPUS_PER_TASK",
        "GPUS_ON_NODE", "GPUS_PER_NODE", "NTASKS_PER_NODE",   "ARRAY_TASK_ID", "ARRAY_JOB_ID", "SUBMIT_DIR",
        "STEP_ID",      "RESTART_COUNT", "LAUNCH_NODE_IPADDR"
    };
    const Str start = STR("SLURM_");
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(NAMES) && str_starts_with(name, start); i++) {
        is = is || str_is_word(str_slice(name, start.len, name.len), NAMES[i]);
    }
    return is;
}

// The word that ends the here-document which a line begins, where it has no quotes; empty: there is none, or it has.
static Str open_word(Str line, Str *word) {
    const size_t at = str_find(line, STR("<<"), 0);
    size_t start = at + 2;
    *word = STR_NONE;
    if (at >= line.len || str_at(line, start) == '<' || str_at(str_trim(line), 0) == '#') {
        return STR_NONE;
    }
    start += str_at(line, start) == '-' ? 1 : 0;
    while (str_at(line, start) == ' ' || str_at(line, start) == '\t') {
        start++;
    }
    const bool is_quoted = str_at(line, start) != '\0' && strchr("'\"\\", str_at(line, start)) != NULL;
    start += is_quoted ? 1 : 0;
    size_t end = start;
    while (char_is_of_name(str_at(line, end))) {
        end++;
    }
    *word = str_slice(line, start, end);
    return is_quoted ? STR_NONE : *word;
}

// The next variable of a job at or behind `*at` that a shell fills in: `$NAME`, `${NAME}`, with `*at` behind it; empty: there is none.
static Str next_of_job(Str text, size_t *at) {
    for (size_t sign = str_find(text, STR("$"), *at); sign < text.len; sign = str_find(text, STR("$"), sign + 1)) {
        const bool is_braced = str_at(text, sign + 1) == '{';
        const size_t start = sign + (is_braced ? 2 : 1);
        size_t end = start;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        const bool is_whole = !is_braced || str_at(text, end) == '}';
        const bool is_escaped = sign > 0 && text.data[sign - 1] == '\\';
        if (is_whole && !is_escaped && is_of_job(str_slice(text, start, end))) {
            *at = end + (is_braced ? 1 : 0);
            return str_slice(text, sign, *at);
        }
    }
    *at = text.len;
    return STR_NONE;
}

static void check_written(const Rules *rules, const PlanSlurmScript *script, Str text, Str word) {
    Session *session = rules->session;
    size_t at = 0;
    uint32_t count = 0;
    Diag *diag = NULL;
    for (Str variable = next_of_job(text, &at); variable.len > 0; variable = next_of_job(text, &at)) {
        const size_t start = (size_t)(variable.data - script->text.data);
        const Span span = slurm_span(script, start, start + variable.len);
        if (diag == NULL) {
            const size_t place_of_word = (size_t)(word.data - script->text.data);
            const Span place = slurm_span(script, place_of_word, place_of_word + word.len);
            diag = plan_report(session, script->subject, span, DIAG(slurm_written), STR_ARG(variable));
            diag_label(session, diag, place, "without quotes");
            diag_help(session, diag, "write `\\%.*s`, or `'%.*s'` behind `<<`", STR_ARG(variable), STR_ARG(word));
        }
        count++;
    }
    if (count > 1) {
        diag_note(session, diag, "so it is with %" PRIu32 " more", count - 1);
    }
}

void rule_slurm_written(const Rules *rules, const PlanSlurmScript *script) {
    const Str text = script->text;
    for (size_t at = 0; !script->is_batch && at < text.len;) {
        Str end_word;
        const Str word = open_word(shell_line(text, at), &end_word);
        const size_t start = shell_next_line(text, at);
        size_t end = start;
        while (end_word.len > 0 && end < text.len && !str_equal(str_trim(shell_line(text, end)), end_word)) {
            end = shell_next_line(text, end);
        }
        const Str body = str_slice(text, start, end);
        const bool is_batch = str_starts_with(body, STR("#SBATCH")) || str_has(body, "\n#SBATCH");
        if (word.len > 0 && is_batch && end < text.len) {
            check_written(rules, script, body, word);
        }
        at = end_word.len > 0 ? end : start; // one that is never closed goes on to the end
    }
}
