// Rules about secrets that somebody wrote into a file, row by row of schema/credentials.def. What a job has in its
// environment or in its command stands in a template or a script, in the history of both, and in what the service shows.
// What an image is built from stands in its Dockerfile and in its layers.
#include "compiler/plan/rules/job.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"

typedef enum { BY_SECRET, BY_ROLE } WayOut;

typedef enum { LIKELY, SURE } Sureness;

typedef struct {
    const char *name; // what the variable's ends with; empty: any text
    const char *pattern;
    const char *what;
    WayOut way_out;
    Sureness sureness;
} CredentialRow;

static const CredentialRow CREDENTIAL_ROWS[] = {
#define SECRET_TEXT(pattern, what, way_out, sureness) { "", pattern, what, way_out, sureness },
#define CREDENTIAL(name, pattern, what, way_out, sureness) { name, pattern, what, way_out, sureness },
#include "schema/credentials.def"
};

// Any of those that need no name: hardly a text is one, and one question is cheaper than ten.
static const char ANY_SECRET_TEXT[] = "(?!)"
#define SECRET_TEXT(pattern, what, way_out, sureness) "|(?:" pattern ")"
#define CREDENTIAL(name, pattern, what, way_out, sureness)
#include "schema/credentials.def"
    ;

// Where a text stands.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const PlanJob *job;     // that infra.dt declares; NULL: it is none
    const PlanImage *image; // NULL: it is a job's
    Str variable;           // whose value it is; empty: of none
    bool is_built;          // whoever builds the image can give it
    bool is_of_docker;      // it stands in a Dockerfile
} Holder;

// ---- what a text is ----------------------------------------------------------------------------------------------

static bool name_fits(const CredentialRow *row, Str name) {
    const Str end = str_of(row->name);
    return name.len >= end.len && str_equal_in_any_case(str_slice(name, name.len - end.len, name.len), end);
}

// `hf_xxxxxxxxxxxx`: whoever reads it is to write the secret there.
static bool is_mask(Str text) {
    enum { MASK_MIN = 6, MASKED_MAX = 256 };
    size_t count = 0;
    for (size_t i = 0; i < text.len && text.len <= MASKED_MAX && count < MASK_MIN; i++) {
        count = memchr("xX*", text.data[i], 3) != NULL ? count + 1 : 0;
    }
    return count == MASK_MIN;
}

static const CredentialRow *find_row(Session *session, Str name, Str text, Sureness least) {
    enum { TEXT_MAX = 64 * 1024 }; // no longer text is a key
    if (text.len == 0 || text.len > TEXT_MAX || is_mask(text)) {
        return NULL;
    }
    const bool may_be_any = pattern_match(session, STR(ANY_SECRET_TEXT), text, NULL) != PATTERN_NO;
    for (size_t i = 0; i < COUNT_OF(CREDENTIAL_ROWS); i++) {
        const CredentialRow *row = &CREDENTIAL_ROWS[i];
        const bool may_be = row->name[0] == '\0' ? may_be_any : name_fits(row, name);
        if (may_be && row->sureness >= least &&
            pattern_match(session, str_of(row->pattern), text, NULL) == PATTERN_YES) {
            return row;
        }
    }
    return NULL;
}

static bool is_name(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !char_is_digit(c) && strchr("_-.", c) == NULL) {
            return false;
        }
    }
    return text.len > 0;
}

// One word of a text that a shell, Docker or another program takes apart: `NAME=value`, `--token=value`, a value alone.
// One with a variable of the shell in it holds no secret itself. `*name` becomes what stands before the sign.
static const CredentialRow *find_in_word(Session *session, Str word, Str *name) {
    enum { WORD_MIN = 8, WORD_MAX = 1024 };
    const bool is_filled = str_find(word, STR("$"), 0) < word.len || str_find(word, STR("`"), 0) < word.len;
    if (word.len < WORD_MIN || word.len > WORD_MAX || is_filled) {
        return NULL;
    }
    const size_t sign = str_find(word, STR("="), 0);
    const bool has_name = sign < word.len && is_name(str_slice(word, 0, sign));
    const char first = str_at(word, sign + 1);
    const size_t start = !has_name ? 0 : first == '\'' || first == '"' ? sign + 2 : sign + 1;
    *name = has_name ? str_slice(word, 0, sign) : STR_NONE;
    return find_row(session, *name, str_slice(word, start, word.len), LIKELY);
}

