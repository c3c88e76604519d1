#!/bin/bash
# Holds what dt(5) promises of `dt 1`: promises.sh DTC. What a release has, later ones have too.
#
#   fixtures/promises/language.tsv   kinds, attributes, what each takes, on which target, its default; functions; types;
#                                    reserved words; codes of messages
#   fixtures/promises/stacks.tsv     of each reference architecture, the files, and in templates the logical ids with
#                                    their types, and the exports
#
# UPDATE=1 adds what is new. It takes nothing away: a line that goes breaks a promise, and is removed by a person who
# says why in the commit. A reserved word cannot be added at all, since files may have it as a name.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

# Reads `dtc explain KIND`: a line "  NAME : TYPE | TYPE, required" or "  NAME : TYPE = default", with "for: TARGETS"
# below it. Alternatives stand between " | " outside of brackets.
members() { # KIND
    "$dtc" explain "$1" | awk -v kind="$1" '
    function row(what, name, value) {
        printf "%s\t%s.%s%s\n", what, kind, name, value == "" ? "" : "\t" value
    }

    function take(types,    depth, at, from, letter) {
        types = types " | "
        from = 1
        for (at = 1; at <= length(types); at++) {
            letter = substr(types, at, 1)
            depth += letter == "("
            depth -= letter == ")"
            if (depth == 0 && substr(types, at, 3) == " | ") {
                row("takes", name, substr(types, from, at - from))
                from = at + 3
            }
        }
    }

    /^  [a-z_0-9]+ : / {
        name = $1
        rest = substr($0, length($1) + 6)
        is_required = sub(/, required$/, "", rest)
        at = index(rest, " = ")
        given = at == 0 ? "" : substr(rest, at + 3)
        row("attribute", name)
        take(at == 0 ? rest : substr(rest, 1, at - 1))
        if (!is_required) {
            row("optional", name)
        }
        if (given != "") {
            row("default", name, given)
        }
    }

    /^      for: / {
        sub(/^      for: /, "")
        gsub(/\*/, "")
        count = split($0, targets, ", ")
        for (i = 1; i <= count; i++) {
            row("target", name, targets[i])
        }
    }'
}

language() {
    "$dtc" explain kinds | awk '/^[a-z]/' >"$scratch/kinds"
    while read -r kind; do
        printf 'kind\t%s\n' "$kind"
        members "$kind"
    done <"$scratch/kinds"
    "$dtc" explain functions | awk '/^[a-z]/ { print "function\t" $0 }'
    "$dtc" explain types | awk '/^[a-z]/ { print "type\t" $1 }'
    awk -F'"' '/^DIAG\(/ { print "code\t" $2 }' compiler/base/diag/codes.def
    awk -F'"' '/"DT[0-9]+"/ { print "code\t" $2 }' compiler/base/diag/retired.def
}

reserved() {
    awk -F'"' '/^KEYWORD\(/ { print "reserved\t" $2 }' compiler/syntax/token.def
}

# A template has two blanks before an id and four before its type. An export is a name behind the name of the stack.
stacks() {
    for folder in fixtures/reference/*/expected; do
        name=${folder#fixtures/reference/}
        name=${name%/expected}
        for file in "$folder"/*; do
            printf 'file\t%s\t%s\n' "$name" "${file##*/}"
        done
        for file in "$folder"/*.cfn.yaml; do
            [ -e "$file" ] || continue
            awk -v name="$name" -v file="${file##*/}" '
            /^[A-Za-z]+:/ { section = $1 }
            section == "Resources:" && /^  [A-Za-z0-9]+:$/ { id = substr($1, 1, length($1) - 1) }
            section == "Resources:" && /^    Type: / { print "id\t" name "\t" file "\t" id "\t" $2 }
            section == "Outputs:" && /^      Name: / { print "export\t" name "\t" file "\t" $NF }' "$file"
        done
    done
}

# PROMISED holds lines that FOUND lacks, or lacks some that it has.
compare() { # WHAT PROMISED FOUND
    sort -u "$3" >"$scratch/found"
    if [ -n "${UPDATE:-}" ]; then
        touch "$2"
        sort -u "$2" "$scratch/found" >"$scratch/all" && cp "$scratch/all" "$2"
    fi
    sort -u "$2" >"$scratch/promised"
    comm -23 "$scratch/promised" "$scratch/found" >"$scratch/broken"
    comm -13 "$scratch/promised" "$scratch/found" >"$scratch/new"
    if [ -s "$scratch/broken" ]; then
        fail "$1: what was there is there" "gone from $2" "$scratch/broken"
    else
        pass "$1: what was there is there"
    fi
    if [ -s "$scratch/new" ]; then
        fail "$1: what is new is promised" "run with UPDATE=1" "$scratch/new"
    else
        pass "$1: what is new is promised"
    fi
}

language >"$scratch/language"
compare language fixtures/promises/language.tsv "$scratch/language"
stacks >"$scratch/stacks"
compare stacks fixtures/promises/stacks.tsv "$scratch/stacks"

# The words of edition 1; none is ever added to them.
expected='allow as assert dt else false for if in late let like null on output param patch resource true use'
claim 'no word is reserved that was not' [ "$(reserved | cut -f2 | sort | xargs)" = "$(echo "$expected" | xargs -n1 | sort | xargs)" ]

# A test that reads nothing finds nothing.
claim 'there are kinds, attributes and ids' [ "$(grep -cE '^(attribute|id)' fixtures/promises/language.tsv)" -gt 150 ]
finish
