// `dtc explain TOPIC`: finds out what kind of topic it is, and prints what the tables say about it. It tries the kinds
// in a fixed order. Their names do not overlap.
#include "compiler/driver/command/explain.h"
#include "compiler/base/diag/prose.h"
#include "compiler/base/suggest.h"
#include "compiler/driver/command/instance_text.h"
#include "compiler/driver/output/print.h"
#include "compiler/semantics/builtins.h"
#include "emitters/doc/constants.h"
#include "schema/instances.h"

// The code of what was typed, in capitals: "dt0304", and "error[DT0304]:" as it stands in a message. Empty: none.
static Str code_of(Arena *arena, Str topic) {
    enum { LETTERS = 2, DIGITS = 4 };
    const size_t bracket = str_find(topic, STR("["), 0);
    const size_t start = bracket < topic.len ? bracket + 1 : 0;
    const size_t end = bracket < topic.len ? str_find(topic, STR("]"), start) : topic.len;
    const Str code = str_slice(topic, start, end);
    if (code.len != LETTERS + DIGITS || !str_starts_with_in_any_case(code, STR("DT"))) {
        return STR_NONE;
    }
    for (size_t i = LETTERS; i < code.len; i++) {
        if (!char_is_digit(code.data[i])) {
            return STR_NONE;
        }
    }
    return str_format(arena, "DT%.*s", DIGITS, code.data + LETTERS);
}

static bool explain_code(Run *run, Str topic) {
    const Str code = code_of(run->arena, topic);
    const RetiredDiag *retired = diag_find_retired(code);
    if (retired != NULL) {
        strbuf_add_format(&run->out, "%s: ", retired->code);
        diag_add_format(&run->out, retired->format);
        strbuf_add_format(&run->out, "\n\nNo message has this code since %s.\n", retired->month);
        return true;
    }
    const DiagRow *row = diag_find(code);
    if (row == NULL) {
        return false;
    }
    strbuf_add_format(&run->out, "%s, %s: ", row->code, severity_name(row->severity));
    diag_add_title(&run->out, diag_id(row));
    strbuf_add(&run->out, STR("\n\n"));
    print_wrapped(&run->out, str_of(diag_explanation(diag_id(row))), 0);
    explain_combinations(run, diag_id(row));
    explain_asked(run, row->code);
    return true;
}

static bool explain_instance(Run *run, Str topic) {
    const InstanceRow *row = schema_instance(run->session, topic);
    if (row == NULL) {
        return false;
    }
    instance_sheet(&run->out, row);
    return true;
}

static bool explain_function(Run *run, Str topic) {
    const BuiltinDoc *doc;
    for (int i = 0; (doc = builtin_doc(i)) != NULL; i++) {
        if (str_is(topic, doc->name)) {
            strbuf_add_format(&run->out, "%s\n\n", doc->signature);
            print_wrapped(&run->out, str_of(doc->summary), 0);
            return true;
        }
    }
    return false;
}

static bool explain_constant(Run *run, Str topic) {
    for (int id = 0; id < WHY_COUNT; id++) {
        const Origin *origin = why((Why)id);
        if (str_is(topic, origin->name)) {
            strbuf_add_format(&run->out, "%s: what dtc writes without being asked, and why\n\n", origin->name);
            print_wrapped(&run->out, str_of(origin->text), 0);
            return true;
        }
    }
    return false;
}

static Str nearest_topic(Run *run, Str topic) {
    Suggestion suggestion = { .name = topic };
    for (int i = 0; i < KIND_COUNT; i++) {
        suggest_offer(&suggestion, str_of(KIND_ROWS[i].name));
    }
    for (int i = 0; i < schema_instance_count(run->session); i++) {
        suggest_offer(&suggestion, str_of(schema_instance_at(run->session, i)->name));
    }
    for (int i = 0; i < PATTERN_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(PATTERN_ROWS[i].name));
    }
    for (int id = 0; id < WHY_COUNT; id++) {
        suggest_offer(&suggestion, str_of(why((Why)id)->name));
    }
    for (int i = 0; i < CONSTANT_COUNT; i++) {
        suggest_offer(&suggestion, str_of(CONSTANT_ROWS[i].name));
    }
    for (int i = 0; i < QUOTA_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(QUOTA_ROWS[i].code));
    }
    const BuiltinDoc *doc;
    for (int i = 0; (doc = builtin_doc(i)) != NULL; i++) {
        suggest_offer(&suggestion, str_of(doc->name));
    }
    explain_offer_variables(&suggestion);
    explain_offer_topics(&suggestion);
    explain_offer_attributes(run, topic, &suggestion);
    explain_offer_modules(run, topic, &suggestion);
    return suggestion.best;
}

