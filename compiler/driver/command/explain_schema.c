// What the schema says about kinds, their attributes, pattern types, constants and quotas, for `dtc explain`.
#include "compiler/driver/command/explain.h"
#include "compiler/base/suggest.h"
#include "compiler/driver/output/print.h"
#include "schema/instances.h"

// "batch, eks"; a target whose emitter does not write the attribute yet has a star.
static Str targets_text(Arena *arena, unsigned targets, unsigned later) {
    StrBuf text = { .arena = arena };
    for (int i = 0; i < TARGET_COUNT; i++) {
        const TargetSet target = (TargetSet)(1U << i);
        if (((targets | later) & target) != 0) {
            strbuf_add_format(&text, "%s%s%s", text.len > 0 ? ", " : "", schema_target_name(target),
                              (later & target) != 0 ? "*" : "");
        }
    }
    return strbuf_str(&text);
}

static const char *default_text(const AttributeRow *row) {
    if (row->is_required) {
        return "required";
    }
    return row->default_text[0] != '\0' ? row->default_text : "-";
}

static void print_attribute_entry(StrBuf *out, const AttributeRow *row) {
    strbuf_add_format(out, "  %s : %s", row->name, row->type->name);
    strbuf_add_format(out,
                      row->is_required               ? ", required\n"
                      : row->default_text[0] != '\0' ? " = %s\n"
                                                     : "\n",
                      row->default_text);
    print_wrapped(out, str_of(row->doc), 6);
    strbuf_add_format(out, "      for: %.*s\n", STR_ARG(targets_text(out->arena, row->targets, row->later)));
}

static void print_parents(StrBuf *out, const KindRow *kind) {
    StrBuf text = { .arena = out->arena };
    for (int i = 0; i < KIND_COUNT; i++) {
        if ((kind->parents >> i & 1) != 0) {
            strbuf_add_format(&text, "%s`%s`", text.len > 0 ? " or " : "", KIND_ROWS[i].name);
        }
    }
    if (kind->is_nested && text.len > 0) {
        strbuf_add_char(out, '\n');
        print_wrapped(out,
                      str_format(out->arena, "Stands inside %.*s%s; at file level it is there for `like` alone.",
                                 STR_ARG(strbuf_str(&text)), kind->is_singleton ? ", once and without a name" : ""),
                      0);
    }
}

static void print_outputs(StrBuf *out, const KindRow *kind) {
    if (kind->output_count == 0) {
        return;
    }
    strbuf_add(out, STR("\nwhat other blocks may refer to, as NAME.OUTPUT:\n"));
    for (int i = 0; i < kind->output_count; i++) {
        const OutputRow *row = &kind->outputs[i];
        strbuf_add_format(out, "  %s : %s\n", row->name, row->type->name);
        print_wrapped(out, str_of(row->doc), 6);
    }
}

// "yes", "later" for what no emitter writes yet, or "-", in columns as wide as the names of the targets.
static void print_target_row(StrBuf *out, Str name, int width, unsigned all, unsigned targets, unsigned later) {
    StrBuf line = { .arena = out->arena };
    strbuf_add_format(&line, "  %-*.*s", width, STR_ARG(name));
    for (int i = 0; i < TARGET_COUNT; i++) {
        const TargetSet target = (TargetSet)(1U << i);
        if ((all & target) != 0) {
            strbuf_add_format(&line, "  %-*s", (int)strlen(schema_target_name(target)),
                              (targets & target) != 0 ? "yes"
                              : (later & target) != 0 ? "later"
                                                      : "-");
        }
    }
    Str text = strbuf_str(&line);
    while (str_ends_with(text, STR(" "))) {
        text = str_slice(text, 0, text.len - 1);
    }
    strbuf_add_format(out, "%.*s\n", STR_ARG(text));
}

typedef void VisitTargets(void *context, Str name, unsigned targets, unsigned later);

// Each attribute of `kind`, and `NAME = WORD` for each word of its that has targets of its own.
static void each_with_targets(Arena *arena, const KindRow *kind, VisitTargets *visit, void *context) {
    for (int i = 0; i < kind->attribute_count; i++) {
        const AttributeRow *row = &kind->attributes[i];
        visit(context, str_of(row->name), row->targets, row->later);
        for (int k = 0; row->type->kind == TYPE_UNION && k < row->type->option_count; k++) {
            const Type *option = row->type->options[k];
            if (option->kind == TYPE_WORD && (option->targets | option->later) != 0) {
                visit(context, str_format(arena, "%s = %s", row->name, option->name), option->targets, option->later);
            }
        }
    }
}

typedef struct {
    StrBuf *out;
    int width;
    unsigned all;   // targets that have the kind
    bool is_uneven; // one has what another lacks
} TargetTable;

