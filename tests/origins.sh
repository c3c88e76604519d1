#!/bin/bash
# Holds the reasons of what dtc writes against fixtures/origins.tsv: origins.sh DTC. Every fixture that builds is built
# with --source-map. Each constant of emitters/doc/constants.def then stands beside the keys whose values it explains,
# without what leads to them. UPDATE=1 writes the table anew.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

build() { # FOLDER
    local main=main.dt arguments='' file
    [ -e "$1/main.dt" ] || main=infra.dt
    [ ! -e "$1/run" ] || arguments=$(cat "$1/run")
    for file in "$1"/params.json "$1"/params.yaml; do
        [ ! -e "$file" ] || arguments="$arguments --params ${file##*/}"
    done
    [ ! -e "$1/facts.json" ] || arguments="$arguments --facts facts.json"
    # shellcheck disable=SC2086 # arguments
    (cd "$1" && "$dtc" build "$main" --core "$root/fixtures/core" $arguments --source-map -o "$scratch/${1##*/}") \
        >/dev/null 2>&1
}

# Between tabs: a constant, and the last key of a path that has it as an origin.
constants() { # MAP…
    awk '
        function text(line) { sub(/^ *"[a-z]*": "/, "", line); sub(/",?$/, "", line); return line }
        /^      "path": / {
            key = text($0)
            gsub(/\[[0-9]+\]/, "", key)
            sub(/.*\./, "", key)
        }
        /^          "kind": / { is_constant = text($0) == "constant" }
        /^          "name": / && is_constant { print text($0) "\t" key }' "$@" | sort -u
}

for folder in fixtures/valid/*/ fixtures/reference/*/; do
    build "${folder%/}" || fail "$folder" 'does not build with a source map'
done
constants "$scratch"/*/*.map.json >"$scratch/origins"
[ -z "${UPDATE:-}" ] || cp "$scratch/origins" fixtures/origins.tsv
diff -u fixtures/origins.tsv "$scratch/origins" >"$scratch/difference"
result $? 'each constant explains what fixtures/origins.tsv says'
head -n 40 "$scratch/difference"
sed -n 's/^WHY([A-Z0-9_]*, "\([^"]*\)".*/\1/p' emitters/doc/constants.def >"$scratch/names"
while read -r name; do
    grep -q "^$name	" fixtures/origins.tsv || fail "$name" 'no fixture writes a value that it explains'
done <"$scratch/names"
finish
