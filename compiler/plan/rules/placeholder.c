// One table of shapes, looked for in one pass. Precision comes before completeness. The name of a person, a usage line
// of a script or a variable of a shell must never stop a build. So each row names what it leaves alone.
#include "compiler/plan/rules/placeholder.h"

#include <limits.h>

typedef enum {
    SHAPE_WORD,   // the word, and what is tied to it with `_`: PLACEHOLDER_VPC
    SHAPE_YOUR,   // in angle brackets, beginning with the word: <your-bucket>
    SHAPE_UPPER,  // in angle brackets, upper case with an underscore, or the word: <ACCOUNT_ID>
    SHAPE_DOLLAR, // ${NAME}
    SHAPE_NAME,   // the word in angle brackets, in any case and with any of `-_ `: <region>, <Account ID>
    SHAPE_PREFIX, // upper case that begins with the word: YOUR_BUCKET
    SHAPE_ID,     // the word, and nothing but `x` behind it: subnet-xxxx
    SHAPE_DIGITS, // nothing but `x`, in the place of an account: xxxxxxxxxxxx
    SHAPE_FENCED, // upper case between two of the word: --AWS_REGION--, @@IMAGE_TAG@@
} Shape;

typedef struct {
    Shape shape;
    TextUse least; // the uses from this one on in which it is a finding
    const char *word;
} PlaceholderRow;

// The samples of awslabs/awsome-distributed-ai at 7217859f, counted 2026-11: 11 YAML and JSON files hold the first four
// kinds, 22 go through envsubst. CHANGEME is in golemcloud/golem#2709; REPLACE_ME, and variables that nothing replaces, are
// in aws-samples/eks-workshop#635, 2026-11. Fenced ones are in awslabs/ec2-spot-workshops, awslabs/benchmark-ai and
// awslabs/scale-out-computing-on-aws, 2026-11.
static const PlaceholderRow PLACEHOLDER_ROWS[] = {
    { SHAPE_WORD, TEXT_SCRIPT, "PLACEHOLDER" },
    { SHAPE_WORD, TEXT_SCRIPT, "CHANGE_ME" },
    { SHAPE_WORD, TEXT_SCRIPT, "CHANGEME" },
    { SHAPE_WORD, TEXT_SCRIPT, "REPLACE_ME" },
    { SHAPE_WORD, TEXT_SCRIPT, "REPLACEME" },
    { SHAPE_WORD, TEXT_SCRIPT, "__REPLACE" },
    { SHAPE_WORD, TEXT_SCRIPT, "__YOUR" },
    { SHAPE_WORD, TEXT_SCRIPT, "PASTE YOUR" },
    { SHAPE_YOUR, TEXT_SCRIPT, "your" },
    { SHAPE_UPPER, TEXT_VALUE, "ACCOUNT" },
    { SHAPE_UPPER, TEXT_VALUE, "REGION" },
    { SHAPE_UPPER, TEXT_VALUE, "_" },
    { SHAPE_UPPER, TEXT_VALUE, "-" },
    { SHAPE_DOLLAR, TEXT_PLAIN, "" },
    { SHAPE_PREFIX, TEXT_VALUE, "YOUR_" },
    { SHAPE_PREFIX, TEXT_VALUE, "YOUR-" },
    { SHAPE_PREFIX, TEXT_VALUE, "REPLACE_WITH_" },
    { SHAPE_NAME, TEXT_VALUE, "account" },
    { SHAPE_NAME, TEXT_VALUE, "account-id" },
    { SHAPE_NAME, TEXT_VALUE, "aws-account-id" },
    { SHAPE_NAME, TEXT_VALUE, "region" },
    { SHAPE_NAME, TEXT_VALUE, "aws-region" },
    { SHAPE_NAME, TEXT_VALUE, "bucket" },
    { SHAPE_NAME, TEXT_VALUE, "bucket-name" },
    { SHAPE_NAME, TEXT_VALUE, "cluster-name" },
    { SHAPE_NAME, TEXT_VALUE, "subnet-id" },
    { SHAPE_NAME, TEXT_VALUE, "vpc-id" },
    { SHAPE_NAME, TEXT_VALUE, "repository" },
    { SHAPE_ID, TEXT_VALUE, "ami-" },
    { SHAPE_ID, TEXT_VALUE, "cr-" },
    { SHAPE_ID, TEXT_VALUE, "eni-" },
    { SHAPE_ID, TEXT_VALUE, "fs-" },
    { SHAPE_ID, TEXT_VALUE, "lt-" },
    { SHAPE_ID, TEXT_VALUE, "sg-" },
    { SHAPE_ID, TEXT_VALUE, "subnet-" },
    { SHAPE_ID, TEXT_VALUE, "vpc-" },
    { SHAPE_DIGITS, TEXT_VALUE, "xxxxxxxxxxxx" },
    { SHAPE_FENCED, TEXT_VALUE, "--" },
    { SHAPE_FENCED, TEXT_VALUE, "@@" },
    { SHAPE_FENCED, TEXT_VALUE, "%%" },
};

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// Placeholders begin where words do, or with a sign. Behind the word, or the sign, that stands at `at`.
static size_t next_word(Str text, size_t at) {
    const bool is_inside = char_is_of_name(text.data[at++]);
    while (is_inside && at < text.len && char_is_of_name(text.data[at])) {
        at++;
    }
    return at;
}

