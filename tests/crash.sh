#!/bin/bash
# What dtc says when it crashes: crash.sh DTC. A run that waits for its reader gets each signal that a fault of dtc
# would raise, and another run exhausts its stack. Each ends with 70 and says what to report.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

evidence() {
    cat "$scratch/stderr"
}

judge() { # NAME STATUS SIGNAL
    local version
    version=$("$dtc" version | sed -n '1s/^dtc \([^ ]*\).*/\1/p')
    if [ "$2" != 70 ]; then
        fail "$1" "ended with status $2"
    elif ! grep -q "^dtc: internal error: $3 in dtc $version\$" "$scratch/stderr"; then
        fail "$1" "does not say what happened"
    elif ! grep -q '^dtc: this is a bug in dtc, not in the source: please report it' "$scratch/stderr"; then
        fail "$1" "does not ask for a report"
    else
        pass "$1"
    fi
}

# Standard output is a pipe that is full already.
signalled() { # SIGNAL
    local pid status state tries
    mkfifo "$scratch/pipe"
    exec 3<>"$scratch/pipe"
    dd if=/dev/zero of="$scratch/pipe" bs=4096 count=100000 oflag=nonblock 2>/dev/null
    "$dtc" help >"$scratch/pipe" 2>"$scratch/stderr" &
    pid=$!
    for ((tries = 0; tries < 500; tries++)); do
        state=$(sed -n 's/^State:[^A-Z]*\([A-Z]\).*/\1/p' "/proc/$pid/status" 2>/dev/null)
        name=$(sed -n 's/^Name:[^a-z]*//p' "/proc/$pid/status" 2>/dev/null)
        [ "$state" = S ] && [ "$name" = dtc ] && break
        sleep 0.01
    done
    kill -"$1" "$pid"
    wait "$pid" 2>/dev/null
    status=$?
    exec 3>&-
    rm -f "$scratch/pipe"
    judge "SIG$1" "$status" "SIG$1"
}

for signal in SEGV BUS FPE ILL ABRT; do
    signalled "$signal"
done

# As deep as brackets may be. With the usual stack it builds; with less and less it comes to the end of that.
{
    echo 'dt 1'
    echo
    printf 'let deep = '
    printf '[%.0s' $(seq 150)
    printf ']%.0s' $(seq 150)
    echo
} >"$scratch/deep.dt"
status=0
size=8192
while [ "$status" = 0 ] && [ "$size" -gt 64 ]; do
    { (ulimit -S -s "$size" && exec "$dtc" check "$scratch/deep.dt") >/dev/null 2>"$scratch/stderr"; } 2>/dev/null
    status=$?
    size=$((size * 3 / 4))
done
judge "the end of the stack" "$status" SIGSEGV

finish
