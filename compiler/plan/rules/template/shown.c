// A rule about parameters that hold secrets: CloudFormation shows the values of all others.
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/plan/model/allow.h"

// What a name of a secret ends with, in any case and without `-` and `_`.
static const char *const SECRET_ENDS[] = { "password",         "passwd",    "passphrase",  "secretkey",
                                           "secretaccesskey",  "apikey",    "apitoken",    "hftoken",
                                           "huggingfacetoken", "authtoken", "accesstoken", "wandbkey",
                                           "privatekey" };

static Str plain(Arena *arena, Str name) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] != '-' && name.data[i] != '_') {
            strbuf_add_char(&text, char_small(name.data[i]));
        }
    }
    return strbuf_str(&text);
}

static bool is_secret(Arena *arena, const PlanNamed *parameter) {
    const Str name = plain(arena, parameter->name);
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(SECRET_ENDS); i++) {
        is = is || str_ends_with(name, str_of(SECRET_ENDS[i]));
    }
    return is && str_is(parameter->type, "String");
}

static bool is_hidden(const Data *parameter) {
    const Data *echo = data_get(parameter, "NoEcho");
    return echo != NULL &&
           (echo->kind == DATA_BOOL ? echo->boolean
                                    : echo->kind != DATA_STRING || str_is_in_any_case(echo->string, "true"));
}

// One whose values are a few words says whether there is a password, or which.
static bool is_choice(const Data *parameter) {
    return data_get(parameter, "AllowedValues") != NULL;
}

// The name of a secret that is kept elsewhere is none.
static bool is_of_store(const Data *parameter) {
    static const char *const STORES[] = { "Secrets Manager", "SecretsManager",  "secretsmanager",    "secret ARN",
                                          "ARN of",          "Parameter Store", "name of the secret" };
    const Str description = data_text(parameter, "Description");
    const Str given = data_text(parameter, "Default");
    bool is = str_starts_with(given, STR("arn:")) || str_starts_with(given, STR("{{resolve:"));
    for (size_t i = 0; i < COUNT_OF(STORES); i++) {
        is = is || str_has(description, STORES[i]);
    }
    return is;
}

void rule_template_shown(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind != NAMED_PARAMETER || named->data->kind != DATA_MAP || is_hidden(named->data) ||
            is_choice(named->data) || is_of_store(named->data) || !is_secret(rules->session->arena, named)) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, named->subject, named->span, DIAG(parameter_shown), STR_ARG(named->name));
        diag_help(rules->session, diag, "write `NoEcho: true` into it");
        const DataEntry *type = data_entry(named->data, "Type");
        if (data_get(named->data, "NoEcho") == NULL) {
            rule_insert_beside(rules, diag, type->key_span, STR("NoEcho"), STR("true"));
        }
    }
}
