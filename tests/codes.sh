#!/bin/bash
# Holds that a code has one home: codes.sh. Its home is the folder whose functions report it, and tests/codes.tsv lists the
# codes that have several, CODE<TAB>FOLDER…; none may come to the list, and none gets a further home. TABLE=1 prints each
# code with its severity and its name, and below it the functions, tables and macros that report it; of a function that
# several rules call, which.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
export LC_ALL=C
known=tests/codes.tsv
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

find compiler emitters schema -name '*.[ch]' | sort |
    xargs awk -f tests/support/sources.awk -f tests/codes.awk compiler/base/diag/codes.def | sort >"$scratch/reported"

if [ -n "${TABLE:-}" ]; then
    find compiler/plan -name '*.c' | sort | xargs awk -f tests/support/sources.awk -f tests/callers.awk \
        compiler/base/diag/codes.def | sort -u >"$scratch/callers"
    awk -F '\t' '
        NR == FNR {
            if (several[$1, $2]++) rules[$1, $2] = rules[$1, $2] ", "
            rules[$1, $2] = rules[$1, $2] $3
            next
        }
        function asked() {
            return several[$4, $5] > 1 ? " (asked by " rules[$4, $5] ")" : ""
        }
        $1 != code { printf "%s%s %-7s %s\n", code ? "\n" : "", $1, $2, $3; code = $1; file = "" }
        $4 != file { printf "%s  %s: %s%s", file ? "\n" : "", $4, $5, asked(); file = $4; next }
        { printf ", %s%s", $5, asked() }
        END { print "" }' "$scratch/callers" "$scratch/reported"
    exit
fi

sed -n 's/^DIAG("\(DT[0-9]*\)".*/\1/p' compiler/base/diag/codes.def | sort >"$scratch/codes"
cut -f1 "$scratch/reported" | sort -u | comm -3 - "$scratch/codes" >"$scratch/homeless"
claim 'each code is reported somewhere' [ ! -s "$scratch/homeless" ]

awk -F '\t' '
    { sub(/[^\/]*$/, "", $4) }
    !(($1, $4) in is_known) { is_known[$1, $4]; count[$1]++; homes[$1] = homes[$1] "\t" $4 }
    END { for (code in homes) if (count[code] > 1) print code homes[code] }' "$scratch/reported" | sort >"$scratch/several"
while IFS=$'\t' read -r code homes; do
    fail "$code has no home but those that it had" "it is reported in $homes: ask what one of them sees"
done < <(comm -23 "$scratch/several" <(sort "$known"))
while IFS=$'\t' read -r code homes; do
    grep -q "^$code" "$scratch/several" || fail "$code has several homes" "it has one: remove its row from $known"
done < <(comm -13 "$scratch/several" <(sort "$known"))
[ "$failed" != 0 ] || pass "$(wc -l <"$known") codes have several homes, all others one"
finish
