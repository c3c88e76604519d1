#!/bin/bash
# Runs bash -n and shellcheck over every script of the tree, and over those inside the templates that the fixtures
# expect.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
has_shellcheck=$(command -v shellcheck)

check() { # NAME FILE
    if ! bash -n "$2" 2>"$scratch/report"; then
        :
    elif [ -n "$has_shellcheck" ] && ! shellcheck -x -S warning "$2" >"$scratch/report"; then
        :
    else
        pass "$1"
        return
    fi
    fail "$1" 'is not right' "$scratch/report"
}

[ -n "$has_shellcheck" ] || skip 'shellcheck is not installed: scripts are held against bash -n alone'
grep -rlE '^(#!/bin/(ba)?sh|# shellcheck shell=)' .ci tests stdlib fixtures --exclude='*.yaml' --exclude='*.json' --exclude='*.dt' |
    LC_ALL=C sort >"$scratch/list"
while read -r script; do
    # A script begins with the line, a piece of one with its directive; what only holds one, such as a MIME message,
    # with neither.
    [[ $(head -n 1 "$script") != @('#!/bin/'|'# shellcheck shell=')* ]] || check "$script" "$script"
done <"$scratch/list"

if python3 -c 'import yaml' 2>/dev/null; then
    python3 -B tests/conformance/template_scripts.py "$scratch/scripts"
    result $? 'the scripts of templates are found'
    for script in "$scratch"/scripts/*; do
        [ -e "$script" ] && check "${script##*/}" "$script"
    done
else
    skip 'PyYAML is not installed: the templates were not searched for scripts'
fi
finish
