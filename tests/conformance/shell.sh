#!/bin/bash
# Runs bash -n and shellcheck over every script of the tree but those of strangers, and over those inside the templates
# that the fixtures expect.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
has_shellcheck=$(command -v shellcheck)

# The scripts to be checked, and what the claim of each is called. shellcheck takes longer to start than to read most of
# them, so one process reads all.
files=() names=()

# What shellcheck says of each file, as FILE:LINE:COLUMN: TEXT. It looks at the sources of a script as well, and speaks of
# the script alone.
declare -A found=()
look() {
    local line
    shellcheck -x -S warning -f gcc -- "$@" >"$scratch/found" 2>&1
    [ $? -le 1 ] || fail 'shellcheck comes to an end' '' "$scratch/found"
    while IFS= read -r line; do
        [[ $line =~ ^(.*):[0-9]+:[0-9]+:\  ]] || fail 'shellcheck names files and lines' "$line"
        found[${BASH_REMATCH[1]:-}]+=$line$'\n'
    done <"$scratch/found"
}

# Scripts of templates that are the same, byte for byte, are read once: `same` has the one that is read.
declare -A same=()
judge() { # NAME FILE
    local file=${same[$2]:-$2}
    if ! bash -n "$file" 2>"$scratch/report"; then
        :
    elif [ -n "${found[$file]:-}" ]; then
        printf '%s' "${found[$file]}" >"$scratch/report"
    else
        pass "$1"
        return
    fi
    fail "$1" 'is not right' "$scratch/report"
}

[ -n "$has_shellcheck" ] || skip 'shellcheck is not installed: scripts are held against bash -n alone'
grep -rlE '^(#!/bin/(ba)?sh|# shellcheck shell=)' .ci tests stdlib fixtures --exclude='*.yaml' --exclude='*.json' --exclude='*.dt' --exclude-dir=foreign |
    LC_ALL=C sort >"$scratch/list"
while read -r script; do
    # A script begins with the line, a piece of one with its directive; what only holds one, such as a MIME message,
    # with neither.
    [[ $(head -n 1 "$script") != @('#!/bin/'|'# shellcheck shell=')* ]] || {
        files+=("$script")
        names+=("$script")
    }
done <"$scratch/list"

if python3 -c 'import yaml' 2>/dev/null; then
    python3 -B tests/conformance/template_scripts.py "$scratch/scripts"
    result $? 'the scripts of templates are found'
    for script in "$scratch"/scripts/*; do
        [ -e "$script" ] || continue
        files+=("$script")
        names+=("${script##*/}")
    done
else
    skip 'PyYAML is not installed: the templates were not searched for scripts'
fi

declare -A first=()
distinct=()
for file in "${files[@]}"; do
    if [[ $file = "$scratch"/* ]]; then
        IFS= read -r -d '' text <"$file"
        same[$file]=${first[$text]:=$file}
    fi
    [ "${same[$file]:-$file}" != "$file" ] || distinct+=("$file")
done
[ -z "$has_shellcheck" ] || look "${distinct[@]}"
for i in "${!files[@]}"; do
    judge "${names[i]}" "${files[i]}"
done
finish
