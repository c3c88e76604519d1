// Looks for placeholders in the texts of a file that somebody else wrote. The text is searched as it stands there, since
// a value that a parameter replaces is none of the deployment's. Each placeholder is said once.
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/value/kind_forms.h"
#include "schema/names.h"

// What was found in one file.
typedef struct {
    Str text;
    DiagId id;
    Span span; // where it stands first
    const Subject *subject;
    bool wants_sub;  // CloudFormation would fill it in, and nothing tells it to
    bool is_default; // of a parameter
    uint32_t count;
} Found;

// How far a scalar was looked at: in what it means, and in how it is written.
typedef struct {
    const Data *data;
    size_t offset;
    size_t at;
} Reached;

typedef struct {
    const Rules *rules;
    const PlanFile *file;
    const PlanPiece *piece;
    Str type;        // of the piece, as rows of properties have it (resource_types.h)
    Reached reached; // placeholders of a text come in order, so that none is looked for from its start
    bool is_page;    // a policy that a page for readers shows
    StrMap needed;   // parameters that are used whatever the conditions are, to themselves; see find_needed()
    VEC(Found *) found;
    StrMap by_text; // by their text
} Search;

// Where a text goes: what its keys say of it.
typedef struct {
    TextUse use;
    bool is_sub;       // CloudFormation fills it in
    bool is_user_data; // of an instance
    Str outer;         // the key of the map around
    Str key;           // that of the text, or of the list that it is in
    bool is_base64;    // the text of `Fn::Base64` itself: rule launch_substitution reads that of user data
} TextPlace;

typedef struct {
    Str key;
    TextUse use;
} UseRow;

// Keys whose texts a program reads, in any of the forms.
static const UseRow USE_ROWS[] = {
    { STR("BuildSpec"), TEXT_SCRIPT },
    { STR("Command"), TEXT_SCRIPT },
    { STR("Content"), TEXT_SCRIPT },
    { STR("Definition"), TEXT_SCRIPT },
    { STR("EntryPoint"), TEXT_SCRIPT },
    { STR("Environment"), TEXT_VALUE },
    { STR("Fn::Sub"), TEXT_VALUE },
    { STR("InputTemplate"), TEXT_SCRIPT },
    { STR("LogFormat"), TEXT_VALUE },
    { STR("Parameters"), TEXT_VALUE },
    { STR("PolicyDocument"), TEXT_VALUE },
    { STR("UserData"), TEXT_SCRIPT },
    { STR("ZipFile"), TEXT_SCRIPT },
    { STR("args"), TEXT_SCRIPT },
    { STR("command"), TEXT_SCRIPT },
    { STR("data"), TEXT_SCRIPT },
    { STR("preBootstrapCommands"), TEXT_SCRIPT },
    { STR("overrideBootstrapCommand"), TEXT_SCRIPT },
};

// Keys whose texts nobody but a reader takes, or that say what a text may be. A secret of a template is one to be
// replaced.
static const Str PROSE_KEYS[] = {
    STR("AllowedPattern"), STR("AllowedValues"), STR("ConstraintDescription"), STR("Description"),
    STR("description"),    STR("Metadata"),      STR("SecretString"),          STR("TemplateBody"),
    STR("_example"), // of a ConfigMap: what may stand beside it
};

static bool is_prose(Str key) {
    for (size_t i = 0; i < COUNT_OF(PROSE_KEYS); i++) {
        if (str_equal(key, PROSE_KEYS[i])) {
            return true;
        }
    }
    return str_ends_with(key, STR(".md"));
}

static TextPlace place_under(TextPlace place, Str key) {
    for (size_t i = 0; i < COUNT_OF(USE_ROWS); i++) {
        if (str_equal(key, USE_ROWS[i].key) && USE_ROWS[i].use < place.use) {
            place.use = USE_ROWS[i].use;
        }
    }
    // Of a function that there is not, another rule says so, and nobody knows what it fills in.
    const bool is_unknown = str_starts_with(key, STR("Fn::")) && !names_have(NAMES_CLOUDFORMATION_FUNCTIONS, key);
    place.use = is_unknown && TEXT_VALUE < place.use ? TEXT_VALUE : place.use;
    place.is_sub = place.is_sub || str_is(key, "Fn::Sub") || is_unknown;
    place.is_user_data = place.is_user_data || str_is(key, "UserData");
    place.is_base64 = str_is(key, "Fn::Base64");
    place.outer = place.key;
    place.key = key;
    return place;
}