static size_t first_word(Str text, size_t from) {
    const bool is_inside =
        from > 0 && from < text.len && char_is_of_name(text.data[from - 1]) && char_is_of_name(text.data[from]);
    return is_inside ? next_word(text, from) : from;
}

// `s/PLACEHOLDER/…/` is a script that replaces it itself.
static bool is_replaced(Str text, size_t at) {
    if (at < 2 || text.data[at - 2] != 's' || memchr("/|#,@", text.data[at - 1], 5) == NULL) {
        return false;
    }
    return at == 2 || !char_is_of_name(text.data[at - 3]);
}

static size_t word_end(Str text, size_t at, const char *word) {
    size_t end = at + strlen(word);
    bool is_inside = at > 0 && char_is_of_name(text.data[at - 1]);
    if (is_inside || !str_starts_with(str_slice(text, at, text.len), str_of(word)) || is_replaced(text, at)) {
        return 0;
    }
    if (str_at(text, end) != '_' && char_is_of_name(str_at(text, end))) {
        return 0;
    }
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    return end;
}

// Behind the `>` that closes what is opened at `at`, on the same line and with nothing but words between; 0: there is
// none. `<<EOF>` is a shell's.
static size_t angle_end(Str text, size_t at) {
    bool is_shell = (at > 0 && text.data[at - 1] == '<') || is_replaced(text, at);
    size_t end = at + 1;
    while (char_is_of_name(str_at(text, end)) || memchr(" -.", str_at(text, end), 3) != NULL) {
        end++;
    }
    return !is_shell && str_at(text, end) == '>' ? end + 1 : 0;
}

static size_t your_end(Str text, size_t at, const char *word) {
    const Str inner = str_slice(text, at + 1, text.len);
    const char next = str_at(inner, strlen(word));
    const bool is_it = str_starts_with_in_any_case(inner, str_of(word)) && (next == ' ' || next == '-' || next == '_');
    return is_it ? angle_end(text, at) : 0;
}

static size_t upper_end(Str text, size_t at, const char *word) {
    const size_t end = angle_end(text, at);
    if (end == 0 || !is_upper(text.data[at + 1])) {
        return 0;
    }
    const Str inner = str_slice(text, at + 1, end - 1);
    for (size_t i = 1; i < inner.len; i++) {
        char c = inner.data[i];
        if (!is_upper(c) && !char_is_digit(c) && c != '_' && c != '-') {
            return 0;
        }
    }
    const bool is_sign = strcmp(word, "_") == 0 || strcmp(word, "-") == 0;
    bool is_it = is_sign ? memchr(inner.data, word[0], inner.len) != NULL : str_is(inner, word);
    return is_it ? end : 0;
}

