#!/bin/bash
# dtc-collective among 2, 4 and 8 network namespaces, joined by a bridge: collective.sh PROGRAM [SHIM]. Each fault has to
# be named, by the right rank, in bounded time, and a sound network must pass. LONG=N: N clean runs of each size
# instead of a few, and each fault at each size.
set -u
cd "$(dirname "$0")/.." || exit 3
program=$(realpath "$1")
shim=${2:+$(realpath "$2")}
long=${LONG:-0}
passed=0
failed=0
skipped=0

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
    exit
}

skip() { # WHAT WHY
    skipped=$((skipped + 1))
    echo "skipped: $1: $2"
}

# ---- a world of our own

if [ -z "${COLLECTIVE_INSIDE:-}" ]; then
    for tool in ip tc nft unshare; do
        command -v "$tool" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin
        if ! command -v "$tool" >/dev/null 2>&1; then
            skip 'collectives between network namespaces' "$tool is not installed"
            finish
        fi
    done
    if ! ldconfig -p 2>/dev/null | grep -q 'libfabric\.so\.1' && ! /sbin/ldconfig -p | grep -q 'libfabric\.so\.1'; then
        skip 'collectives between network namespaces' 'libfabric1 is not installed'
        finish
    fi
    user=
    [ "$(id -u)" = 0 ] || user=--map-root-user
    # shellcheck disable=SC2086 # nothing, or one word
    if ! unshare $user --net --mount sh -c 'mkdir -p /run/netns && mount -t tmpfs none /run/netns &&
        ip link add probe type bridge && ip netns add probe && ip netns exec probe true' >/dev/null 2>&1; then
        skip 'collectives between network namespaces' 'network namespaces are not allowed here'
        finish
    fi
    export COLLECTIVE_INSIDE=1 PATH
    # shellcheck disable=SC2086
    exec unshare $user --net --mount bash "$0" "$@"
fi

mkdir -p /run/netns && mount -t tmpfs none /run/netns || exit 3
scratch=$(mktemp -d) || exit 3
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
port=7471

build_world() { # N
    local i
    ip link add bridge0 type bridge
    ip link set bridge0 up
    for ((i = 0; i < $1; i++)); do
        ip netns add "r$i"
        ip link add "port$i" type veth peer name eth0 netns "r$i"
        ip link set "port$i" master bridge0 up
        ip -n "r$i" link set lo up
        ip -n "r$i" link set eth0 up
        ip -n "r$i" addr add "10.9.0.$((i + 1))/24" dev eth0
    done
}

end_world() { # N
    local i
    for ((i = 0; i < $1; i++)); do
        ip netns del "r$i"
    done
    ip link del bridge0
    # What is left of veth pairs goes with their namespaces, but not at once.
    while ip link show type veth | grep -q port; do sleep 0.05; done
}

slow_out() { # RANK MBIT
    ip netns exec "r$1" tc qdisc replace dev eth0 root tbf rate "$2mbit" burst 32kb latency 200ms
}

slow_in() { # RANK MBIT
    tc qdisc replace dev "port$1" root tbf rate "$2mbit" burst 32kb latency 200ms
}

# ---- runs

# Starts rank RANK of N; what it says and how it ends is in the scratch folder.
start() { # RANK N [OPTION…]
    local rank=$1 n=$2
    shift 2
    rm -f "$scratch/ended.$rank" "$scratch/process.$rank"
    (
        # shellcheck disable=SC2086 # an assignment, or nothing
        ip netns exec "r$rank" env ${preload[$rank]:-} "$program" run --rank "$rank" --n "$n" --leader 10.9.0.1 \
            --host "node$rank" --provider "$provider" --token "$RANDOM_JOB" --op-s "$op" --rdv-s 6 "$@" \
            >"$scratch/said.$rank" 2>"$scratch/errors.$rank" &
        echo $! >"$scratch/process.$rank"
        wait $!
        echo $? >"$scratch/ended.$rank"
    ) 2>/dev/null &
    ranks+=($!)
}

# Waits until all ranks talk to the leader; ranks that are not part of it come after the count.
until_joined() { # N
    local i
    for i in $(seq 0 $(($1 - 1))); do
        for _ in $(seq 200); do
            # Port 7471 of the other end, a connection that stands.
            grep -q ':1D2F 01 ' "/proc/$(cat "$scratch/process.$i" 2>/dev/null)/net/tcp" 2>/dev/null && break
            grep -q ':1D2F 01 ' "/proc/$(cat "$scratch/process.$i" 2>/dev/null)/net/tcp6" 2>/dev/null && break
            sleep 0.05
        done
    done
}

provider='tcp;ofi_rxm'
op=3
declare -A preload=()
ranks=()
count=0

begin() {
    ranks=()
    count=$((count + 1))
    RANDOM_JOB=job$count-$$
}

all() { # N [OPTION…]
    local n=$1 i
    shift
    begin
    for ((i = 0; i < n; i++)); do
        start "$i" "$n" "$@"
    done
}

await() {
    wait "${ranks[@]}" 2>/dev/null
}

# ---- what must hold

verdict() { # RANK
    head -n 1 "$scratch/said.$1"
}

judge() { # NAME FAULT
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "ok $1"
    else
        failed=$((failed + 1))
        echo "not ok $1: $2"
        head -c 2000 "$scratch"/said.* "$scratch"/errors.* | sed 's/^/    /'
    fi
}