// The place inside of the scalar, where that spells it the same way; else the whole scalar. It may stand there before,
// in a comment.
static Span narrow(Search *search, const Data *data, Str text) {
    const Str written = source_text(search->rules->session, data->span);
    const size_t offset = (size_t)(text.data - data->string.data);
    const size_t quotes = written.len - data->string.len; // of a text without escapes: none or two
    if (quotes == 0 || quotes == 2) {
        const uint32_t start = data->span.start + (uint32_t)(offset + quotes / 2);
        const Span same = { .source = data->span.source, .start = start, .end = start + (uint32_t)text.len };
        if (str_equal(source_text(search->rules->session, same), text)) {
            return same;
        }
    }
    const bool is_on = search->reached.data == data && search->reached.offset <= offset;
    const Reached from = is_on ? search->reached : (Reached){ .data = data };
    size_t at = str_find(written, text, from.at);
    for (size_t i = str_find(data->string, text, from.offset); i < offset && at < written.len;) {
        at = str_find(written, text, at + 1);
        i = str_find(data->string, text, i + 1);
    }
    if (at == written.len) {
        return data->span;
    }
    search->reached = (Reached){ .data = data, .offset = offset, .at = at };
    const uint32_t start = data->span.start + (uint32_t)at;
    return (Span){ .source = data->span.source, .start = start, .end = start + (uint32_t)text.len };
}

// By a script beside the file, or by whoever renders a file of such a name.
static bool is_filled_in(const Plan *plan, Str placeholder) {
    return plan->is_to_render || placeholder_is_filled_by(&plan->fillers, placeholder);
}

// `$NAME` is one word to whoever mends it, and so is `<<NAME>>`.
static Str with_sign(const Data *data, Str text) {
    const bool is_inside = text.data > data->string.data;
    const bool is_behind = is_inside && text.data[-1] == '$' && char_is_of_name(text.data[0]);
    const char *end = data->string.data + data->string.len;
    const bool is_twice = is_inside && text.data[0] == '<' && text.data[-1] == '<' && text.data + text.len < end &&
                          text.data[text.len] == '>';
    return is_behind  ? (Str){ .data = text.data - 1, .len = text.len + 1 }
           : is_twice ? (Str){ .data = text.data - 1, .len = text.len + 2 }
                      : text;
}

static void find_needed(Search *search) {
    const PlanTemplate *template = search->file->names;
    search->needed = (StrMap){ .arena = search->rules->session->arena };
    for (uint32_t i = 0; template != NULL && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_given = use->from != NULL && use->from->kind == NAMED_RESOURCE && use->guard == NULL;
        if (is_given && use->to != NULL && str_map_get(&search->needed, use->to->name) == NULL) {
            str_map_add(&search->needed, use->to->name, use->to);
        }
    }
}

// Whether an example is the default of a parameter that is not used by itself, or that a stack around it gives a value.
static bool is_optional(const Search *search, const Data *data) {
    const PlanTemplate *template = search->file->names;
    if (!str_is(search->piece->key, "Parameters") || template == NULL) {
        return false;
    }
    const Data *parameters = search->piece->data;
    for (uint32_t i = 0; parameters->kind == DATA_MAP && i < parameters->count; i++) {
        if (data_get(parameters->entries[i].value, "Default") == data) {
            return search->rules->plan->is_nested || str_map_get(&search->needed, parameters->entries[i].key) == NULL;
        }
    }
    return false;
}

static void add(Search *search, const Data *data, Str found_text, DiagId id, bool wants_sub) {
    const Subject *subject = search->piece->subject;
    if (id == DIAG_example_id && is_optional(search, data)) {
        return;
    }
    if (plan_allows(subject, id) || (id == DIAG_placeholder && is_filled_in(search->rules->plan, found_text))) {
        return;
    }
    const Str text = id == DIAG_placeholder ? with_sign(data, found_text) : found_text;
    Found *known = str_map_get_mutable(&search->by_text, text);
    if (known != NULL) {
        known->count++;
        return;
    }
    Arena *arena = search->rules->session->arena;
    Found *found = arena_new(arena, Found);
    *found = (Found){ .text = text,
                      .id = id,
                      .span = narrow(search, data, text),
                      .subject = subject,
                      .wants_sub = wants_sub,
                      .is_default = str_is(search->piece->key, "Parameters"),
                      .count = 1 };
    vec_push(arena, &search->found, found);
    str_map_add(&search->by_text, text, found);
}

