#!/bin/bash
# Kills and disturbs builds while they write: kills.sh KILLS DTC [N]. KILLS is tests/kills/kills.c, which says what
# must hold. Without N, it makes one disturbance at each system call of the write phase. With N, it makes all of them,
# and then N kills at random moments. A disturbance at a system call needs no disk, so it is made in memory if there is
# room.
set -u
cd "$(dirname "$0")/.." || exit 3

kills=$(realpath "$1") || exit 3
dtc=$(realpath "$2") || exit 3
count=${3:-}
memory=${TMPDIR:-/tmp}
[ ! -w /dev/shm ] || memory=/dev/shm
calls=$(mktemp -d "$memory/dtc-kills-XXXXXX") || exit 3
moments=$(mktemp -d) || exit 3
trap 'rm -rf "$calls" "$moments"' EXIT
cp tests/kills/*.dt "$calls" && cp tests/kills/*.dt "$moments" || exit 3
export LC_ALL=C NO_COLOR=1

if [ -z "$count" ]; then
    "$kills" short "$calls" "$dtc"
    exit
fi
"$kills" each "$calls" "$dtc" | tee "$calls/printed"
"$kills" random "$moments" "$dtc" "$count" | tee "$moments/printed"
tail -qn 1 "$calls/printed" "$moments/printed" | awk '
    /passed, / { passed += $1; failed += $3; skipped += $5; parts++ }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || parts != 2 }'
