#!/bin/bash
# Disturbs builds while they write: kills.sh KILLS DTC [N]. KILLS is tests/kills/kills.c, which says what must hold.
# Without N, one disturbance at each system call of the write phase, in memory where there is room; with N, all of them at
# each call, then N kills at random moments, on the disk.
set -u
cd "$(dirname "$0")/.." || exit 3

kills=$(realpath "$1") || exit 3
dtc=$(realpath "$2") || exit 3
count=${3:-}
parent=${TMPDIR:-/tmp}
[ -n "$count" ] || [ ! -w /dev/shm ] || parent=/dev/shm
scratch=$(mktemp -d "$parent/dtc-kills-XXXXXX") || exit 3
trap 'rm -rf "$scratch"' EXIT
cp tests/kills/*.dt "$scratch" || exit 3
export LC_ALL=C NO_COLOR=1

if [ -z "$count" ]; then
    "$kills" short "$scratch" "$dtc"
    exit
fi
status=0
"$kills" each "$scratch" "$dtc" | tee "$scratch/each" || true
"$kills" random "$scratch" "$dtc" "$count" | tee "$scratch/random" || true
awk '/passed, / { passed += $1; failed += $3; skipped += $5 }
     END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || NR == 0 }' \
    <(tail -n 1 "$scratch/each") <(tail -n 1 "$scratch/random") || status=1
exit "$status"
