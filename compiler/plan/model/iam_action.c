// Looks up actions and prefixes in lists of words.
#include "compiler/plan/model/iam_action.h"

#include "compiler/base/base.h"
#include "compiler/base/session.h"
#include "compiler/base/words.h"

static const IamService SERVICES[] = {
#define IAM_SERVICE(prefix, arns, without, with) { prefix, arns, without, with },
#include "schema/iam_actions.def"
};

static const char PREFIXES[] =
#define IAM_PREFIX(prefixes) prefixes
#include "schema/iam_actions.def"
    ;

static const char *const OTHERS[][2] = {
#define IAM_OTHER(written, meant) { written, meant },
#include "schema/iam_actions.def"
};

static void offer_words(Str list, Suggestion *suggestion) {
    size_t offset = 0;
    Str word;
    while (!suggest_is_idle(suggestion) && words_next(list, &offset, &word)) {
        suggest_offer(suggestion, word);
    }
}

const IamService *iam_service(Str prefix) {
    for (size_t i = 0; i < COUNT_OF(SERVICES); i++) {
        if (str_is_in_any_case(prefix, SERVICES[i].prefix)) {
            return &SERVICES[i];
        }
    }
    return NULL;
}

bool iam_is_prefix(Str prefix) {
    return words_have_in_any_case(str_of(PREFIXES), prefix);
}

Str iam_prefix_meant(Str name) {
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        if (str_is_in_any_case(name, OTHERS[i][0])) {
            return str_of(OTHERS[i][1]);
        }
    }
    return STR_NONE;
}

void iam_offer_prefixes(Suggestion *suggestion) {
    offer_words(str_of(PREFIXES), suggestion);
}

IamActionKind iam_action_kind(const IamService *service, Str name) {
    return words_have_in_any_case(str_of(service->without), name) ? IAM_ACTION_WITHOUT_ARN
           : words_have_in_any_case(str_of(service->with), name)  ? IAM_ACTION_WITH_ARN
                                                                  : IAM_ACTION_UNKNOWN;
}

// The only word that is surely meant, letters of either size being one; empty: none, or several are.
static Str near_in_any_case(Session *session, Str list, Str name, uint32_t *count) {
    const Str small = str_small(session->arena, name);
    Str found = STR_NONE;
    size_t offset = 0;
    Str word;
    while (words_next(list, &offset, &word)) {
        Suggestion one = suggest_for(session, small);
        suggest_offer(&one, str_small(session->arena, word));
        const bool is_near = suggest_is_sure(&one);
        found = is_near ? word : found;
        *count += is_near ? 1 : 0;
    }
    return found;
}

Str iam_action_near(Session *session, const IamService *service, Str name) {
    Suggestion suggestion = suggest_for(session, name);
    offer_words(str_of(service->without), &suggestion);
    offer_words(str_of(service->with), &suggestion);
    if (suggest_is_sure(&suggestion) || suggest_is_idle(&suggestion)) {
        return suggest_is_sure(&suggestion) ? suggestion.best : STR_NONE;
    }
    uint32_t count = 0;
    const Str without = near_in_any_case(session, str_of(service->without), name, &count);
    const Str with = near_in_any_case(session, str_of(service->with), name, &count);
    return count == 1 ? (without.len > 0 ? without : with) : STR_NONE;
}
