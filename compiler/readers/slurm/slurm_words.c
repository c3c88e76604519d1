// Takes words of a batch script apart, and puts variables in. It knows what is written plainly: a variable that is set in
// several places, or in a branch, is not known.
#include "compiler/readers/slurm/slurm_words.h"

#include "compiler/plan/model/launcher.h"
#include "compiler/script/shell_amount.h"

enum {
    EXPAND_DEPTH_MAX = 4, // of variables that name each other
    WORDS_MAX = 2000,     // of one command
    VARIABLES_MAX = 1000, // of one script
    EXPANDED_MAX = 1000,  // variables that are put into words of one script
};

Span slurm_place(const SlurmShell *shell, Str part) {
    const bool is_in = part.len > 0 && part.data >= shell->text.data && part.data < shell->text.data + shell->text.len;
    const size_t start = is_in ? (size_t)(part.data - shell->text.data) : 0; // an empty word stands nowhere
    part.len = is_in ? part.len : 0;
    return (Span){ .source = shell->source, .start = (uint32_t)start, .end = (uint32_t)(start + part.len) };
}

// ---- words -----------------------------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Behind blanks, ends of lines that go on, and comments.
static size_t skip_between(Str text, size_t at) {
    while (at < text.len) {
        if (text.data[at] == '#') {
            at = str_find(text, STR("\n"), at);
        } else if (is_blank(text.data[at])) {
            at++;
        } else if (text.data[at] == '\\' && (str_at(text, at + 1) == '\n' || str_at(text, at + 1) == '\r')) {
            at += 2;
        } else {
            break;
        }
    }
    return at;
}

// The end of what begins at a place: a text in quotes, `$(…)`, or one byte.
static size_t end_of_piece(Str text, size_t at) {
    const char first = text.data[at];
    if (first == '\'' || first == '"' || first == '`') {
        size_t end = at + 1;
        while (end < text.len && text.data[end] != first) {
            end += first != '\'' && text.data[end] == '\\' ? 2 : 1;
        }
        return end < text.len ? end + 1 : text.len;
    }
    if (first == '$' && str_at(text, at + 1) == '(') {
        int depth = 0;
        for (size_t end = at + 1; end < text.len; end++) {
            depth += (text.data[end] == '(') - (text.data[end] == ')');
            if (depth == 0) {
                return end + 1;
            }
        }
        return text.len;
    }
    return at + (first == '\\' && at + 1 < text.len ? 2 : 1);
}

static size_t end_of_word(Str text, size_t at) {
    while (at < text.len && !is_blank(text.data[at])) {
        at = end_of_piece(text, at);
    }
    return at;
}

static SlurmWord word_of(Str text) {
    const char quote = str_at(text, 0);
    const bool is_quoted = (quote == '"' || quote == '\'') && text.len > 1 && end_of_piece(text, 0) == text.len &&
                           text.data[text.len - 1] == quote;
    return (SlurmWord){ .text = is_quoted ? str_slice(text, 1, text.len - 1) : text,
                        .quote = is_quoted ? quote : '\0' };
}

void slurm_split(const SlurmShell *shell, Str text, SlurmWords *words) {
    for (size_t at = skip_between(text, 0); at < text.len && words->count < WORDS_MAX; at = skip_between(text, at)) {
        const size_t end = end_of_word(text, at);
        vec_push(shell->arena, words, word_of(str_slice(text, at, end)));
        at = end;
    }
}

// ---- variables -------------------------------------------------------------------------------------------------------

Str slurm_name_in(Str text) {
    const bool is_braced = str_at(text, 1) == '{';
    const size_t start = is_braced ? 2 : 1;
    size_t end = start;
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    const Str rest = str_slice(text, end, text.len);
    const bool is_whole = is_braced ? str_is(rest, "}") || str_is(rest, "[@]}") || str_is(rest, "[*]}") : rest.len == 0;
    return str_at(text, 0) == '$' && is_whole && end > start && !char_is_digit(text.data[start])
               ? str_slice(text, start, end)
               : STR_NONE;
}

static SlurmVariable *find(const SlurmShell *shell, Str name) {
    for (uint32_t i = 0; i < shell->variables.count; i++) {
        if (str_equal(shell->variables.items[i].name, name)) {
            return &shell->variables.items[i];
        }
    }
    return NULL;
}

