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

# ---- a crash on one file of many

# 24 files that take a while, between two with a finding each.
mkdir "$scratch/many"
printf 'Resources:\n  R: { Type: AWS::SNS::Topic, Properties: { TopicName: !Ref N } }\n' >"$scratch/many/a.yaml"
cp "$scratch/many/a.yaml" "$scratch/many/z.yaml"
{
    echo 'Parameters: { P: { Type: String } }'
    echo 'Conditions:'
    seq 40 | sed 's/.*/  C&: !Equals [!Ref P, a&]/'
    echo 'Resources:'
    seq 1000 | sed 's/.*/  R&: { Type: AWS::EC2::VPC, Properties: { CidrBlock: !If [C1, 10.0.0.0\/16, 10.1.0.0\/16] } }/'
} >"$scratch/many/slow00.yaml"
for number in $(seq -w 1 23); do
    cp "$scratch/many/slow00.yaml" "$scratch/many/slow$number.yaml"
done

# Waits until a process has worked for a while, on one of the slow files. It is one thread: the signal hits that.
signal_at_work() { # PID
    local ticks=0 tries
    for ((tries = 0; tries < 1000 && ticks < 20; tries++)); do
        ticks=$(awk '{ print $14 }' "/proc/$1/stat" 2>/dev/null || echo 20)
        sleep 0.01
    done
    kill -SEGV "$1"
}

child_of() { # PID
    local tries child=
    for ((tries = 0; tries < 500 && ${#child} == 0; tries++)); do
        child=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
        [ -n "$child" ] || sleep 0.01
    done
    echo "${child%% *}"
}

crashed_files() {
    sed -n 's/^dtc: internal error: SIGSEGV in dtc [^ ]* at //p' "$scratch/stderr" | sort
}

# Processors are not the point: with one of them, the process is one thread.
on_files() { # NAME CRASHES COMMAND…
    local name=$1 wanted=$2 status pid
    shift 2
    taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$@" >"$scratch/stdout" 2>"$scratch/stderr" &
    pid=$!
    signal_at_work "$pid"
    if [ "$wanted" = 2 ]; then
        signal_at_work "$(child_of "$pid")"
    fi
    wait "$pid" 2>/dev/null
    status=$?
    if [ "$status" != 70 ]; then
        fail "$name" "ended with status $status"
    elif [ "$(crashed_files | grep -c slow)" != "$wanted" ]; then
        fail "$name" "does not name the file"
    elif [ "$(cat "$scratch/stdout" "$scratch/stderr" | grep -c 'DT1608.*N')" -lt 2 ]; then
        fail "$name" "leaves out what is wrong with the other files"
    elif [ "$(grep -c 'DT1898' "$scratch/stdout")" -lt "$wanted" ]; then
        fail "$name" "has no message for the file"
    else
        pass "$name"
    fi
}

on_files "a crash on one of many files" 1 "$dtc" lint --diagnostics github "$scratch/many"
on_files "two crashes on many files" 2 "$dtc" lint --diagnostics junit "$scratch/many"

finish
