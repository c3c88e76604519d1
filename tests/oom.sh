#!/bin/bash
# Runs dtc on a machine without memory: oom.sh BUILD [all]. BUILD/tests/oom/oom lets each allocation of a small build
# fail in turn, or a sample of them without `all`. Then the installed form of dtc runs with less and less address
# space.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
build=$(realpath "$1") || exit 3
all=${2:-}
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

"$build/tests/oom/oom" tests/oom/project "$all" >"$scratch/log" 2>&1 || failed=1
sed '$d' "$scratch/log"
summary=$(tail -n 1 "$scratch/log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, .*$/\1 \2/p')
if [ -z "$summary" ]; then
    tail -n 1 "$scratch/log"
    summary='0 1'
fi
passed=${summary% *}
failed=${summary#* }

# From too little to start up to enough. Nothing in between is another thing than the one or the other.
cp tests/oom/project/* "$scratch"
cd "$scratch" || exit 3
inputs='--params params.yaml --params params.json --schema types.json --schema rows.yaml --facts facts.json'
refusals=0
wrong=0
size=2000
status=3
while [ "$status" != 0 ] && [ "$size" -lt 200000 ]; do
    # shellcheck disable=SC2086 # several words
    { (ulimit -v "$size" && exec "$build/dtc" build -o out $inputs) >/dev/null 2>stderr; } 2>/dev/null
    status=$?
    if [ "$status" = 3 ] && grep -q '^dtc: out of memory: ' stderr && [ ! -e out/plan.json ]; then
        refusals=$((refusals + 1))
    elif [ "$status" != 0 ] && [ "$refusals" -gt 0 ]; then
        echo "not ok with $size KiB: status $status: $(head -n 1 stderr)"
        wrong=1
    fi
    size=$((size + 64))
done
[ "$wrong" = 0 ] && [ "$status" = 0 ] && [ "$refusals" -gt 3 ]
result $? "with less and less address space: $refusals refusals, status $status at last"

finish
