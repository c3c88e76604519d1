// Rules about how much a CloudFormation template may hold, and what its entries may be called. Templates that dtc makes are
// held against the same limits when they are finished.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "schema/limits.h"

typedef struct {
    PlanNamedKind kind;
    const char *section;
    const char *what; // in the plural
} SectionRow;

// Of conditions the documentation names neither a limit nor a form.
static const SectionRow SECTION_ROWS[] = {
    { NAMED_PARAMETER, "Parameters", "parameters" },
    { NAMED_RESOURCE, "Resources", "resources" },
    { NAMED_OUTPUT, "Outputs", "outputs" },
};

static int64_t most_of(PlanNamedKind kind) {
    return schema_constant(kind == NAMED_PARAMETER  ? CONSTANT_TEMPLATE_PARAMETERS_MAX
                           : kind == NAMED_RESOURCE ? CONSTANT_TEMPLATE_RESOURCES_MAX
                                                    : CONSTANT_TEMPLATE_OUTPUTS_MAX);
}

static const SectionRow *row_of(PlanNamedKind kind) {
    for (size_t i = 0; i < COUNT_OF(SECTION_ROWS); i++) {
        if (SECTION_ROWS[i].kind == kind) {
            return &SECTION_ROWS[i];
        }
    }
    return NULL;
}

// ---- how much ----------------------------------------------------------------------------------------------------

static Str name_of_file(const Rules *rules, const PlanNamed *named) {
    return str_after_last(source_get(rules->session, named->span.source)->path, '/');
}

// At the first one that is too many.
static void check_counts(const Rules *rules, const PlanTemplate *template) {
    int64_t counts[NAMED_KIND_COUNT] = { 0 };
    const PlanNamed *first_beyond[NAMED_KIND_COUNT] = { 0 };
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        counts[named->kind]++;
        if (row_of(named->kind) != NULL && counts[named->kind] == most_of(named->kind) + 1) {
            first_beyond[named->kind] = named;
        }
    }
    for (size_t i = 0; i < COUNT_OF(SECTION_ROWS); i++) {
        const SectionRow *row = &SECTION_ROWS[i];
        const PlanNamed *named = first_beyond[row->kind];
        if (named != NULL) {
            Diag *diag = plan_report(rules->session, named->subject, named->span, DIAG(template_too_many),
                                     STR_ARG(name_of_file(rules, named)), (size_t)counts[row->kind], row->what,
                                     most_of(row->kind));
            diag_help(rules->session, diag, "split the template into several stacks");
        }
    }
}

static void check_mappings(const Rules *rules, const PlanTemplate *template) {
    const uint32_t count =
        template->mappings != NULL && template->mappings->kind == DATA_MAP ? template->mappings->count : 0;
    if (count > LIMIT_TEMPLATE_MAPPINGS_MAX && template->named.count > 0) {
        const PlanNamed *named = template->named.items[0];
        Diag *diag = plan_report(rules->session, named->subject,
                                 template->mappings->entries[LIMIT_TEMPLATE_MAPPINGS_MAX].key_span,
                                 DIAG(template_too_many), STR_ARG(name_of_file(rules, named)), (size_t)count,
                                 "mappings", (int64_t)LIMIT_TEMPLATE_MAPPINGS_MAX);
        diag_help(rules->session, diag, "split the template into several stacks");
    }
}

static void check_description(const Rules *rules, const PlanTemplate *template) {
    const Data *description = template->description;
    const Str text = description != NULL && description->kind == DATA_STRING ? description->string : STR_NONE;
    if (text.len > LIMIT_TEMPLATE_DESCRIPTION_MAX && template->named.count > 0) {
        const PlanNamed *named = template->named.items[0];
        Diag *diag = plan_report(rules->session, named->subject, description->span, DIAG(template_too_many),
                                 STR_ARG(name_of_file(rules, named)), text.len, "bytes of description",
                                 (int64_t)LIMIT_TEMPLATE_DESCRIPTION_MAX);
        diag_help(rules->session, diag, "write a shorter one, and the rest into a comment");
    }
}

