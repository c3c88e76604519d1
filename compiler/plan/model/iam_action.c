// Looks up actions and prefixes in lists of words.
#include "compiler/plan/model/iam_action.h"

#include "compiler/base/base.h"
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

void iam_offer_actions(const IamService *service, Suggestion *suggestion) {
    offer_words(str_of(service->without), suggestion);
    offer_words(str_of(service->with), suggestion);
}
