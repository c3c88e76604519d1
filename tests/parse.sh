#!/bin/bash
# Checks what dtc-collective says about outputs of benchmarks: parse.sh PROGRAM, or a program that runs it and then
# PROGRAM. It reads each fixtures/node/collective/NAME.txt or .json with the options of NAME.args. NAME.verdict holds
# the exit status and the verdict. UPDATE=1 rewrites those files.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
program=("$@")
scratch=$(mktemp) || exit 3
trap 'rm -f "$scratch"' EXIT

for arguments in fixtures/node/collective/*.args; do
    name=${arguments%.args}
    input=$name.txt
    [ -e "$input" ] || input=$name.json
    # shellcheck disable=SC2046 # words
    "${program[@]}" parse $(cat "$arguments") "$input" >"$scratch" 2>&1
    status=$?
    # A check a line; the name of this machine is not the fixture's.
    { echo "exit $status"; sed 's/"node":"[^"]*"/"node":""/; s/\({"id"\|\],"tool"\)/\n\1/g' "$scratch"; } >"$scratch.new"
    mv "$scratch.new" "$scratch"
    [ "${UPDATE:-}" != 1 ] || cp "$scratch" "$name.verdict"
    if diff -u "$name.verdict" "$scratch"; then
        pass "$name"
    else
        fail "$name"
    fi
done
finish