// The line of a text that is looked at. What is found comes in order, so that no line end is looked for twice.
typedef struct {
    size_t start;
    size_t seen; // no line end behind `start` and before it
} Line;

// A comment of a script, or a line that it prints.
static bool is_said_only(Str text, size_t at, Line *line) {
    for (; line->seen < at; line->seen++) {
        if (text.data[line->seen] == '\n') {
            line->start = line->seen + 1;
        }
    }
    const Str before = str_trim(str_slice(text, line->start, at));
    return str_starts_with(before, STR("#")) || str_starts_with(before, STR("//")) ||
           str_starts_with(before, STR("echo")) || str_starts_with(before, STR("printf"));
}

// `${AWS::Region}` where no Fn::Sub is told to fill it in. Another template may stand in a text of several lines.
static void search_pseudo(Search *search, const Data *data, TextPlace place) {
    const Str text = data->string;
    const bool has_lines = str_find(text, STR("\n"), 0) < text.len;
    const bool is_other_rule =
        place.is_user_data && place.is_base64 && str_starts_with(search->piece->type, STR("AWS::EC2::"));
    const bool is_found_anyway = place.use == TEXT_PLAIN && !has_lines; // with what is called otherwise
    if (search->file->form != FILE_TEMPLATE || place.is_sub || is_other_rule || is_found_anyway ||
        (has_lines && !place.is_user_data)) {
        return;
    }
    for (size_t at = str_find(text, STR("${AWS::"), 0); at < text.len; at = str_find(text, STR("${AWS::"), at + 1)) {
        const size_t end = str_find(text, STR("}"), at);
        if (end < text.len) {
            add(search, data, str_slice(text, at, end + 1), DIAG_placeholder, true);
        }
    }
}

// Whether a name in `${…}` is a parameter or a resource of the template, or an attribute of one.
static bool is_declared(const Search *search, Str name) {
    const PlanTemplate *template = search->file->names;
    const Str first = str_slice(name, 0, str_find(name, STR("."), 0));
    return plan_named(template, NAMED_RESOURCE, first) != NULL ||
           (first.len == name.len && plan_named(template, NAMED_PARAMETER, name) != NULL);
}

// `${Name}` of the template's own where no Fn::Sub is told to fill it in. A text of one line is no script; of these types the
// service itself fills something in.
static void search_declared(Search *search, const Data *data, TextPlace place) {
    const Str text = data->string;
    const Str type = search->piece->type;
    const bool is_entry = type.len > 0 || str_is(search->piece->key, "Outputs");
    const bool fills_in = str_starts_with(type, STR("AWS::StepFunctions::")) ||
                          str_starts_with(type, STR("AWS::Serverless::")) ||
                          str_starts_with(type, STR("AWS::CloudFormation::")) || str_starts_with(type, STR("Custom::"));
    if (search->file->form != FILE_TEMPLATE || search->file->names == NULL || !is_entry || fills_in || place.is_sub ||
        place.is_user_data || place.use != TEXT_VALUE || str_has(text, "\n") || str_has(text, " ")) {
        return;
    }
    for (size_t at = str_find(text, STR("${"), 0); at < text.len; at = str_find(text, STR("${"), at + 1)) {
        const size_t end = str_find(text, STR("}"), at);
        if (end < text.len && is_declared(search, str_slice(text, at + 2, end))) {
            add(search, data, str_slice(text, at, end + 1), DIAG_placeholder, true);
        }
    }
}

// An output may tell its reader a command, with `<FOLDER>` for what the reader knows. A value that another stack takes
// has no blank.
static bool is_for_reader(const Search *search, Str text, size_t at) {
    return str_is(search->piece->key, "Outputs") && text.data[at] == '<' && str_find(text, STR(" "), 0) < text.len;
}

// The quotes of a text, of which none is counted twice.
typedef struct {
    size_t seen;
    size_t last; // behind the last of them
    bool is_open;
} Quotes;

static Quotes quotes_of(Str text) {
    size_t last = text.len;
    while (last > 0 && text.data[last - 1] != '`') {
        last--;
    }
    return (Quotes){ .last = last };
}