# Everybody passes.
must_pass() { # NAME N
    local i fault=
    for ((i = 0; i < $2; i++)); do
        [ "$(cat "$scratch/ended.$i")" = 0 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
    done
    judge "$1" "$fault"
}

# RANK alone is named, for a reason that holds TEXT, within MS; it ends with 1 (or CODE) and the others with 2.
must_name() { # NAME N RANK TEXT MS [CODE]
    local name=$1 n=$2 culprit=$3 text=$4 limit=$5 code=${6:-1} i fault='' witness ms
    witness=$([ "$culprit" = 0 ] && echo 1 || echo 0)
    case $(verdict "$witness") in
    *"\"culprits\":[{\"rank\":$culprit,\"host\":\"node$culprit\",\"why\":\""*"$text"*"\"}],"*) ;;
    *"\"culprits\":[{\"rank\":$culprit,\"host\":\"\",\"why\":\""*"$text"*"\"}],"*) ;;
    *) fault="rank $culprit is not the one that is named" ;;
    esac
    ms=$(verdict "$witness" | sed 's/.*"ms":\([0-9]*\).*/\1/')
    [ "${ms:-999999}" -le "$limit" ] || fault="it took $ms ms of $limit"
    for ((i = 0; i < n; i++)); do
        if [ "$i" = "$culprit" ]; then
            [ "$code" = none ] || [ "$(cat "$scratch/ended.$i")" = "$code" ] || fault="the culprit ended with $(cat "$scratch/ended.$i")"
        else
            [ "$(cat "$scratch/ended.$i")" = 2 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
        fi
    done
    judge "$name" "$fault"
}

# ---- the faults

fault_absent() { # N
    begin
    for ((i = 0; i < $1; i++)); do
        [ "$i" = $(($1 - 1)) ] || start "$i" "$1" --bytes 1048576
    done
    rm -f "$scratch/said.$(($1 - 1))"
    await
    must_name "n=$1: a rank that never starts" "$1" $(($1 - 1)) 'absent' 7000 none
}

fault_dead() { # N RANK
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_joined "$1"
    sleep 1
    kill -KILL "$(cat "$scratch/process.$2")"
    await
    must_name "n=$1: rank $2 dies in the middle" "$1" "$2" 'connection lost' 20000 none
}

fault_hung() { # N RANK
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_joined "$1"
    sleep 1
    kill -STOP "$(cat "$scratch/process.$2")"
    for ((i = 0; i < $1; i++)); do
        [ "$i" = "$2" ] || until [ -e "$scratch/ended.$i" ]; do sleep 0.1; done
    done
    kill -KILL "$(cat "$scratch/process.$2")"
    await
    must_name "n=$1: rank $2 hangs in the middle" "$1" "$2" 'no report' 25000 none
}

fault_corrupt() { # N RANK
    if [ -z "$shim" ]; then
        skip "n=$1: rank $2 sends a wrong bit" 'there is no shim to preload'
        return
    fi
    preload=([$2]="LD_PRELOAD=$shim CORRUPT_AT=1")
    all "$1" --bytes 1048576 --phases ping,exact
    preload=()
    await
    must_name "n=$1: rank $2 sends a wrong bit" "$1" "$2" 'sent a wrong partial sum: all-reduce 0, step 0' 20000
}

shape_all() { # N MBIT
    for ((i = 0; i < $1; i++)); do
        slow_out "$i" "$2"
        slow_in "$i" "$2"
    done
}

# Slow enough for the links, and not the processor, to be what is measured.
fault_slow() { # N RANK out|in
    shape_all "$1" 100
    "slow_$3" "$2" 20
    all "$1" --bytes 524288 --phases ping,links
    await
    must_name "n=$1: rank $2 is five times as slow, $3" "$1" "$2" "$([ "$3" = in ] && echo ingress || echo egress) slow" 40000
    "slow_$3" "$2" 50
    all "$1" --bytes 524288 --phases ping,links
    await
    must_pass "n=$1: rank $2 is twice as slow, $3" "$1"
    "slow_$3" "$2" 100
}

fault_refusing() { # N RANK all|new
    # Nothing but the leader's answers gets in, as with a security group that has no rule for itself: EFA has no
    # connections that such a group could remember. `new`: connections that this rank began are let through, so that
    # among few ranks there is always one the other end of which it called first.
    local state=
    [ "$3" = all ] || state='ct state new'
    ip netns exec "r$2" nft -f - <<END
table inet closed {
    chain input {
        type filter hook input priority 0;
        tcp sport != $port $state drop
    }
}
END
    all "$1" --bytes 1048576
    await
    must_name "n=$1: rank $2 lets nobody in ($3)" "$1" "$2" 'broken' 20000
    ip netns exec "r$2" nft flush ruleset
}

clean() { # N PROVIDER [OPTION…]
    local n=$1
    provider=$2
    shift 2
    all "$n" --bytes 4194304 --iters 3 "$@"
    await
    must_pass "n=$n: a sound network passes, $provider" "$n"
    provider='tcp;ofi_rxm'
}

for n in ${SIZES:-2 4 8}; do
    build_world "$n"
    clean "$n" 'tcp;ofi_rxm'
    if [ "$long" -gt 0 ]; then
        for ((k = 1; k < long; k++)); do clean "$n" 'tcp;ofi_rxm'; done
    fi
    if [ "$n" = 4 ] || [ "$long" -gt 0 ]; then
        [ "$n" = 8 ] || clean "$n" tcp
        fault_absent "$n"
        fault_dead "$n" 1
        fault_hung "$n" 1
        fault_hung "$n" 0
        fault_corrupt "$n" 1
        if [ "$n" -gt 2 ]; then
            fault_refusing "$n" 2 all
            [ "$n" = 4 ] || fault_refusing "$n" 2 new
            fault_slow "$n" 1 out
            fault_slow "$n" 2 in
        fi
    fi
    end_world "$n"
done
finish
