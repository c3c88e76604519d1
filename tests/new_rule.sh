#!/bin/bash
# Holds `make new-rule` in a copy of the tree, and looks for words that it left to be written: new_rule.sh. What it lays
# compiles, stands at its place, and fails here until its words are there.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
export LC_ALL=C
root=$PWD
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

evidence() {
    cat "$scratch/said"
}

marked() { # TREE
    (cd "$1" && grep -rl --exclude=new_rule.sh 'NEW-RULE' compiler fixtures emitters schema) >"$scratch/said"
}

! marked . || fail 'no rule is left half written' "$(tr '\n' ' ' <"$scratch/said")"
! marked . && pass 'no rule is left half written'

tree=$scratch/tree
mkdir -p "$tree/fixtures/invalid" "$tree/fixtures/rules" "$tree/fixtures/foreign/clean" "$tree/emitters" "$tree/schema"
cp -r compiler "$tree"
cp -r fixtures/forms "$tree/fixtures"
new_rule() {
    (cd "$tree" && bash "$root/compiler/plan/rules/new_rule.sh" "$@") >"$scratch/said" 2>&1
}
refused() { # WHAT ARGUMENT…
    local what=$1
    shift
    ! new_rule "$@" && grep -q "$what" "$scratch/said" && grep -q '= help: ' "$scratch/said"
}
rows() { # FILE PATTERN…
    local file=$tree/$1
    shift
    # Line numbers of the patterns, each behind the one before.
    local last=0 line pattern
    for pattern; do
        line=$(grep -n "$pattern" "$file" | head -n 1 | cut -d: -f1)
        [ "${line:-0}" -gt "$last" ] || return
        last=$line
    done
}

given_once() {
    ! grep -q "\"$code\"" compiler/base/diag/*.def && grep -q "^DIAG(\"$code\"" "$tree/compiler/base/diag/codes.def"
}

claim 'a rule without a name is refused' refused 'no name'
claim 'so is a name that is none' refused 'no name of a function' Wanted template
claim 'and a room that is none' refused 'there is no room' efa_is_wanted cellar
claim 'and a name that is taken' refused 'is called' efa_refused template
claim 'and a code that was given' refused 'was given before' efa_is_wanted template DT0304
claim 'and one that is gone' refused 'was given before' efa_is_wanted template DT0560
claim 'and a subject that is none' refused 'no rule is about' efa_is_wanted template '' CLOUD
claim 'and a file that is in another room' refused 'no name of a file' efa_is_wanted template '' '' ../group/efa.c
claim 'and a file that the room lacks' refused 'has no file' efa_is_wanted template '' '' cellar.c
(cd "$tree" && cksum compiler/base/diag/*.def compiler/plan/rules/rules.def) >"$scratch/after"
cksum compiler/base/diag/*.def compiler/plan/rules/rules.def >"$scratch/before"
claim 'who is refused changed nothing' cmp -s "$scratch/before" "$scratch/after"

claim 'a rule over groups is laid' new_rule efa_is_wanted group '' GROUP efa.c
code=$(sed -n 's/^\(DT[0-9]*\) efa_is_wanted: .*/\1/p' "$scratch/said")
claim 'with a code that was never given' given_once
claim 'its files are there' test -s "$tree/fixtures/foreign/clean/$code-efa-is-wanted.yaml"
claim 'its row is in the matrix' grep -q "^$code: NEW-RULE" "$tree/fixtures/forms/group/cases"
example=$(sed -n 's/^.*`make new-rule NAME=\([a-z_]*\) ROOM=\([a-z]*\)`.*/\1_at_all \2/p' CONTRIBUTING.md)
# shellcheck disable=SC2086 # a name and a room
claim 'what CONTRIBUTING.md shows is laid' new_rule $example
example=compiler/plan/rules/${example#* }/${example% *}.c
claim 'in a file of its own' test -s "$tree/$example"
claim 'so is a rule of another room' new_rule words_are_read script DT0199
claim 'its code stands in order' rows compiler/base/diag/codes.def '"DT01[0-8]' '"DT0199"' '"DT0201"'
claim 'its explanation does' rows compiler/base/diag/explanations.def 'EXPLANATION(unexpected_token' 'EXPLANATION(words_are_read' 'EXPLANATION(name_unknown\|---- DT02'
claim 'and no rule is laid twice' refused 'is called' words_are_read script
claim 'what is laid is found while it is not written' marked "$tree"
compiles() {
    (cd "$tree" && gcc -std=c17 -D_GNU_SOURCE -I. -I"$root" -I"$root/build/generated" -Wall -Wextra -Wmissing-prototypes -Werror \
        -fsyntax-only compiler/plan/rules/group/efa.c "$example" compiler/plan/rules/script/words_are_read.c compiler/base/diag/prose.c \
        compiler/plan/rules/rules.c) >"$scratch/said" 2>&1
}
claim 'what is laid compiles' compiles
finish