// `${NAME}` and `${AWS::Region}`; a policy variable such as `${aws:username}`, and what a shell works out, are none.
static size_t dollar_end(Str text, size_t at) {
    const size_t name = at + 2;
    bool is_escaped = at > 0 && text.data[at - 1] == '$';
    if (is_escaped || str_at(text, at + 1) != '{' || !char_is_of_name(str_at(text, name)) ||
        char_is_digit(text.data[name])) {
        return 0;
    }
    size_t end = name;
    while (char_is_of_name(str_at(text, end)) || (str_at(text, end) == ':' && str_at(text, end + 1) == ':')) {
        end += char_is_of_name(text.data[end]) ? 1 : 2;
    }
    return str_at(text, end) == '}' ? end + 1 : 0;
}

// `<Account_ID>` is the word "account-id".
static size_t name_end(Str text, size_t at, const char *word) {
    size_t i = 0;
    for (; word[i] != '\0'; i++) {
        const char c = str_at(text, at + 1 + i);
        const char lower = is_upper(c) ? (char)(c - 'A' + 'a') : c;
        if (lower != word[i] && !(word[i] == '-' && (c == '_' || c == ' '))) {
            return 0;
        }
    }
    return str_at(text, at + 1 + i) == '>' ? angle_end(text, at) : 0;
}

static bool begins_word(Str text, size_t at) {
    return at == 0 || (!char_is_of_name(text.data[at - 1]) && text.data[at - 1] != '-' && text.data[at - 1] != '$');
}

static size_t prefix_end(Str text, size_t at, const char *word) {
    size_t end = at + strlen(word);
    if (!begins_word(text, at) || !str_starts_with(str_slice(text, at, text.len), str_of(word))) {
        return 0;
    }
    const size_t rest = end;
    const char tie = word[strlen(word) - 1];
    while (is_upper(str_at(text, end)) || str_at(text, end) == '_' || str_at(text, end) == tie ||
           char_is_digit(str_at(text, end))) {
        end++;
    }
    return end > rest && !char_is_of_name(str_at(text, end)) ? end : 0;
}

// Behind as many `x` as there are, in one case; no other letter follows.
static size_t cross_end(Str text, size_t at) {
    const char cross = str_at(text, at) == 'X' ? 'X' : 'x';
    while (str_at(text, at) == cross) {
        at++;
    }
    return char_is_of_name(str_at(text, at)) ? 0 : at;
}

static size_t id_end(Str text, size_t at, const char *word) {
    enum { CROSSES_MIN = 2 };
    const size_t rest = at + strlen(word);
    if (!begins_word(text, at) || !str_starts_with(str_slice(text, at, text.len), str_of(word))) {
        return 0;
    }
    const size_t end = cross_end(text, rest);
    return end >= rest + CROSSES_MIN ? end : 0;
}

static size_t digits_end(Str text, size_t at, const char *word) {
    const size_t end = begins_word(text, at) ? cross_end(text, at) : 0;
    return end == at + strlen(word) ? end : 0;
}

// Three signs in a row are a line that somebody drew.
static size_t fenced_end(Str text, size_t at, const char *fence) {
    enum { LETTERS_MIN = 2 };
    const size_t start = at + strlen(fence);
    if ((at > 0 && text.data[at - 1] == fence[0]) || !str_starts_with(str_slice(text, at, text.len), str_of(fence)) ||
        !is_upper(str_at(text, start))) {
        return 0;
    }
    size_t end = start;
    while (is_upper(str_at(text, end)) || char_is_digit(str_at(text, end)) || str_at(text, end) == '_') {
        end++;
    }
    const bool is_closed = str_starts_with(str_slice(text, end, text.len), str_of(fence));
    const size_t behind = end + strlen(fence);
    return is_closed && end >= start + LETTERS_MIN && str_at(text, behind) != fence[0] ? behind : 0;
}

