#!/bin/bash
# bash -n and shellcheck over every script of the tree and over those inside the templates that the fixtures expect.
set -u
cd "$(dirname "$0")/../.." || exit 3
passed=0
failed=0
skipped=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
has_shellcheck=$(command -v shellcheck)

check() { # NAME FILE
    if ! bash -n "$2" 2>"$scratch/report"; then
        :
    elif [ -n "$has_shellcheck" ] && ! shellcheck -S warning "$2" >"$scratch/report"; then
        :
    else
        passed=$((passed + 1))
        echo "ok $1"
        return
    fi
    failed=$((failed + 1))
    cat "$scratch/report"
    echo "not ok $1"
}

[ -n "$has_shellcheck" ] || {
    skipped=$((skipped + 1))
    echo "skipped: shellcheck is not installed: scripts are held against bash -n alone"
}
grep -rlE '^(#!/bin/(ba)?sh|# shellcheck shell=)' .ci tests stdlib fixtures --exclude='*.yaml' --exclude='*.json' --exclude='*.dt' |
    LC_ALL=C sort >"$scratch/list"
while read -r script; do
    # A script begins with the line, a piece of one with its directive; what only holds one, such as a MIME message, with
    # neither.
    [[ $(head -n 1 "$script") != @('#!/bin/'|'# shellcheck shell=')* ]] || check "$script" "$script"
done <"$scratch/list"

if python3 -c 'import yaml' 2>/dev/null; then
    python3 -B tests/conformance/template_scripts.py "$scratch/scripts" || failed=$((failed + 1))
    for script in "$scratch"/scripts/*; do
        [ -e "$script" ] && check "${script##*/}" "$script"
    done
else
    skipped=$((skipped + 1))
    echo "skipped: PyYAML is not installed: the templates were not searched for scripts"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