const SlurmVariable *slurm_variable(const SlurmShell *shell, Str name) {
    return find(shell, name);
}

// The start of a name in a line, behind words that set one; `*is_top` where nothing stands before those.
static size_t start_of_setting(Str line, bool *is_top, bool *is_exported) {
    static const char *const WORDS[] = { "export ",      "declare -a ", "declare -x ", "declare -r ",
                                         "declare -ra ", "declare ",    "readonly " };
    size_t at = 0;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '\t')) {
        at++;
    }
    *is_top = at == 0;
    *is_exported = str_starts_with(str_slice(line, at, line.len), STR("export ")) ||
                   str_starts_with(str_slice(line, at, line.len), STR("declare -x "));
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        at += str_starts_with(str_slice(line, at, line.len), str_of(WORDS[i])) ? strlen(WORDS[i]) : 0;
    }
    return at;
}

// The value that begins at a place of the text. A list goes up to its `)`.
static void read_value(SlurmVariable *variable, Str text, size_t at) {
    variable->is_list = str_at(text, at) == '(';
    if (!variable->is_list) {
        const SlurmWord word = word_of(str_slice(text, at, end_of_word(text, at)));
        variable->raw = word.text;
        variable->is_sure = variable->is_sure && word.quote != '\'';
        return;
    }
    size_t end = at + 1;
    while (end < text.len && text.data[end] != ')') {
        end = text.data[end] == '#' && is_blank(text.data[end - 1]) ? str_find(text, STR("\n"), end)
                                                                    : end_of_piece(text, end);
    }
    variable->raw = str_slice(text, at + 1, end);
}

// Behind `NAME=VALUE` nothing may follow: `NAME=VALUE program` sets it for that program.
static bool ends_command(Str text, Str raw) {
    size_t at = (size_t)(raw.data - text.data) + raw.len;
    while (at < text.len && strchr("\"')", text.data[at]) != NULL) {
        at++;
    }
    while (at < text.len && (text.data[at] == ' ' || text.data[at] == '\t')) {
        at++;
    }
    return at >= text.len || strchr("\n\r#;", text.data[at]) != NULL;
}

// `--auto-resume=1`, or nothing; of a list options alone.
static bool is_idle(const SlurmVariable *variable) {
    static const char *const PARTS[] = { "--n",    "--tasks", "--g", "--rel", "--exclude", "--multi", "--het", "--pack",
                                         "--tres", " -n",     " -N", " -w",   "\n-n",      "\n-N",    "\n-w" };
    const Str raw = str_trim(variable->raw);
    const bool is_word = variable->is_list || (!str_has(raw, " ") && !str_has(raw, "$"));
    bool is = is_word && (raw.len == 0 || str_starts_with(raw, STR("--")));
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        is = is && !str_has(raw, PARTS[i]);
    }
    return is;
}

// `${NAME:=VALUE}` behind `:`, as `: "${NAME:=VALUE}"` has it, up to `}`; empty: the line has none.
static Str fallback_in(Str line) {
    size_t at = 1;
    while (str_at(line, 0) == ':' && at < line.len && strchr(" \t\"", line.data[at]) != NULL) {
        at++;
    }
    const size_t end = str_find(line, STR("}"), at);
    const Str text = str_slice(line, at, end + 1);
    size_t sign = 2;
    while (char_is_of_name(str_at(text, sign))) {
        sign++;
    }
    sign += str_at(text, sign) == ':' ? 1 : 0;
    const bool is = str_at(line, 0) == ':' && at > 1 && end < line.len && str_starts_with(text, STR("${")) &&
                    str_at(text, sign) == '=';
    return is ? text : STR_NONE;
}

// VALUE of `${OTHER:-VALUE}` and its like, where that is plain; empty: another text.
static Str fallback_of(Str raw) {
    size_t at = 2;
    while (char_is_of_name(str_at(raw, at))) {
        at++;
    }
    const bool is_named = str_starts_with(raw, STR("${")) && at > 2 && str_ends_with(raw, STR("}"));
    at += str_at(raw, at) == ':' ? 1 : 0;
    const bool is = is_named && char_is_in(str_at(raw, at), "-=");
    const Str value = is ? str_slice(raw, at + 1, raw.len - 1) : STR_NONE;
    return str_has(value, "$") || str_has(value, "`") || str_has(value, "}") ? STR_NONE : value;
}