// A quote behind `=` begins a value.
static bool ends_word(Str text, size_t at) {
    const char c = text.data[at];
    const bool is_quote = c == '\'' || c == '"';
    return strchr(" \t\r\n'\"\\;|&(),", c) != NULL && !(is_quote && at > 0 && text.data[at - 1] == '=');
}

static const CredentialRow *find_in_words(Session *session, Str text, Str *name) {
    const CredentialRow *row = NULL;
    for (size_t at = 0; at < text.len && row == NULL; at++) {
        const size_t start = at;
        while (at < text.len && !ends_word(text, at)) {
            at++;
        }
        row = find_in_word(session, str_slice(text, start, at), name);
    }
    return row;
}

// ---- what to do --------------------------------------------------------------------------------------------------

static void help_of_image(const Holder *holder, Diag *diag, const CredentialRow *row, Str name) {
    Session *session = holder->rules->session;
    if (holder->is_built && holder->image->recipe->dockerfile != NULL) {
        diag_help(session, diag, "write `build_env = [\"%.*s\"]`, and mount it: `RUN --mount=type=secret,id=%.*s`",
                  STR_ARG(name), STR_ARG(name));
    } else if (holder->is_built) {
        diag_help(session, diag, "write `build_env = [\"%.*s\"]`, and `$%.*s` in its place", STR_ARG(name),
                  STR_ARG(name));
    } else if (row->way_out == BY_ROLE) {
        diag_help(session, diag, "leave it out: the role of a job has keys of its own");
    } else {
        diag_help(session, diag,
                  "keep it in AWS Secrets Manager, and write `secrets = { %.*s = secret(\"…\") }` in the job",
                  STR_ARG(name));
    }
}

static void help_of_job(const Holder *holder, Diag *diag, const CredentialRow *row, Str name) {
    Session *session = holder->rules->session;
    const bool has_role = holder->job->slurm == NULL;
    if (row->way_out == BY_ROLE) {
        diag_help(session, diag, "leave it out: %s has keys of its own, and %s what it may do",
                  has_role ? "the role of the job" : "the role of the nodes",
                  has_role ? "`reads`, `writes` and `policies` say" : "`policies` of the group says");
    } else if (has_role) {
        diag_help(session, diag, "keep it in AWS Secrets Manager, and write `secrets = { %.*s = secret(\"…\") }`",
                  STR_ARG(name));
    } else {
        diag_help(session, diag, "keep it in AWS Secrets Manager, and let the command read it there");
    }
}

// Of a file of another language.
static void help_of_container(const Holder *holder, Diag *diag, const CredentialRow *row) {
    if (row->way_out == BY_ROLE && !str_starts_with(holder->variable, STR("MINIO_"))) {
        diag_help(holder->rules->session, diag, "leave it out: the role of the job has keys of its own");
    } else { // MinIO calls its own users so
        diag_help(holder->rules->session, diag,
                  "keep it in AWS Secrets Manager or in a Secret of Kubernetes, and name that here");
    }
}

// One finding of a text: whoever mends one sees the others.
static void check_text(const Holder *holder, Span span, Str text) {
    Session *session = holder->rules->session;
    Str name = holder->variable;
    const CredentialRow *row = find_row(session, name, text, LIKELY);
    row = row == NULL ? find_in_words(session, text, &name) : row;
    if (row == NULL) {
        return;
    }
    name = name.len > 0 && str_find(name, STR("-"), 0) == name.len ? name : STR("NAME");
    Diag *diag = plan_report(session, holder->subject, span, DIAG(credential_written),
                             holder->image != NULL || holder->is_of_docker ? "an image"
                             : holder->job == NULL                         ? "a container"
                                                                           : "a job",
                             row->what);
    if (holder->is_of_docker) {
        diag_help(session, diag, "%s",
                  row->way_out == BY_ROLE
                      ? "leave it out: the role of a job has keys of its own"
                      : "give it to a build by `RUN --mount=type=secret,id=NAME`, and to a job by its environment");
    } else if (holder->job != NULL) {
        help_of_job(holder, diag, row, name);
    } else if (holder->image == NULL) {
        help_of_container(holder, diag, row);
    } else {
        help_of_image(holder, diag, row, name);
    }
}

// ---- the rules ---------------------------------------------------------------------------------------------------

typedef struct {
    RuleTexts texts; // first: a text comes with it
    const Holder *holder;
} TextsOfHolder;