// A command that a text tells people: "`kubectl rollout restart -n <your-namespace>`".
static bool is_quoted_command(Str text, size_t at, Quotes *quotes) {
    for (; quotes->seen < at; quotes->seen++) {
        quotes->is_open = quotes->is_open != (text.data[quotes->seen] == '`');
    }
    return quotes->is_open && at < quotes->last;
}

// `${NAME}` of which the template says nothing: somebody puts a value there before CloudFormation reads it.
static bool is_undeclared(const Search *search, Str found) {
    const PlanTemplate *template = search->file->names;
    const Str name = str_slice(found, 2, found.len - 1);
    bool is = str_starts_with(found, STR("${")) && template != NULL && str_find(name, STR(":"), 0) >= name.len;
    for (int kind = 0; is && kind < NAMED_KIND_COUNT; kind++) {
        is = plan_named(template, (PlanNamedKind)kind, name) == NULL;
    }
    return is;
}

// A word of a language, and no key, option or path.
static bool is_plain_word(Str word) {
    size_t end = word.len;
    while (end > 0 && strchr(".,;!?)", word.data[end - 1]) != NULL) {
        end--;
    }
    size_t at = end > 0 && word.data[0] == '(' ? 1 : 0;
    const size_t start = at;
    while (at < end && char_small(word.data[at]) >= 'a' && char_small(word.data[at]) <= 'z') {
        at++;
    }
    return at == end && at > start;
}

// A sentence around the place tells people what to write: most of its paragraph are words. A script has none so long.
static bool is_in_sentence(Str text, size_t at) {
    enum { WORDS_MIN = 6 };
    size_t start = at;
    while (start > 0 && !(text.data[start - 1] == '\n' && str_at(text, start) == '\n')) {
        start--;
    }
    uint32_t words = 0;
    uint32_t others = 0;
    while (start < text.len && !(start > at && str_starts_with(str_slice(text, start, text.len), STR("\n\n")))) {
        size_t end = start;
        while (end < text.len && strchr(" \t\r\n", text.data[end]) == NULL) {
            end++;
        }
        const Str word = str_slice(text, start, end);
        const bool is_set = start < at && at <= end && str_find(word, STR("="), 0) < word.len; // NAME=<value>
        if (is_set || str_starts_with(word, STR("#"))) {
            return false;
        }
        words += is_plain_word(word) ? 1 : 0;
        others += word.len > 0 && !is_plain_word(word) ? 1 : 0;
        start = end + 1;
    }
    return words >= WORDS_MIN && words * 2 > (words + others) + words / 5;
}

// Whether nothing but an id, an ARN or the name of an image can stand there.
static bool takes_id(const Search *search, TextPlace place) {
    static const char *const KEYS[] = { "image", "Image", "eks.amazonaws.com/role-arn", "volumeHandle", "groupIds" };
    bool takes = str_is_any(place.key, KEYS, COUNT_OF(KEYS));
    const ResourceTakes *row =
        search->type.len == 0 || place.key.len == 0 ? NULL : resource_takes(search->type, place.outer, place.key);
    return takes || (row != NULL && kind_form_is_known(row));
}

// Kubernetes takes no `<` in a label.
static bool is_label(const Search *search, Str text, TextPlace place) {
    static const char *const MAPS[] = { "labels", "matchLabels", "nodeSelector" };
    const bool is_tool = str_is(search->file->tool, "kubernetes") || str_is(search->file->tool, "eksctl");
    size_t start = 0;
    size_t end = 0;
    return is_tool && str_at(text, 0) == '<' && str_is_any(place.outer, MAPS, COUNT_OF(MAPS)) &&
           placeholder_find_angle(text, 0, &start, &end) && start == 0 && end == text.len;
}

// What stands for an id because nothing but one can stand there: `<subnet>`, and `$SUBNET` where it is the one variable of
// the file, and no script beside fills it in. Who writes `${SUBNET}` has read what envsubst takes.
static bool find_stand_in(const Search *search, Str text, TextPlace place, size_t *start, size_t *end) {
    const bool is_variable = str_equal_in_any_case(place.key, STR("value")); // of an environment
    const bool is_words =
        (is_variable && str_at(text, 0) == '<' && placeholder_is_words(text)) || is_label(search, text, place);
    const bool may_be = str_has(text, "<") || str_at(text, 0) == '$';
    if (text.len == 0 || !(is_words || (may_be && takes_id(search, place)))) {
        return false;
    }
    *start = 0;
    *end = text.len;
    return is_words || placeholder_find_angle(text, 0, start, end) ||
           (!str_starts_with(text, STR("${")) && placeholder_is_variable(text) &&
            !search->rules->plan->fillers.has_variables);
}