static void take_fallback(SlurmShell *shell, Str raw) {
    size_t end = 2;
    while (char_is_of_name(str_at(raw, end))) {
        end++;
    }
    const Str name = str_slice(raw, 2, end);
    if (name.len > 0 && find(shell, name) == NULL && shell->variables.count < VARIABLES_MAX) {
        vec_push(shell->arena, &shell->variables, ((SlurmVariable){ .name = name, .raw = raw, .is_fallback = true }));
    }
}

// What is added by `NAME+=( … )`, `NAME=("${NAME[@]}" … )`, `NAME+=" …"` and `NAME="$NAME …"`, with what stands before it;
// `.data` is NULL where the value is another one.
static Str added_to(const SlurmVariable *known, const SlurmVariable *variable, bool adds) {
    const Str own = known->name;
    size_t at = 0;
    if (known->is_list != variable->is_list) {
        return STR_NONE;
    }
    if (!adds) {
        at += variable->is_list && str_at(variable->raw, at) == '"' ? 1 : 0;
        const Str rest = str_slice(variable->raw, at, variable->raw.len);
        const size_t end = str_find(rest, variable->is_list ? STR("}") : STR(" "), 0) + (variable->is_list ? 1 : 0);
        const bool is_own = end <= rest.len && str_equal(slurm_name_in(str_slice(rest, 0, end)), own);
        at = is_own ? at + end : variable->raw.len + 1;
        at += is_own && variable->is_list && str_at(variable->raw, at) == '"' ? 1 : 0;
    }
    const bool is_apart = variable->is_list || char_is_in(str_at(variable->raw, at), " \t\n");
    return at > variable->raw.len || !is_apart ? STR_NONE : str_slice(variable->raw, at, variable->raw.len);
}

// Whether an option of a list stands in what may be added to it as well, which would be the one that counts.
static bool has_option_of(const SlurmVariable *known, Str added) {
    enum { OPTIONS_MAX = 20 };
    int options = 0;
    for (size_t at = str_find(added, STR("--"), 0); at < added.len; at = str_find(added, STR("--"), at + 2)) {
        const Str word = str_slice(added, at, end_of_word(added, at));
        const Str name = str_slice(word, 0, str_find(word, STR("="), 0));
        bool has = ++options > OPTIONS_MAX || str_find(known->raw, name, 0) < known->raw.len;
        for (uint32_t i = 0; i < known->more.count && !has; i++) {
            has = str_find(known->more.items[i], name, 0) < known->more.items[i].len;
        }
        if (has) {
            return true;
        }
    }
    return false;
}

// A variable that is there is set again, or gets more.
static void take_again(const SlurmShell *shell, SlurmVariable *known, const SlurmVariable *variable, bool adds,
                       bool is_top) {
    enum { MORE_MAX = 100 };
    const Str added = added_to(known, variable, adds);
    known->is_idle = known->is_idle && variable->is_idle;
    known->is_fallback = false;
    if (added.data != NULL && is_top && !known->is_open && known->more.count < MORE_MAX) {
        vec_push(shell->arena, &known->more, added);
    } else if (added.data != NULL && known->is_list && !has_option_of(known, added)) {
        known->is_open = true;
    } else {
        known->is_sure = false;
    }
    known->times += known->is_sure ? 1 : 0;
}

// A line `NAME=VALUE`; one that sets it again makes it unknown.
static void take_line(SlurmShell *shell, size_t start, size_t end) {
    const Str line = str_slice(shell->text, start, end);
    const Str fallback = fallback_in(line);
    bool is_top = false;
    bool is_exported = false;
    const size_t at = start_of_setting(line, &is_top, &is_exported);
    size_t behind = at;
    if (fallback.len > 0) {
        take_fallback(shell, fallback);
        return;
    }
    while (char_is_of_name(str_at(line, behind))) {
        behind++;
    }
    const bool adds = str_at(line, behind) == '+';
    if (behind == at || str_at(line, behind + (adds ? 1 : 0)) != '=' || char_is_digit(line.data[at])) {
        return;
    }
    SlurmVariable variable = { .name = str_slice(line, at, behind),
                               .is_sure = is_top && !adds,
                               .is_exported = is_exported };
    SlurmVariable *known = find(shell, variable.name);
    if (known == NULL && shell->variables.count >= VARIABLES_MAX) {
        return;
    }
    read_value(&variable, shell->text, start + behind + (adds ? 2 : 1));
    variable.is_idle = is_idle(&variable);
    if (known != NULL) {
        take_again(shell, known, &variable, adds, is_top);
        return;
    }
    variable.is_sure = variable.is_sure && ends_command(shell->text, variable.raw);
    vec_push(shell->arena, &shell->variables, variable);
}

