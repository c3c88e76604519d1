#!/bin/sh
# Runs each fuzz target in turn, starting from the fixtures: fuzz.sh BUILD SECONDS. An input that reaches new code
# stays in BUILD/corpus. An input that makes a target fail stays in BUILD/crashes.
set -u
cd "$(dirname "$0")/../.." || exit 3
build=$1
seconds=$2
failed=0
mkdir -p "$build/seeds" "$build/crashes"
find fixtures tests/fuzz/corpus -type f 2>/dev/null | while read -r file; do
    cp "$file" "$build/seeds/$(echo "$file" | tr '/' '_')"
done
# Fixes are looked for until FIX_BYTES_MAX bytes were used, which takes a sanitized program so many seconds.
timeout_of() { # TARGET
    case $1 in
    fuzz_fix | fuzz_mended) echo 120 ;;
    *) echo 20 ;;
    esac
}

for program in "$build"/tests/fuzz/fuzz_*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    mkdir -p "$build/corpus/$name"
    echo "$name: $seconds seconds"
    "$program" -max_total_time="$seconds" -timeout="$(timeout_of "$name")" -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" "$build/seeds" 2>"$build/$name.log" || {
        failed=1
        tail -n 40 "$build/$name.log"
    }
    grep -E '^stat::(number_of_executed_units|new_units_added)' "$build/$name.log"
done
exit "$failed"