static void check_size(const Rules *rules, const PlanNamed *named) {
    const size_t size = source_get(rules->session, named->span.source)->text.len;
    const size_t most = (size_t)schema_constant(CONSTANT_TEMPLATE_URL_BYTES_MAX);
    if (size > most) {
        Diag *diag = plan_report(rules->session, named->subject, named->span, DIAG(template_too_large),
                                 STR_ARG(name_of_file(rules, named)), size, most);
        diag_help(rules->session, diag, "split the template into several stacks");
    }
}

// ---- what it is called -------------------------------------------------------------------------------------------

static bool is_alphanumeric(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        if (!char_is_digit(c) && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
            return false;
        }
    }
    return true;
}

// Other programs fill in names that have such signs.
static bool is_filled_in(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (strchr("{}<>$%@[]()", name.data[i]) != NULL) {
            return true;
        }
    }
    return false;
}

// `TrainLogs` of `Train-logs`.
static Str without_signs(Arena *arena, Str name) {
    StrBuf bare = { .arena = arena };
    bool is_behind = false;
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        if (is_alphanumeric(str_slice(name, i, i + 1))) {
            const bool is_small = c >= 'a' && c <= 'z';
            strbuf_add_char(&bare, is_behind && is_small ? (char)(c - 'a' + 'A') : c);
            is_behind = false;
        } else {
            is_behind = true;
        }
    }
    return strbuf_str(&bare);
}

// Writes another name in all places, or in none: not in the text of Fn::Sub, not one that is there already, and not where
// a text is the same, which may be a name that AWS gets.
static void rename_all(const Rules *rules, const PlanTemplate *template, Diag *diag, const PlanNamed *named, Str name) {
    bool is_free = char_is_digit(str_at(name, 0)) == char_is_digit(str_at(named->name, 0));
    for (uint32_t i = 0; is_free && i < template->named.count; i++) {
        is_free = !str_equal(template->named.items[i]->name, name);
    }
    for (uint32_t i = 0; is_free && i < template->uses.count; i++) {
        is_free = template->uses.items[i]->to != named || template->uses.items[i]->kind != USE_TEXT;
    }
    if (!is_free) {
        return;
    }
    uint32_t wanted = diag->fixes.count + 1;
    rule_replace(rules, diag, named->span, named->name, name);
    for (uint32_t i = 0; i < template->uses.count; i++) {
        if (template->uses.items[i]->to == named) {
            wanted++;
            rule_replace(rules, diag, template->uses.items[i]->span, named->name, name);
        }
    }
    diag->fixes.count = diag->fixes.count == wanted ? wanted : 0;
}

static void check_name(const Rules *rules, const PlanTemplate *template, const PlanNamed *named) {
    const SectionRow *row = row_of(named->kind);
    if (row == NULL || is_alphanumeric(named->name) || is_filled_in(named->name)) {
        return;
    }
    Diag *diag = plan_report(rules->session, named->subject, named->span, DIAG(name_alphanumeric), STR_ARG(named->name),
                             row->section);
    const Str bare = without_signs(rules->session->arena, named->name);
    if (str_has(source_text(rules->session, named->span), "${")) {
        diag_help(rules->session, diag, "write `&{...}` for `${...}`: it leaves such signs of the loop's item out");
        rule_replace_part(rules, diag, named->span, STR("${"), STR("&{"));
    } else if (bare.len > 0) {
        diag_help(rules->session, diag, "write `%.*s`, also where it is used", STR_ARG(bare));
        rename_all(rules, template, diag, named, bare);
    }
}

// What a macro makes of the entries, nobody knows.
void rule_template_limits(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL || template->named.count == 0) {
        return;
    }
    check_size(rules, template->named.items[0]);
    if (template->is_open) {
        return;
    }
    check_counts(rules, template);
    check_description(rules, template);
    check_mappings(rules, template);
    for (uint32_t i = 0; i < template->named.count; i++) {
        check_name(rules, template, template->named.items[i]);
    }
}