// A word of a container's command is no script: no shell takes its `<` for a file.
static bool is_word_of_command(Str text, TextPlace place) {
    static const char *const KEYS[] = { "args", "command", "Command", "EntryPoint" };
    return str_is_any(place.key, KEYS, COUNT_OF(KEYS)) && !str_has(text, " ") && !str_has(text, "\t") &&
           !str_has(text, "\n");
}

static void search_text(Search *search, const Data *data, TextPlace given) {
    const Str text = data->string;
    TextPlace place = given;
    place.use = place.use == TEXT_SCRIPT && is_word_of_command(text, place) ? TEXT_VALUE : place.use;
    const bool is_script = place.use == TEXT_SCRIPT || str_find(text, STR("\n"), 0) < text.len;
    const TextUse use = is_script ? TEXT_SCRIPT : place.use;
    size_t start = 0;
    size_t end = 0;
    search_pseudo(search, data, place);
    search_declared(search, data, place);
    Line line = { 0 };
    Quotes quotes = quotes_of(text);
    for (size_t from = 0; placeholder_find(text, use, from, &start, &end); from = end) {
        const bool is_told =
            is_for_reader(search, text, start) || (!is_script && is_quoted_command(text, start, &quotes));
        const bool is_open = is_undeclared(search, str_slice(text, start, end));
        if (!is_told && !is_open && (!is_script || !is_said_only(text, start, &line)) && !is_in_sentence(text, start)) {
            const Str found = str_slice(text, start, end);
            add(search, data, found, DIAG_placeholder, str_starts_with(found, STR("$")));
        }
    }
    if (end == 0 && !is_script && find_stand_in(search, text, place, &start, &end)) {
        add(search, data, str_slice(text, start, end), DIAG_placeholder, false);
    }
    line = (Line){ 0 };
    if (search->is_page) {
        return;
    }
    for (size_t from = 0; placeholder_find_example(text, from, &start, &end); from = end) {
        if (!is_script || !is_said_only(text, start, &line)) {
            add(search, data, str_slice(text, start, end), DIAG_example_id, false);
        }
    }
}

static void search_data(Search *search, const Data *data, TextPlace place) {
    if (data->kind == DATA_STRING || data->kind == DATA_INT) {
        search_text(search, data, place);
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        search_data(search, data->items[i], place);
    }
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        if (!is_prose(entry->key)) {
            search_data(search, entry->value, place_under(place, entry->key));
        }
    }
}

// What rows of properties call the piece.
static Str type_of(const Search *search, const PlanPiece *piece) {
    const Data *version = data_get(piece->data, "apiVersion");
    const Data *kind = data_get(piece->data, "kind");
    if (str_is(search->file->tool, "parallelcluster") || str_is(search->file->tool, "eksctl")) {
        return str_is(search->file->tool, "eksctl") ? STR("ClusterConfig") : STR("ParallelCluster");
    }
    return piece->type.len > 0 || version == NULL || kind == NULL
               ? piece->type
               : str_format(search->rules->session->arena, "%.*s/%.*s", STR_ARG(version->string),
                            STR_ARG(kind->string));
}

// What CloudFormation itself is known to leave as it is.
static TextUse use_of(const PlanPiece *piece) {
    const bool is_plain =
        str_starts_with(piece->type, STR("AWS::EC2::")) || str_starts_with(piece->type, STR("AWS::Batch::"));
    return is_plain ? TEXT_PLAIN : TEXT_VALUE;
}