static void measure_target_row(void *context, Str name, unsigned targets, unsigned later) {
    (void)later;
    TargetTable *table = context;
    table->width = (int)name.len > table->width ? (int)name.len : table->width;
    table->is_uneven = table->is_uneven || (targets & table->all) != table->all;
}

static void add_target_row(void *context, Str name, unsigned targets, unsigned later) {
    TargetTable *table = context;
    print_target_row(table->out, name, table->width, table->all, targets, later);
}

// Which attribute counts where, for a kind that is not the same on all of its targets.
static void print_target_table(StrBuf *out, const KindRow *kind) {
    TargetTable table = { .out = out, .all = kind->targets };
    each_with_targets(out->arena, kind, measure_target_row, &table);
    if (!table.is_uneven) {
        return;
    }
    strbuf_add_format(out, "\nwhich counts where:\n  %*s", table.width, "");
    for (int i = 0; i < TARGET_COUNT; i++) {
        const TargetSet target = (TargetSet)(1U << i);
        if ((table.all & target) != 0) {
            strbuf_add_format(out, "  %s", schema_target_name(target));
        }
    }
    strbuf_add_char(out, '\n');
    each_with_targets(out->arena, kind, add_target_row, &table);
}

bool explain_kind(Run *run, Str topic) {
    const KindRow *kind = schema_kind(topic);
    if (kind == NULL) {
        return false;
    }
    StrBuf *out = &run->out;
    bool has_later = false;
    strbuf_add_format(out, "%s\n\n", kind->name);
    print_wrapped(out, str_of(kind->doc), 0);
    print_parents(out, kind);
    strbuf_add(out, STR("\nattributes:\n"));
    for (int i = 0; i < kind->attribute_count; i++) {
        print_attribute_entry(out, &kind->attributes[i]);
        has_later = has_later || kind->attributes[i].later != 0;
    }
    print_outputs(out, kind);
    print_target_table(out, kind);
    if (has_later) {
        strbuf_add(out, STR("\n* taken by the language, not yet written by this version\n"));
    }
    return true;
}

// Words and tags of a type, however deep: each with what it means.
static void print_words(StrBuf *out, const Type *type) {
    switch (type->kind) {
    case TYPE_UNION:
        for (int i = 0; i < type->option_count; i++) {
            print_words(out, type->options[i]);
        }
        break;
    case TYPE_LIST:
    case TYPE_MAP:
        print_words(out, type->element);
        break;
    case TYPE_WORD:
    case TYPE_TAG:
        if (type->doc != NULL) {
            const bool is_elsewhere = (type->targets | type->later) != 0;
            const Str targets = is_elsewhere ? targets_text(out->arena, type->targets, type->later) : STR_NONE;
            const Str doc =
                is_elsewhere ? str_format(out->arena, "%s (for %.*s)", type->doc, STR_ARG(targets)) : str_of(type->doc);
            print_labelled(out, str_format(out->arena, "  %s:", type->name), 4, doc);
        }
        break;
    case TYPE_PATTERN:
        strbuf_add_format(out, "  %s: such as \"%s\"; see `dtc explain %s`\n", type->name, type->pattern->example,
                          type->pattern->name);
        break;
    case TYPE_ANY:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_STRING:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
    case TYPE_BLOCK:
        break;
    }
}

static void print_attribute(StrBuf *out, const KindRow *kind, const AttributeRow *row) {
    strbuf_add_format(out, "%s.%s\n\n", kind->name, row->name);
    print_wrapped(out, str_of(row->doc), 0);
    strbuf_add_char(out, '\n');
    print_labelled(out, STR("  type     "), 11, str_of(row->type->name));
    print_labelled(out, STR("  default  "), 11, str_of(default_text(row)));
    if (row->null_means != NULL) {
        const Str null =
            str_format(out->arena, "not through a name: %s%s%s%s", row->null_means,
                       row->null_word == NULL ? "" : "; write `?? ", row->null_word == NULL ? "" : row->null_word,
                       row->null_word == NULL ? "" : "` behind an id that may be null");
        print_labelled(out, STR("  null     "), 11, null);
    }
    print_labelled(out, STR("  for      "), 11, targets_text(out->arena, row->targets, row->later));
    if (row->source != NULL) {
        print_labelled(out, STR("  source   "), 11, str_of(row->source));
    }
    StrBuf words = { .arena = out->arena };
    print_words(&words, row->type);
    if (words.len > 0) {
        strbuf_add_char(out, '\n');
        strbuf_add(out, strbuf_str(&words));
    }
    if (row->later != 0) {
        strbuf_add(out, STR("\n* taken by the language, not yet written by this version\n"));
    }
}