static ExitStatus fail_unknown(Run *run, Str topic) {
    const Str code = code_of(run->arena, topic);
    if (code.len > 0) {
        return command_fail(run, STATUS_USAGE, str_format(run->arena, "no message has the code `%.*s`", STR_ARG(code)),
                            STR("codes with a number near it are about other things: search with words of the message, "
                                "as in `dtc explain placement group`"));
    }
    const Str best = nearest_topic(run, topic);
    Str nearest;
    const Str absent = best.len > 0 ? STR_NONE : explain_absent_word(run, topic, &nearest);
    Str hint = STR("`dtc help explain` lists what there is to ask for");
    if (best.len > 0) {
        hint = str_format(run->arena, "did you mean `dtc explain %.*s`?", STR_ARG(best));
    } else if (str_find(topic, STR("."), 0) < topic.len && str_find(topic, STR("xlarge"), 0) < topic.len) {
        hint = STR("`dtc instances` lists the instance types that dtc knows; `--schema` brings more");
    } else if (absent.len > 0 && nearest.len > 0) {
        hint = str_format(run->arena, "no text has the word `%.*s`: did you mean `%.*s`?", STR_ARG(absent),
                          STR_ARG(nearest));
    } else if (absent.len > 0) {
        hint = str_format(run->arena, "no text has the word `%.*s`; `dtc help explain` lists what there is to ask for",
                          STR_ARG(absent));
    }
    return command_fail(run, STATUS_USAGE, str_format(run->arena, "nothing is called `%.*s`", STR_ARG(topic)), hint);
}

// The operands as one text: "placement group"; `sign` stands between them.
static Str joined(const Run *run, char sign) {
    StrBuf text = { .arena = run->arena };
    for (uint32_t i = 0; i < run->operand_count; i++) {
        if (i > 0) {
            strbuf_add_char(&text, sign);
        }
        strbuf_add(&text, run->operands[i]);
    }
    return strbuf_str(&text);
}

// Several codes, one after the other. False, and nothing printed, where one of them is none.
static bool explain_codes(Run *run) {
    for (uint32_t i = 0; i < run->operand_count; i++) {
        if (diag_find(code_of(run->arena, run->operands[i])) == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < run->operand_count; i++) {
        strbuf_add(&run->out, i == 0 ? STR_NONE : STR("\n"));
        explain_code(run, run->operands[i]);
    }
    return true;
}

ExitStatus command_explain(Run *run) {
    static bool (*const TOPICS[])(Run * run, Str topic) = {
        explain_code,     explain_kind,     explain_attribute,       explain_instance, explain_pattern,
        explain_function, explain_constant, explain_schema_constant, explain_quota,    explain_list,
        explain_library,  explain_variable, explain_topic,
    };
    const Str topic = joined(run, ' ');
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    for (size_t i = 0; i < COUNT_OF(TOPICS); i++) {
        if (TOPICS[i](run, topic)) {
            return STATUS_CLEAN;
        }
    }
    if (explain_codes(run)) {
        return STATUS_CLEAN;
    }
    ExitStatus status;
    if (explain_line(run, topic, &status)) {
        return status;
    }
    const bool is_attribute = run->operand_count == 2 && explain_attribute(run, joined(run, '.'));
    const bool is_found = is_attribute || (code_of(run->arena, topic).len == 0 && explain_search(run, topic));
    return is_found ? STATUS_CLEAN : fail_unknown(run, topic);
}