static Diag *report_found(const Search *search, const Found *found) {
    Session *session = search->rules->session;
    Diag *diag = found->id == DIAG_placeholder
                     ? plan_report(session, found->subject, found->span, DIAG(placeholder), STR_ARG(found->text))
                     : plan_report(session, found->subject, found->span, DIAG(example_id), STR_ARG(found->text));
    if (found->count > 1) {
        diag_note(session, diag, "it stands in this file %" PRIu32 " times", found->count);
    }
    if (found->wants_sub) {
        const bool is_json = str_starts_with(str_trim(source_get(session, found->span.source)->text), STR("{"));
        diag_help(session, diag,
                  is_json ? "write `{\"Fn::Sub\": \"…\"}` around the text, and CloudFormation fills it in"
                          : "write `!Sub` before the text, and CloudFormation fills it in");
    } else if (found->is_default) {
        diag_help(session, diag,
                  "leave `Default` out, and CloudFormation asks for the value; of a String that may be nothing, write "
                  "`Default: ''`");
    } else if (search->file->form == FILE_TEMPLATE) {
        diag_help(session, diag, "write the value, or a `Ref` to a parameter without a default");
    } else {
        diag_help(session, diag, "write the value");
    }
    return diag;
}

enum { NAMED_MAX = 3 }; // examples that a note names

// The first example of a file is said, and the others in its note: whoever fills in one fills in all.
static void report_examples(const Search *search) {
    Session *session = search->rules->session;
    Diag *said = NULL;
    uint32_t others = 0;
    StrBuf names = { .arena = session->arena };
    for (uint32_t i = 0; i < search->found.count; i++) {
        const Found *found = search->found.items[i];
        if (found->id != DIAG_example_id) {
            continue;
        }
        if (diag_at(session, found->id, found->span) != NULL) {
            return; // a template is looked at in several ways
        }
        Diag *diag = report_found(search, found);
        if (diag->is_allowed) {
            continue;
        }
        if (said == NULL) {
            said = diag;
            continue;
        }
        diag_hide(session, diag);
        if (others++ < NAMED_MAX) {
            const Place place = source_place(session, found->span.source, found->span.start);
            strbuf_add_format(&names, "%s`%.*s` at line %" PRIu32, others > 1 ? ", " : "", STR_ARG(found->text),
                              place.line);
        }
    }
    if (others > 0) {
        diag_note(session, said, "so %s %.*s%s", others == 1 ? "is" : "are", STR_ARG(strbuf_str(&names)),
                  others > NAMED_MAX
                      ? str_c(session->arena, str_format(session->arena, ", and %" PRIu32 " more", others - NAMED_MAX))
                      : "");
    }
}

// A manifest that calls itself a template: somebody fills it in before the cluster sees it. A launch template is a thing
// of AWS, and is called so when it is complete.
static bool is_called_template(const Rules *rules, const PlanFile *file) {
    if (file->pieces.count == 0 || !(str_is(file->tool, "kubernetes") || str_is(file->tool, "eksctl"))) {
        return false;
    }
    const uint32_t source = file->pieces.items[0].data->span.source;
    const Str name = str_after_last(source_get(rules->session, source)->path, '/');
    return str_find(name, STR("template"), 0) < name.len;
}

// A policy in a folder of documentation: its reader writes an account of their own into it, and no one applies it as it is.
static bool is_page(const Rules *rules, const PlanFile *file) {
    static const char *const FOLDERS[] = { "docs/", "doc/", "examples/" };
    if (file->pieces.count == 0 || !str_is(file->tool, "iam-policy")) {
        return false;
    }
    const Str path = source_get(rules->session, file->pieces.items[0].data->span.source)->path;
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(FOLDERS); i++) {
        const Str inner = str_format(rules->session->arena, "/%s", FOLDERS[i]);
        is = is || str_starts_with(path, str_of(FOLDERS[i])) || str_find(path, inner, 0) < path.len;
    }
    return is;
}

void rule_file_placeholders(const Rules *rules, const PlanFile *file) {
    if (is_called_template(rules, file)) {
        return;
    }
    Search search = { .rules = rules, .file = file, .by_text = { .arena = rules->session->arena } };
    search.is_page = is_page(rules, file);
    find_needed(&search);
    for (uint32_t i = 0; i < file->pieces.count; i++) {
        search.piece = &file->pieces.items[i];
        search.type = type_of(&search, search.piece);
        if (!is_prose(search.piece->key)) {
            search_data(&search, search.piece->data, (TextPlace){ .use = use_of(search.piece) });
        }
    }
    for (uint32_t i = 0; i < search.found.count; i++) {
        if (search.found.items[i]->id != DIAG_example_id) {
            report_found(&search, search.found.items[i]);
        }
    }
    report_examples(&search);
}