static size_t shape_end(const PlaceholderRow *row, Str text, size_t at) {
    switch (row->shape) {
    case SHAPE_WORD:
        return word_end(text, at, row->word);
    case SHAPE_YOUR:
        return your_end(text, at, row->word);
    case SHAPE_UPPER:
        return upper_end(text, at, row->word);
    case SHAPE_DOLLAR:
        return dollar_end(text, at);
    case SHAPE_NAME:
        return name_end(text, at, row->word);
    case SHAPE_PREFIX:
        return prefix_end(text, at, row->word);
    case SHAPE_ID:
        return id_end(text, at, row->word);
    case SHAPE_DIGITS:
        return digits_end(text, at, row->word);
    case SHAPE_FENCED:
        return fenced_end(text, at, row->word);
    }
    return 0;
}

// What a placeholder can begin with: most words of most texts are done with here.
static bool may_begin(Str text, size_t at) {
    static const bool BEGINS[UCHAR_MAX + 1] = {
        ['P'] = true, ['C'] = true, ['R'] = true, ['Y'] = true, ['X'] = true, ['<'] = true, ['$'] = true,
        ['x'] = true, ['a'] = true, ['c'] = true, ['e'] = true, ['f'] = true, ['s'] = true, ['l'] = true,
        ['v'] = true, ['-'] = true, ['@'] = true, ['%'] = true, ['_'] = true,
    };
    const char c = text.data[at];
    const bool is_fence = c == '-' || c == '@' || c == '%'; // of which there are many: two before a letter are few
    return BEGINS[(unsigned char)c] && (!is_fence || (str_at(text, at + 1) == c && is_upper(str_at(text, at + 2))));
}

static bool may_be(const PlaceholderRow *row, char c) {
    switch (row->shape) {
    case SHAPE_WORD:
    case SHAPE_PREFIX:
    case SHAPE_ID:
    case SHAPE_FENCED:
        return row->word[0] == c;
    case SHAPE_YOUR:
    case SHAPE_UPPER:
    case SHAPE_NAME:
        return c == '<';
    case SHAPE_DOLLAR:
        return c == '$';
    case SHAPE_DIGITS:
        return c == 'x' || c == 'X';
    }
    return false;
}

bool placeholder_find(Str text, TextUse use, size_t from, size_t *start, size_t *end) {
    for (size_t at = first_word(text, from); at < text.len; at = next_word(text, at)) {
        const size_t count = may_begin(text, at) ? COUNT_OF(PLACEHOLDER_ROWS) : 0;
        for (size_t i = 0; i < count; i++) {
            const PlaceholderRow *row = &PLACEHOLDER_ROWS[i];
            size_t found = use >= row->least && may_be(row, text.data[at]) ? shape_end(row, text, at) : 0;
            if (found > 0) {
                *start = at;
                *end = found;
                return true;
            }
        }
    }
    return false;
}

// ---- where an id belongs -------------------------------------------------------------------------------------------

