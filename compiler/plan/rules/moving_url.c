// Addresses behind which another text may stand tomorrow.
#include "compiler/plan/rules/moving_url.h"

static const char *const BRANCHES[] = { "main", "master", "develop", "HEAD", "refs/heads/" };

static bool is_branch(Str rest) {
    for (size_t i = 0; i < COUNT_OF(BRANCHES); i++) {
        const Str name = str_of(BRANCHES[i]);
        const char after = str_at(rest, name.len);
        if (str_starts_with(rest, name) && (str_ends_with(name, STR("/")) || after == '/' || after == '.')) {
            return true;
        }
    }
    return false;
}

// What is behind "https://HOST/OWNER/REPOSITORY/"; empty of another address.
static Str in_repository(Str url, const char *host) {
    const Str start = str_of(host);
    if (!str_starts_with(url, start)) {
        return STR_NONE;
    }
    const size_t owner_end = str_find(url, STR("/"), start.len);
    const size_t name_end = owner_end < url.len ? str_find(url, STR("/"), owner_end + 1) : url.len;
    return name_end < url.len ? str_slice(url, name_end + 1, url.len) : STR_NONE;
}

const char *moving_url(Str url) {
    const Str raw = in_repository(url, "https://raw.githubusercontent.com/");
    const Str page = in_repository(url, "https://github.com/");
    const Str archive = STR("archive/");
    if (is_branch(raw) || (str_starts_with(page, archive) && is_branch(str_slice(page, archive.len, page.len))) ||
        (str_starts_with(page, STR("raw/")) && is_branch(str_slice(page, 4, page.len)))) {
        return "it is on a branch";
    }
    const bool is_latest = str_starts_with(page, STR("releases/latest/download/")) ||
                           str_ends_with(url, STR("/aws-efa-installer-latest.tar.gz"));
    return is_latest ? "it is the latest release of its day" : NULL;
}