// Other ways to set one: `read NAME`, `for NAME in`, `: ${NAME:=…}`, `NAME=` in the middle of a line.
static bool is_set_otherwise(const SlurmShell *shell, const SlurmVariable *variable) {
    const Str text = shell->text;
    uint32_t count = 0;
    for (size_t at = str_find(text, variable->name, 0); at < text.len; at = str_find(text, variable->name, at + 1)) {
        const size_t end = at + variable->name.len;
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const char after = str_at(text, end);
        const Str above = str_slice(text, at < 9 ? 0 : at - 9, at);
        const bool is_own = !char_is_of_name(before) && before != '-' && !char_is_of_name(after);
        const bool is_read = str_ends_with(above, STR("read ")) || str_ends_with(above, STR("read -r ")) ||
                             str_ends_with(above, STR("for ")) || str_ends_with(above, STR("unset "));
        const bool is_default = before == '{' && after == ':' && str_at(text, end + 1) == '=';
        count +=
            is_own && before != '{' && before != '$' && (after == '=' || (after == '+' && str_at(text, end + 1) == '='))
                ? 1
                : 0;
        if (is_own && (is_read || is_default || count > variable->times + 1)) {
            return true;
        }
    }
    return false;
}

static bool is_plain(Str raw) {
    return raw.len > 0 && !str_has(raw, "$") && !str_has(raw, "`") && !str_has(raw, "\\");
}

// The plain text of a variable that is set above; empty: nobody knows it.
static Str known_text(const SlurmShell *shell, Str name) {
    const SlurmVariable *variable = name.len == 0 ? NULL : find(shell, name);
    const bool is_known = variable != NULL && variable->set.state == FIELD_KNOWN && is_plain(variable->set.text);
    return is_known ? variable->set.text : STR_NONE;
}

static ShellAmount amount_of(const void *context, Str name) {
    const SlurmShell *shell = context;
    const int64_t number = command_number(known_text(shell, name));
    const bool is_nodes = (str_is(name, "SLURM_NNODES") || str_is(name, "SLURM_JOB_NUM_NODES")) &&
                          find(shell, name) == NULL && shell->nodes > 0;
    return is_nodes ? shell_amount_of_number(shell->nodes)
                    : (ShellAmount){ .is_known = number >= 0, .least = number, .most = number };
}

// The end of a piece of a value that the shell puts in, with its text; the place where nobody knows it.
static size_t put_in(const SlurmShell *shell, Str text, size_t at, StrBuf *buffer) {
    const size_t bracket = command_end_of_substitution(text, at);
    if (bracket > at) {
        const ShellAmount amount = shell_amount(str_slice(text, at, bracket), amount_of, shell);
        const bool is_known = amount.is_known && amount.least == amount.most && amount.least >= 0;
        if (is_known) {
            strbuf_add(buffer, str_format(shell->arena, "%" PRId64, amount.least));
        }
        return is_known ? bracket : at;
    }
    size_t end = at + (str_at(text, at + 1) == '{' ? 2 : 1);
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    end += str_at(text, at + 1) == '{' ? 1 : 0;
    const Str known = known_text(shell, slurm_name_in(str_slice(text, at, end)));
    strbuf_add(buffer, known);
    return known.len > 0 ? end : at;
}

// A value that is put together of others: `$MASTER:29500`, `$((NODES * 8))`. Empty: nobody knows it.
static Str put_together(const SlurmShell *shell, Str raw) {
    enum { RAW_MAX = 200, TEXT_MAX = 1000 };
    StrBuf buffer = { .arena = shell->arena };
    bool is_known = raw.len <= RAW_MAX && !str_has(raw, "\\");
    for (size_t at = 0; at < raw.len && is_known && buffer.len < TEXT_MAX;) {
        const bool is_put = raw.data[at] == '$' || raw.data[at] == '`';
        const size_t end = is_put ? put_in(shell, raw, at, &buffer) : at + 1;
        if (!is_put) {
            strbuf_add(&buffer, str_slice(raw, at, end));
        }
        is_known = end > at;
        at = end;
    }
    return is_known && buffer.len < TEXT_MAX ? strbuf_end(&buffer) : STR_NONE;
}

