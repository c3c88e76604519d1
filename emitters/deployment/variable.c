// Makes names of environment variables from those of parameters.
#include "emitters/deployment/variable.h"

// Variables that a shell or a login sets (POSIX, XBD 8.3 and XCU 2.5.3; bash(1), Shell Variables, 2026-11), and the one
// that the command takes itself: `Path="${PATH:?}"` would always find a value, and never the one that is meant.
static const char *const TAKEN[] = {
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "CDPATH",
    "COLUMNS",
    "DIRSTACK",
    "DISPLAY",
    "EDITOR",
    "ENV",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTFILE",
    "HISTSIZE",
    "HOME",
    "HOST",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LANG",
    "LANGUAGE",
    "LINENO",
    "LINES",
    "LOGNAME",
    "MACHTYPE",
    "MAIL",
    "MAILPATH",
    "NLSPATH",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "OSTYPE",
    "PAGER",
    "PATH",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "S3_BUCKET",
    "SECONDS",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TERM",
    "TMPDIR",
    "TZ",
    "UID",
    "USER",
    "USERNAME",
    "VISUAL",
};

// Beginnings of such; the AWS CLI's own mean something to the very command.
static const char *const TAKEN_BEGINNINGS[] = { "AWS_", "BASH_", "LC_" };

static bool is_taken(Str name) {
    bool is_found = false;
    for (size_t i = 0; i < COUNT_OF(TAKEN) && !is_found; i++) {
        is_found = str_is(name, TAKEN[i]);
    }
    for (size_t i = 0; i < COUNT_OF(TAKEN_BEGINNINGS) && !is_found; i++) {
        is_found = str_starts_with(name, str_of(TAKEN_BEGINNINGS[i]));
    }
    return is_found;
}

void variable_add(StrBuf *text, Str parameter) {
    const size_t start = text->len;
    for (size_t i = 0; i < parameter.len; i++) {
        char c = parameter.data[i];
        bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper && i > 0) {
            strbuf_add_char(text, '_');
        }
        strbuf_add_char(text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    if (is_taken(str_slice(strbuf_str(text), start, text->len))) {
        strbuf_add_char(text, '_');
    }
}
