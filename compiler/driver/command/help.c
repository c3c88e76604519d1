// `dtc help` and `dtc version`: printed from the tables of commands and options.
#include "compiler/driver/command/command.h"
#include "compiler/driver/output/print.h"
#include "compiler/base/version.h"

#include "compiler/base/suggest.h"

enum { LABEL_WIDTH = 24 }; // of the left column

static void add_entry(Run *run, StrBuf *out, Str left, const char *text) {
    const size_t width = print_columns(left) + 2;
    StrBuf label = { .arena = run->arena };
    strbuf_add_format(&label, "  %.*s", STR_ARG(left));
    if (width + 1 < LABEL_WIDTH) {
        strbuf_add_repeated(&label, ' ', LABEL_WIDTH - width);
        print_labelled(out, strbuf_str(&label), LABEL_WIDTH, str_of(text));
    } else {
        strbuf_add(out, strbuf_str(&label));
        strbuf_add_char(out, '\n');
        print_wrapped(out, str_of(text), LABEL_WIDTH);
    }
}

void help_overview(Run *run, StrBuf *out) {
    strbuf_add(out, STR("usage: dtc COMMAND [OPTIONS] [OPERANDS]\n\n"));
    print_wrapped(
        out,
        STR("Compiles descriptions of clusters for distributed training on AWS into CloudFormation templates, "
            "and checks before the build what AWS would refuse half an hour later."),
        0);
    strbuf_add(out, STR("\ncommands:\n"));
    for (int i = 0; i < COMMAND_ROW_COUNT; i++) {
        const CommandRow *row = &COMMAND_ROWS[i];
        add_entry(run, out,
                  str_format(run->arena, "%s%s%s", row->name, row->operands[0] != '\0' ? " " : "", row->operands),
                  row->summary);
    }
    strbuf_add(out, STR("\n`dtc help COMMAND` has the options. The language is described in dt(5).\n"));
}

void help_command(Run *run, const CommandRow *row) {
    StrBuf *out = &run->out;
    strbuf_add_format(out, "usage: dtc %s%s%s%s\n\n", row->name, row->options != 0 ? " [OPTIONS]" : "",
                      row->operands[0] != '\0' ? " " : "", row->operands);
    print_wrapped(out, str_of(row->text), 0);
    if (row->options == 0) {
        return;
    }
    strbuf_add(out, STR("\noptions:\n"));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if ((row->options & OPTION_BIT(id)) != 0) {
            add_entry(run, out, option_describe(run->arena, (OptionId)id), OPTION_ROWS[id].doc);
        }
    }
}

ExitStatus command_help(Run *run) {
    if (run->operand_count == 0) {
        help_overview(run, &run->out);
        return STATUS_CLEAN;
    }
    const CommandRow *row = command_find(run->operands[0]);
    if (row != NULL) {
        help_command(run, row);
        return STATUS_CLEAN;
    }
    Suggestion suggestion = { .name = run->operands[0] };
    for (int i = 0; i < COMMAND_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(COMMAND_ROWS[i].name));
    }
    return command_fail(
        run, STATUS_USAGE, str_format(run->arena, "there is no command `%.*s`", STR_ARG(run->operands[0])),
        suggestion.best.len > 0 ? str_format(run->arena, "did you mean `dtc help %.*s`?", STR_ARG(suggestion.best))
                                : str_format(run->arena, "`dtc explain %.*s` may know it", STR_ARG(run->operands[0])));
}

ExitStatus command_version(Run *run) {
    strbuf_add_format(&run->out, "dtc %s (dt language, edition " DTC_EDITION ")\n", run->build);
    return STATUS_CLEAN;
}