bool explain_attribute(Run *run, Str topic) {
    const size_t dot = str_find(topic, STR("."), 0);
    const KindRow *kind = schema_kind(str_slice(topic, 0, dot));
    const int number = kind == NULL ? -1 : schema_attribute(kind, str_slice(topic, dot + 1, topic.len));
    if (number < 0) {
        return false;
    }
    print_attribute(&run->out, kind, &kind->attributes[number]);
    return true;
}

// "efa" is offered as "nodes.efa": the longer name is given as near as the shorter one is.
void explain_offer_attributes(Run *run, Str topic, Suggestion *suggestion) {
    for (int k = 0; k < KIND_COUNT; k++) {
        for (int i = 0; i < KIND_ROWS[k].attribute_count; i++) {
            const char *name = KIND_ROWS[k].attributes[i].name;
            const Str full = str_format(run->arena, "%s.%s", KIND_ROWS[k].name, name);
            if (str_is(topic, name) && suggestion->best.len == 0) {
                suggestion->best = full;
                suggestion->distance = 0;
            }
            const Str before = suggestion->best;
            suggest_offer(suggestion, str_of(name));
            if (str_is(suggestion->best, name) && !str_equal(suggestion->best, before)) {
                suggestion->best = full;
            }
            suggest_offer(suggestion, full);
        }
    }
}

bool explain_pattern(Run *run, Str topic) {
    const PatternRow *row = schema_pattern(topic);
    if (row == NULL) {
        return false;
    }
    StrBuf *out = &run->out;
    strbuf_add_format(out, "%s\n\n", row->name);
    print_wrapped(out, str_of(row->doc), 0);
    strbuf_add_char(out, '\n');
    strbuf_add_format(out, "  example         \"%s\"\n", row->example);
    if (row->counterexample != NULL) {
        strbuf_add_format(out, "  refused         \"%s\"\n", row->counterexample);
    }
    strbuf_add_format(out, "  pattern         %s\n", row->pattern);
    strbuf_add_format(out, "  CloudFormation  %s\n", row->cfn_type);
    print_labelled(out, STR("  source          "), 18, str_of(row->source));
    return true;
}

bool explain_schema_constant(Run *run, Str topic) {
    const ConstantRow *row = schema_constant_row(topic);
    if (row == NULL) {
        return false;
    }
    StrBuf *out = &run->out;
    strbuf_add_format(out, "%s = %" PRId64 "%s%s\n\n", row->name, row->value, row->unit[0] != '\0' ? " " : "",
                      row->unit);
    print_wrapped(out, str_of(row->doc), 0);
    strbuf_add_char(out, '\n');
    print_labelled(out, STR("  source  "), 10, str_of(row->source));
    return true;
}

static const char *market_text(Market market) {
    switch (market) {
    case MARKET_ON_DEMAND:
        return "Running on demand at once, in one region. Capacity reservations count, used or not.";
    case MARKET_SPOT:
        return "Running on Spot at once, in one region, requests that are open among them.";
    case MARKET_BLOCK:
        return "In Capacity Blocks that are active at once, in one region. It is asked for when a block is bought, not "
               "at launch.";
    }
    return "";
}

static Str families_of(Arena *arena, const QuotaRow *quota) {
    StrBuf text = { .arena = arena };
    const char *before = "";
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) { // sorted by name, and so by family
        const InstanceRow row = schema_own_row(i);
        bool is_counted = schema_sold(&row, quota->market) == 1 && schema_quota(&row, quota->market) == quota;
        if (is_counted && !str_is(str_of(row.family), before)) {
            strbuf_add_format(&text, "%s%s", text.len == 0 ? "" : ", ", row.family);
            before = row.family;
        }
    }
    return strbuf_str(&text);
}

bool explain_quota(Run *run, Str topic) {
    const QuotaRow *row = schema_quota_row(topic);
    if (row == NULL) {
        return false;
    }
    StrBuf *out = &run->out;
    strbuf_add_format(out, "%s: %s, in vCPUs\n\n", row->code, row->name);
    print_wrapped(out, str_of(market_text(row->market)), 0);
    strbuf_add_char(out, '\n');
    print_labelled(out, STR("  families  "), 12, families_of(out->arena, row));
    print_labelled(out, STR("  source    "), 12, str_of(row->source));
    strbuf_add_format(out,
                      "\nYours, and how to ask for more:\n"
                      "  aws service-quotas get-service-quota --service-code ec2 --quota-code %s\n"
                      "  aws service-quotas request-service-quota-increase --service-code ec2 --quota-code %s "
                      "--desired-value N\n",
                      row->code, row->code);
    return true;
}
