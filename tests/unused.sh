#!/bin/sh
# Looks for what nobody uses: unused.sh. The compiler reports it within a file, and this between files.
#
#   functions     that a header declares are used by another file than their own, be it a test, or by the header's own
#                 inline functions, which others use
#   enumerators   and macros of a header occur a second time, somewhere
#   rows          of schema/constants.yaml are read by the compiler
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# What stays without a use, and why.
stays='
EKS_IMAGE_NONE   what a row has that names no image
NODE_EXIT_ENDED  shells make this status of a signal
'

find compiler schema emitters stdlib tests -name '*.[ch]' -o -name '*.def' | sort >"$scratch/files"
xargs awk -v stays="$stays" '
function module_of(path) {
    sub(/\.[ch]$/, "", path)
    return path
}

FNR == 1 {
    module = module_of(FILENAME)
    is_header = FILENAME ~ /\.h$/ && FILENAME !~ /^tests\//
}

{
    sub(/\/\/.*/, "")
    text = $0
}

# A function: its name stands before the first bracket of a line at the margin.
is_header && /^[A-Za-z].*[ *][a-z][a-z0-9_]*\(/ && !/^(typedef|static|return|extern|#)/ {
    match(text, /[a-z][a-z0-9_]*\(/)
    home[substr(text, RSTART, RLENGTH - 1)] = module
}

{
    # An enumerator, or a macro; rows of tables that macros make have brackets.
    is_new = is_header && (text ~ /^#define / || text ~ /^(    |enum \{ |typedef enum \{ )[A-Z][A-Z0-9_]+[^(]*$/)
    for (first = 1; match(text, /[A-Za-z_][A-Za-z0-9_]*/); text = substr(text, RSTART + RLENGTH)) {
        word = substr(text, RSTART, RLENGTH)
        if (is_new && word ~ /^[A-Z][A-Z0-9_]*[A-Z0-9]$/)
            capitals[word] = FILENAME
        count[word]++
        if (is_header && text ~ /^ / && word in home && home[word] == module)
            is_shared[word] = 1
        if (users[word] == "")
            users[word] = module
        else if (users[word] != module)
            is_shared[word] = 1
    }
}

END {
    for (name in home)
        if (!is_shared[name])
            printf "%s of %s: nobody else uses the function, so that it is static or goes\n", name, home[name]
    for (name in capitals)
        if (count[name] == 1 && index(stays, "\n" name " ") == 0)
            printf "%s of %s: nobody uses it\n", name, capitals[name]
}' <"$scratch/files" | sort >"$scratch/unused"
[ ! -s "$scratch/unused" ]
result $? 'what a header declares is used'
sed 's/^/    /' "$scratch/unused"

sed -n 's/^\([a-z0-9_]*\):$/\1/p' schema/constants.yaml | tr '[:lower:]' '[:upper:]' |
    while read -r name; do
        xargs grep -qw "CONSTANT_$name" <"$scratch/files" || echo "$name"
    done >"$scratch/unread"
[ ! -s "$scratch/unread" ]
result $? 'each number of the schema is read'
sed 's/^/    /' "$scratch/unread"

finish