static bool is_letter(char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

bool placeholder_find_angle(Str text, size_t from, size_t *start, size_t *end) {
    for (size_t at = str_find(text, STR("<"), from); at < text.len;) {
        size_t close = at + 1;
        while (char_is_of_name(str_at(text, close)) || memchr(" -./", str_at(text, close), 4) != NULL) {
            close++;
        }
        if (str_at(text, close) == '>' && is_letter(str_at(text, at + 1))) {
            *start = at;
            *end = close + 1;
            return true;
        }
        at = str_find(text, STR("<"), close);
    }
    return false;
}

// Models have `<start_of_turn>`, `<end_of_turn>` and `<fim_prefix>`.
bool placeholder_is_words(Str text) {
    static const char *const TOKENS[] = { "<start_of_", "<end_of_", "<fim_", "<im_" };
    size_t start = 0;
    size_t end = 0;
    bool is = placeholder_find_angle(text, 0, &start, &end) && start == 0 && end == text.len;
    for (size_t i = 0; i < COUNT_OF(TOKENS); i++) {
        is = is && !str_starts_with(text, str_of(TOKENS[i]));
    }
    bool has_sign = false;
    for (size_t i = 2; is && i + 2 < text.len; i++) {
        has_sign = has_sign || (memchr("_- ", text.data[i], 3) != NULL && is_letter(text.data[i + 1]));
    }
    return has_sign;
}

bool placeholder_is_variable(Str text) {
    const bool is_open = str_starts_with(text, STR("${"));
    const size_t start = is_open ? 2 : 1;
    size_t end = start;
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    return str_at(text, 0) == '$' && end > start && !char_is_digit(text.data[start]) &&
           (is_open ? str_at(text, end) == '}' && end + 1 == text.len : end == text.len);
}

// ---- ids of examples ---------------------------------------------------------------------------------------------

// Accounts of the AWS General Reference and of the AWS documentation's style, and what people make up in their place;
// read 2026-11.
static const char *const EXAMPLE_ACCOUNTS[] = {
    "123456789012", "111122223333", "444455556666", "777788889999", "012345678901",
    "111111111111", "999999999999", "000000000000", "012345678910",
};

static const char *const ID_PREFIXES[] = {
    "ami-", "cr-", "eni-", "fs-", "igw-", "lt-", "rtb-", "sg-", "subnet-", "vpc-",
};

// The last group of a UUID: `00000000-0000-0000-0000-000000000000`.
static bool ends_uuid(Str text, size_t at) {
    enum { GROUP = 4 };
    bool is = at > GROUP + 1 && text.data[at - 1] == '-' && text.data[at - GROUP - 2] == '-';
    for (size_t i = at - GROUP - 1; is && i + 1 < at; i++) {
        is = memchr("0123456789abcdefABCDEF", text.data[i], 22) != NULL;
    }
    return is;
}

static size_t example_account_end(Str text, size_t at) {
    enum { ACCOUNT_DIGITS = 12 };
    const size_t end = at + ACCOUNT_DIGITS;
    if ((at > 0 && char_is_of_name(text.data[at - 1])) || ends_uuid(text, at) || end > text.len ||
        char_is_of_name(str_at(text, end))) {
        return 0;
    }
    for (size_t i = 0; i < COUNT_OF(EXAMPLE_ACCOUNTS); i++) {
        if (str_is(str_slice(text, at, end), EXAMPLE_ACCOUNTS[i])) {
            return end;
        }
    }
    return 0;
}

// Digits that count up, `12345678…` or `01234567…`: one id in four thousand million begins so by chance.
static bool counts_up(Str text, size_t at) {
    const Str rest = str_slice(text, at, text.len);
    return str_starts_with(rest, STR("12345678")) || str_starts_with(rest, STR("01234567"));
}

static size_t example_id_end(Str text, size_t at) {
    if (!begins_word(text, at)) {
        return 0;
    }
    for (size_t i = 0; i < COUNT_OF(ID_PREFIXES); i++) {
        if (text.data[at] != ID_PREFIXES[i][0]) {
            continue;
        }
        const size_t digits = at + strlen(ID_PREFIXES[i]);
        if (str_starts_with(str_slice(text, at, text.len), str_of(ID_PREFIXES[i])) && counts_up(text, digits)) {
            size_t end = digits;
            while (char_is_of_name(str_at(text, end))) {
                end++;
            }
            return end;
        }
    }
    return 0;
}

bool placeholder_find_example(Str text, size_t from, size_t *start, size_t *end) {
    for (size_t at = first_word(text, from); at < text.len; at = next_word(text, at)) {
        if (!char_is_of_name(text.data[at])) {
            continue;
        }
        const size_t found = char_is_digit(text.data[at]) ? example_account_end(text, at) : example_id_end(text, at);
        if (found > 0) {
            *start = at;
            *end = found;
            return true;
        }
    }
    return false;
}

// ---- scripts that fill a file in -----------------------------------------------------------------------------------

// A file may have as many placeholders as it likes: what a script replaces is looked for once, and found by its place in
// the order of texts.
enum {
    REPLACED_MAX = 10000,    // of all scripts
    REPLACED_BYTES_MAX = 200 // a longer placeholder is none of a script
};

// `yq -i '.Image.CustomAmi = strenv(AMI)' FILE`: who fills a file in so writes `{AMI}` in it.
static void add_yq(Arena *arena, PlanFillers *fillers, Str script) {
    static const char CALL[] = "env(";
    for (size_t at = str_find(script, STR(CALL), 0); at < script.len && fillers->replaced.count < REPLACED_MAX;
         at = str_find(script, STR(CALL), at + 1)) {
        const size_t start = at + strlen(CALL);
        const size_t end = str_find(script, STR(")"), start);
        if (end < script.len && end - start < REPLACED_BYTES_MAX) {
            vec_push(arena, &fillers->replaced, str_format(arena, "{%.*s}", STR_ARG(str_slice(script, start, end))));
        }
    }
}

// `s/PLACEHOLDER/…/`, `s|\${NAME}|…|`
void placeholder_add_filler(Arena *arena, PlanFillers *fillers, Str script) {
    fillers->has_envsubst = fillers->has_envsubst || str_has(script, "envsubst");
    if (str_has(script, "yq -i") || str_has(script, "yq eval -i")) {
        add_yq(arena, fillers, script);
    }
    const size_t end = str_has(script, "sed") ? script.len : 0;
    for (size_t at = 0; at < end && fillers->replaced.count < REPLACED_MAX; at++) {
        if (is_replaced(script, at)) {
            const size_t start = at + (script.data[at] == '\\' ? 1 : 0);
            vec_push(arena, &fillers->replaced, str_slice(script, start, start + REPLACED_BYTES_MAX));
        }
    }
}

bool placeholder_has_variables(Str text, bool *has_one) {
    Str first = STR_NONE;
    *has_one = false;
    for (size_t at = str_find(text, STR("$"), 0); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const size_t start = at + (str_at(text, at + 1) == '{' ? 2 : 1);
        size_t end = start;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        const Str name = str_slice(text, start, end);
        if (name.len == 0 || char_is_digit(name.data[0])) {
            continue;
        }
        if (first.len > 0 && !str_equal(first, name)) {
            return true;
        }
        first = name;
        *has_one = true;
    }
    return false;
}

static int compare_texts(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

void placeholder_sort_fillers(PlanFillers *fillers) {
    if (fillers->replaced.count > 0) {
        qsort(fillers->replaced.items, fillers->replaced.count, sizeof(fillers->replaced.items[0]), compare_texts);
    }
}

bool placeholder_is_filled_by(const PlanFillers *fillers, Str placeholder) {
    const bool is_name =
        str_starts_with(placeholder, STR("$")) && str_find(placeholder, STR(":"), 0) == placeholder.len;
    if (is_name && fillers->has_envsubst) {
        return true;
    }
    uint32_t low = 0;
    for (uint32_t high = fillers->replaced.count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (str_compare(fillers->replaced.items[middle], placeholder) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < fillers->replaced.count && str_starts_with(fillers->replaced.items[low], placeholder);
}

bool placeholder_is_open(Str text) {
    bool is = str_has(text, "XXX");
    for (size_t i = 0; i < text.len && !is; i++) {
        is = memchr("$<{[`%@", text.data[i], 7) != NULL;
    }
    return is;
}

bool placeholder_is_filled_in(Str name) {
    enum { CAPITALS = 4 };
    if (str_find(name, STR("{"), 0) < name.len || str_find(name, STR("$("), 0) < name.len) {
        return true;
    }
    int run = 0;
    for (size_t i = 0; i < name.len && run < CAPITALS; i++) {
        run = name.data[i] >= 'A' && name.data[i] <= 'Z' ? run + 1 : 0;
    }
    return run == CAPITALS;
}
