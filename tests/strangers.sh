#!/bin/bash
# Lints public repositories that people who know nothing of dtc wrote: strangers.sh DTC [FOLDER].
#
# tests/strangers.tsv has a row for each: its commit, how many files dtc judges there, how many errors it reports, and how
# many of those a person has read and found true or false. An error is true where AWS, a tool or Kubernetes would refuse the
# file as it stands, or would do something else than it says. The last column has the false ones.
#
# FOLDER holds checkouts, FOLDER/OWNER/NAME, each at its commit. What is missing there is fetched from GitHub, and kept.
# Prints what differs from the table, and the sums; LIST=1 prints each error, too. Ends with 1 where an error has come or
# gone: read it, and write the row. Ends with 1 where a repository is missing, too.
# No part of `make check`: it needs a network, or the checkouts.
set -u
cd "$(dirname "$0")/.." || exit 3
dtc=$(realpath "$1") || exit 3
folder=${2:-build/strangers}
table=tests/strangers.tsv
mkdir -p "$folder" || exit 3
folder=$(realpath "$folder")
export LC_ALL=C NO_COLOR=1 GIT_TERMINAL_PROMPT=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# A checkout at the commit; says why there is none.
have() { # OWNER/NAME COMMIT
    local place=$folder/$1
    if [ ! -e "$place/.git" ]; then
        mkdir -p "$place" && git -C "$place" init -q || return 1
        if ! timeout 300 git -C "$place" fetch -q --depth 1 "https://github.com/$1" "$2" 2>"$scratch/git" ||
            ! git -C "$place" checkout -q FETCH_HEAD 2>"$scratch/git"; then
            echo "$1: not fetched: $(head -n 1 "$scratch/git")"
            rm -rf "$place/.git"
            return 1
        fi
    fi
    [ "$(git -C "$place" rev-parse HEAD)" = "$2" ] && return 0
    echo "$1: the checkout is not at $2"
    return 1
}

repositories=0 missing=0 differ=0 files=0 errors=0 true_ones=0 false_ones=0
while IFS=$'\t' read -r name commit judged said is_true is_false _; do
    case $name in '#'* | '') continue ;; esac
    if ! have "$name" "$commit"; then
        missing=$((missing + 1))
        continue
    fi
    repositories=$((repositories + 1))
    # The project's own settings would hide what is to be counted.
    (cd "$folder/$name" && "$dtc" lint --no-config --diagnostics json .) >"$scratch/said" 2>"$scratch/stderr"
    status=$?
    found=$(grep -c '^ *"severity": "error"' "$scratch/said")
    # The last line, which counts files, is there in text alone.
    (cd "$folder/$name" && "$dtc" lint --no-config --skip DT0389 .) >"$scratch/text" 2>&1
    seen=$(sed -n 's/^dtc: \([0-9]*\) files\{0,1\} checked.*/\1/p' "$scratch/text" | tail -n 1)
    if [ "$status" -gt 1 ]; then
        echo "$name: dtc ends with $status: $(tail -n 1 "$scratch/stderr")"
        differ=$((differ + 1))
    elif [ "$found" != "$said" ] || [ "${seen:-0}" != "$judged" ] || [ $((is_true + is_false)) != "$said" ]; then
        echo "$name: $found errors in ${seen:-0} files, and the table has $said in $judged, $is_true true and $is_false false"
        differ=$((differ + 1))
    fi
    [ -z "${LIST:-}" ] || awk -v name="$name" -F'"' '
        $2 == "code" { code = $4 } $2 == "severity" { severity = $4 } $2 == "message" { message = $0 }
        $2 == "file" { file = $4 } $2 == "line" && severity == "error" {
            gsub(/[^0-9]/, ""); sub(/^ *"message": "/, "", message); sub(/",$/, "", message)
            print name "\t" code "\t" file ":" $0 "\t" message; severity = "" }' "$scratch/said"
    files=$((files + ${seen:-0})) errors=$((errors + found))
    true_ones=$((true_ones + is_true)) false_ones=$((false_ones + is_false))
done <"$table"

echo "$repositories repositories, $files files judged, $errors errors: $true_ones true, $false_ones false, as they were read"
echo "$missing repositories missing, $differ differ from $table"
[ "$missing" = 0 ] && [ "$differ" = 0 ]