// The text that a variable has, by others too; FIELD_LATE: a shell works it out.
static PlanField value_of(const SlurmShell *shell, const SlurmVariable *variable) {
    PlanField field = { .state = FIELD_LATE, .name = "value", .span = slurm_place(shell, variable->raw) };
    const SlurmVariable *last = variable;
    const bool is_whole = variable->is_sure && !variable->is_list && variable->more.count == 0;
    const Str text = is_whole && !is_plain(variable->raw) ? put_together(shell, variable->raw) : STR_NONE;
    if (text.len > 0) {
        return field_known("value", slurm_place(shell, variable->raw), text);
    }
    for (int i = 0; i < EXPAND_DEPTH_MAX && last != NULL && last->is_sure && !last->is_list && last->more.count == 0;
         i++) {
        const Str name = slurm_name_in(last->raw);
        if (is_plain(last->raw) || str_starts_with(name, STR("SLURM"))) {
            return field_known("value", slurm_place(shell, last->raw), last->raw);
        }
        last = name.len == 0 ? NULL : find(shell, name);
    }
    return field;
}

void slurm_find_variables(SlurmShell *shell) {
    const Str text = shell->text;
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        take_line(shell, start, end);
        start = end + 1;
    }
    for (uint32_t i = 0; i < shell->variables.count; i++) {
        SlurmVariable *variable = &shell->variables.items[i];
        variable->is_sure = variable->is_sure && !is_set_otherwise(shell, variable);
    }
    for (uint32_t i = 0; i < shell->variables.count; i++) {
        SlurmVariable *variable = &shell->variables.items[i];
        const bool is_said = variable->is_sure || variable->is_fallback;
        variable->set = value_of(shell, variable);
        variable->fallback =
            is_said && !variable->is_list && variable->more.count == 0 ? fallback_of(variable->raw) : STR_NONE;
    }
}

// ---- words of variables ----------------------------------------------------------------------------------------------

// Whether a text that a variable has by default is the path of a program: who sets it to another one means the same program.
static bool is_path_of_program(Str text) {
    return str_has(text, "/") && !str_has(text, " ") &&
           (launcher_program(text) != PROGRAM_ANY || str_ends_with(text, STR("_perf")));
}

static void expand(SlurmShell *shell, const SlurmWord *word, SlurmWords *words, int depth) {
    const Str name = word->quote == '\'' ? STR_NONE : slurm_name_in(word->text);
    const SlurmVariable *variable = name.len == 0 ? NULL : find(shell, name);
    if (variable != NULL && is_path_of_program(variable->fallback) && ++shell->expanded <= EXPANDED_MAX) {
        vec_push(shell->arena, words, ((SlurmWord){ .text = variable->fallback, .quote = word->quote }));
        return;
    }
    const bool is_list = variable != NULL && variable->is_list && str_has(word->text, "[");
    const bool is_text = variable != NULL && !variable->is_list && word->quote == '\0' &&
                         (variable->more.count > 0 || str_has(variable->raw, " ") || is_plain(variable->raw));
    const bool is_one = variable != NULL && (variable->is_list ? str_has(word->text, "[") : word->quote == '\0');
    if (is_one && !variable->is_sure && variable->is_idle) {
        return;
    }
    if (depth >= EXPAND_DEPTH_MAX || (!is_list && !is_text) || !variable->is_sure || ++shell->expanded > EXPANDED_MAX) {
        vec_push(shell->arena, words, *word);
        return;
    }
    SlurmWords inner = { 0 };
    slurm_split(shell, variable->raw, &inner);
    for (uint32_t i = 0; i < variable->more.count; i++) {
        slurm_split(shell, variable->more.items[i], &inner);
    }
    for (uint32_t i = 0; i < inner.count && words->count < WORDS_MAX; i++) {
        expand(shell, &inner.items[i], words, depth + 1);
    }
    if (variable->is_open) { // for what else may be in it
        vec_push(shell->arena, words, *word);
    }
}

void slurm_expand(SlurmShell *shell, const SlurmWord *word, SlurmWords *words) {
    expand(shell, word, words, 0);
}
