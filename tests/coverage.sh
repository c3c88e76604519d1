#!/bin/bash
# Prints line coverage by file as gcov counts it, then what no fixture reaches: coverage.sh BUILD. Run it after `make
# COV=1` and the tests. The second part searches the text of the fixtures. So it lists what they do not even mention;
# what they mention may still be untested.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# gcov prints "File 'x.c'" and then "Lines executed:93.10% of 58".
find "$build/obj" -name '*.gcda' ! -path '*/obj/tests/*' | while read -r data; do
    gcov -n -r -s "$PWD" "$data" 2>/dev/null
done | awk '
    /^File / { file = $2; gsub("\047", "", file) }
    /^Lines executed/ && file ~ /^(compiler|emitters|schema)\/.*\.c$/ {
        split($0, parts, /[:% ]+/)
        lines[file] = $NF
        hit[file] = parts[3] * $NF / 100
        file = ""
    }
    END {
        for (file in lines) {
            printf "%-44s %6d lines %6.1f%%\n", file, lines[file], 100 * hit[file] / lines[file] | "sort"
            all += lines[file]
            reached += hit[file]
        }
        close("sort")
        printf "%-44s %6d lines %6.1f%%\n", "all", all, all ? 100 * reached / all : 0
    }'

# Names that stand on standard input, one a line, and do not occur in the fixtures.
absent() { # TITLE PATTERN-BEFORE PATTERN-AFTER
    local name count=0 missing=()
    while IFS= read -r name; do
        count=$((count + 1))
        grep -q -E "$2${name// / +}$3" "$scratch/sources" || missing+=("$name")
    done
    echo
    echo "$1: a fixture reaches $((count - ${#missing[@]})) of $count"
    [ "${#missing[@]}" = 0 ] || printf '%s\n' "${missing[@]}" | tr ' ' '-' | fmt -w 110 | sed 's/^/  /'
}

find fixtures -name '*.dt' -not -path 'fixtures/forms/*' -exec cat {} + 2>/dev/null | sed 's/#.*//' >"$scratch/sources"
for fixture in fixtures/invalid/DT*; do
    basename "${fixture%%-*}" >>"$scratch/sources"
done
sed -n 's/^DIAG("\(DT[0-9]*\)".*/\1/p' compiler/base/diag/codes.def | absent 'diagnostic codes' '^' '$'
sed -n 's/^BUILTIN(\([a-z]*\),.*/\1/p' compiler/semantics/builtins.def | absent functions '(^|[^a-z_])' '\('
sed -n 's/^UNIT(\([A-Za-z]*\),.*/\1/p' compiler/syntax/units.def | absent units '[0-9]' '([^A-Za-z]|$)'
printf '%s\n' use param 'late param' let output assert allow patch resource if for like |
    absent declarations '(^|[^a-z_])' ' '
find schema/kinds -name '*.yaml' -exec basename {} .yaml \; | LC_ALL=C sort | absent kinds '(^| )' ' +("|[a-z{])'
sed -n 's/^\([a-z0-9_]*\):$/\1/p' schema/types.yaml 2>/dev/null | absent 'pattern types, named by a param' '[:(] *' '([^a-z_]|$)'
for kind in network cluster nodes image job; do
    sed -n '/^attributes:/,/^[a-z]/s/^  \([a-z0-9_]*\):$/\1/p' "schema/kinds/$kind.yaml" 2>/dev/null |
        absent "attributes of $kind (by name alone)" '(^|[^a-z_.])' ' *='
done