static void check_one(const RuleTexts *texts, const Value *text) {
    check_text(((const TextsOfHolder *)texts)->holder, text->span, text->string);
}

static void check_value(const Holder *holder, const Value *value) {
    const TextsOfHolder texts = { .texts = { .rules = holder->rules, .subject = holder->subject, .attribute = "" },
                                  .holder = holder };
    if (value != NULL) {
        rules_each_text(&texts.texts, value, check_one);
    }
}

static void check_env(Holder holder, const Value *env) {
    for (uint32_t i = 0; env != NULL && env->kind == VALUE_MAP && i < env->map.count; i++) {
        holder.variable = env->map.entries[i].key;
        check_value(&holder, env->map.entries[i].value);
    }
}

void rules_credential(const Rules *rules, const Subject *subject, Span span, Str variable, Str text) {
    const Holder holder = { .rules = rules, .subject = subject, .variable = variable };
    check_text(&holder, span, text);
}

// A key is long, and has digits.
static bool may_be_key(Str word) {
    bool has_digit = false;
    for (size_t i = 0; i < word.len; i++) {
        has_digit = has_digit || char_is_digit(word.data[i]);
    }
    return word.len >= 20 && word.len < 256 && has_digit && str_find(word, STR("$"), 0) == word.len;
}

// The history of an image has its commands.
static void check_commands(const Holder *holder, const PlanDockerfile *file, const DockerStep *step) {
    for (uint32_t i = 0; step->is_read && i < step->commands.count; i++) {
        const ShellSimple *command = &step->commands.items[i];
        for (uint32_t k = 0; k < command->words.count; k++) {
            const Str word = command->words.items[k];
            const CredentialRow *row = may_be_key(word) ? find_row(holder->rules->session, STR_NONE, word, SURE) : NULL;
            if (row != NULL) {
                check_text(holder, docker_span(file, word), word);
                return;
            }
        }
    }
}

// ENV stays in the image, and the default of an ARG in its history.
void rule_docker_credentials(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const Holder of_step = { .rules = rules, .subject = file->subject, .is_of_docker = true };
        check_commands(&of_step, file, step);
        for (uint32_t k = 0; k < step->settings.count; k++) {
            const DockerSetting *setting = &step->settings.items[k];
            const Holder holder = {
                .rules = rules, .subject = file->subject, .variable = setting->name, .is_of_docker = true
            };
            if (setting->value.len > 0 && str_find(setting->value, STR("$"), 0) == setting->value.len) {
                check_text(&holder, setting->span, setting->value);
            }
        }
    }
}

void rule_credentials(const Rules *rules, const PlanJob *job) {
    const Holder holder = { .rules = rules, .subject = job->head.subject, .job = job };
    check_value(&holder, job->command);
    check_env(holder, job->env);
}

void rule_recipe_credentials(const Rules *rules, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    Holder holder = { .rules = rules, .subject = image->head.subject, .image = image };
    if (recipe == NULL) {
        return;
    }
    check_env(holder, recipe->env);
    check_value(&holder, recipe->command);
    holder.is_built = true;
    check_value(&holder, recipe->run);
    check_value(&holder, recipe->dockerfile);
}

void rules_secret_twice(const Rules *rules, const Subject *subject, Span secret, Str name, Span variable) {
    Diag *diag = plan_report(rules->session, subject, secret, DIAG(secret_twice), STR_ARG(name));
    diag_label(rules->session, diag, variable, "and a variable here");
    diag_help(rules->session, diag, "leave one of the two out");
}

// What stands in the place of a name.
void rules_secret_id(const Rules *rules, const Subject *subject, Span span, Str variable, Str id, bool is_parameter) {
    const CredentialRow *row = find_row(rules->session, variable, id, SURE);
    if (row == NULL) {
        return;
    }
    const char *kind = is_parameter ? "parameter" : "secret";
    Diag *diag = plan_report(rules->session, subject, span, DIAG(credential_as_name), kind, kind, row->what);
    diag_help(rules->session, diag, "%s, and write the name that it has there",
              is_parameter ? "put it into Parameter Store as a SecureString" : "put it into AWS Secrets Manager");
}

void rule_ids_of_secrets(const Rules *rules, const PlanJob *job) {
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        const PlanSecret *secret = &job->secrets.items[i];
        const Value *id = value_by_default(secret->id);
        if (id->kind == VALUE_STRING) {
            rules_secret_id(rules, job->head.subject, id->span, secret->name, id->string, secret->is_parameter);
        }
    }
}
