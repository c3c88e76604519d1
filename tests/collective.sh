#!/bin/bash
# Runs dtc-collective among 2, 4 and 8 network namespaces that a bridge joins: collective.sh PROGRAM [SHIM]. The right
# rank has to name each fault, in bounded time. A sound network has to pass.
#
#   PART=rates|pairs|faults|busy  only what measures rates, among 2, 4 and 8; among 5 and 6, with two interfaces or two ranks
#                      at fault; only the faults that need no rates; only runs in which the processors are the limit
#   RUNS=N             so many of these
#   LONG=N             N clean runs of each size instead of a few, and each fault at each size
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
program=$(realpath -e "$1") || exit 3
shim=
[ $# -lt 2 ] || shim=$(realpath -e "$2") || exit 3
long=${LONG:-0}

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

# Interface ethK of each rank is in a network of its own, 10.9.K.0/24: they are not to stand in for each other.
build_world() { # N [INTERFACES]
    local i k
    for ((k = 0; k < ${2:-1}; k++)); do
        ip link add "bridge$k" type bridge
        ip link set "bridge$k" up
    done
    for ((i = 0; i < $1; i++)); do
        ip netns add "r$i"
        ip -n "r$i" link set lo up
        for ((k = 0; k < ${2:-1}; k++)); do
            ip link add "port$i.$k" type veth peer name "eth$k" netns "r$i"
            ip link set "port$i.$k" master "bridge$k" up
            ip -n "r$i" link set "eth$k" up
            ip -n "r$i" addr add "10.9.$k.$((i + 1))/24" dev "eth$k"
        done
    done
}

end_world() { # N
    local i bridge
    for ((i = 0; i < $1; i++)); do
        ip netns del "r$i"
    done
    for bridge in $(ip -br link show type bridge | sed 's/ .*//'); do
        ip link del "$bridge"
    done
    # What is left of veth pairs goes with their namespaces, but not at once.
    while ip link show type veth | grep -q port; do sleep 0.05; done
}

slow_out() { # RANK MBIT [INTERFACE]
    ip netns exec "r$1" tc qdisc replace dev "eth${3:-0}" root tbf rate "$2mbit" burst 32kb latency 200ms
}

slow_in() { # RANK MBIT
    tc qdisc replace dev "port$1.0" root tbf rate "$2mbit" burst 32kb latency 200ms
}

# ---- runs

# Where rates are measured, ranks go before all else that runs here, if that is allowed.
ahead=
before_all=
! chrt --rr 1 true 2>/dev/null || before_all='chrt --rr 1'

# Starts rank RANK of N; what it says and how it ends is in the scratch folder.
start() { # RANK N [OPTION…]
    local rank=$1 n=$2
    shift 2
    rm -f "$scratch/ended.$rank" "$scratch/process.$rank"
    (
        # shellcheck disable=SC2086 # words
        ip netns exec "r$rank" env ${preload[$rank]:-} $ahead "$program" run \
            ${identity:---rank $rank --n $n --leader 10.9.0.1 --token $job} --host "node$rank" \
            --provider "$provider" --op-s "$op" --rdv-s 60 "$@" \
            >"$scratch/said.$rank" 2>"$scratch/errors.$rank" &
        echo $! >"$scratch/process.$rank"
        wait $!
        echo $? >"$scratch/ended.$rank"
    ) 2>/dev/null &
    ranks+=($!)
}

# A process that has ended has given its number back, for others to have.
signal() { # SIGNAL RANK
    [ -e "$scratch/ended.$2" ] || kill "-$1" "$(cat "$scratch/process.$2")"
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

received_bytes() { # RANK
    sed -n 's/^ *eth0: *\([0-9]*\) .*/\1/p' "/proc/$(cat "$scratch/process.$1")/net/dev" 2>/dev/null
}

# Waits until all ranks have joined and are at work on their all-reduces: each receives more than pings are.
until_working() { # N
    local i before
    until_joined "$1"
    for ((i = 0; i < $1; i++)); do
        before=$(received_bytes "$i")
        for _ in $(seq 400); do
            [ "$(received_bytes "$i")" -lt $((before + 4194304)) ] 2>/dev/null || break
            sleep 0.05
        done
    done
}

provider='tcp;ofi_rxm'
op=5 # seconds; on a machine with much else to do a ping takes some
declare -A preload=()
ranks=()
count=0
job=
identity= # how a rank knows which it is, where not by options of ours

begin() {
    ranks=()
    count=$((count + 1))
    job=job$count-$$
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

# Whether the processors were the limit: the verdict says so, or a ping found no time, and nobody is to blame for it.
was_no_measurement() {
    grep -q 'the processors were the limit' "$scratch/said.0" ||
        grep -q '"coll.ping","s":"fail".*"culprits":\[\],"suspect_links":\[\]' "$scratch/said.0"
}

# Runs all ranks to their end, and again while that was no measurement.
measure() { # N [OPTION…]
    local _ ahead=$before_all
    for _ in 1 2 3 4 5 6 7 8; do
        all "$@"
        await
        was_no_measurement || return
    done
}

# ---- what must hold

verdict() { # RANK
    head -n 1 "$scratch/said.$1"
}

evidence() {
    head -c 2000 "$scratch"/said.* "$scratch"/errors.*
}

judge() { # NAME FAULT
    if [ -z "$2" ]; then
        pass "$1"
    else
        fail "$1" "$2"
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

# Everybody passes, with a warning of RANK alone that holds TEXT.
must_warn() { # NAME N RANK TEXT
    local i fault=
    for ((i = 0; i < $2; i++)); do
        [ "$(cat "$scratch/ended.$i")" = 0 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
    done
    case $(verdict 0) in
    *"\"warnings\":[{\"rank\":$3,\"host\":\"node$3\",\"why\":\""*"$4"*"\"}],"*'"verdict":"warn"}') ;;
    *) fault="rank $3 is not the one that it warns of" ;;
    esac
    judge "$1" "$fault"
}

# RANK alone is named, for a reason that holds TEXT, within MS where an operation has 3 s; it ends with 1 (or CODE) and the others with 2.
must_name() { # NAME N RANK TEXT MS [CODE]
    local name=$1 n=$2 culprit=$3 text=$4 limit=$5 code=${6:-1} i fault='' witness ms
    witness=$([ "$culprit" = 0 ] && echo 1 || echo 0)
    case $(verdict "$witness") in
    *"\"culprits\":[{\"rank\":$culprit,\"host\":\"node$culprit\",\"why\":\""*"$text"*"\"}],"*) ;;
    *"\"culprits\":[{\"rank\":$culprit,\"host\":\"\",\"why\":\""*"$text"*"\"}],"*) ;;
    *) fault="rank $culprit is not the one that is named" ;;
    esac
    ms=$(verdict "$witness" | sed 's/.*"ms":\([0-9]*\).*/\1/')
    [ "${ms:-999999}" -le $((limit * op / 3)) ] || fault="it took $ms ms of $((limit * op / 3))"
    for ((i = 0; i < n; i++)); do
        if [ "$i" = "$culprit" ]; then
            [ "$code" = none ] || [ "$(cat "$scratch/ended.$i")" = "$code" ] ||
                fault="the culprit ended with $(cat "$scratch/ended.$i")"
        else
            [ "$(cat "$scratch/ended.$i")" = 2 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
        fi
    done
    judge "$name" "$fault"
}

# These two are named and nobody else, by rank 0.
must_name_both() { # NAME RANK TEXT RANK TEXT
    local culprits fault=
    culprits=$(verdict 0 | sed 's/.*"culprits":\[\([^]]*\)\].*/\1/')
    [ "$(grep -o '"rank":[0-9]*' <<<"$culprits" | sort | tr -cd '0-9\n' | paste -sd ' ')" = "$2 $4" ] ||
        fault="ranks $2 and $4 are not the ones that are named"
    [[ $culprits = *"\"rank\":$2,"*"\"why\":\""*"$3"* && $culprits = *"\"rank\":$4,"*"\"why\":\""*"$5"* ]] ||
        fault=${fault:-the reasons are others}
    judge "$1" "$fault"
}

# ---- the faults

# Where somebody is not let in, the others wait for as long as they are told to. A machine may be too busy to start a rank in
# that time, so that it finds no leader any more: then all of it runs again, with more time.
meet() { # FUNCTION N
    for seconds in 8 32 128; do
        "$1" "$2"
        grep -q '"abort":"no leader: [0-9]' "$scratch"/said.* || return
    done
}

fault_absent() { # N
    meet all_but_the_last "$1"
    must_name "n=$1: a rank that never starts" "$1" $(($1 - 1)) 'absent' $((seconds * 1000 + 2000)) none
}

all_but_the_last() { # N
    begin
    for ((i = 0; i < $1 - 1; i++)); do
        start "$i" "$1" --bytes 1048576 --rdv-s "$seconds"
    done
    rm -f "$scratch/said.$(($1 - 1))"
    await
}

fault_dead() { # N RANK
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_working "$1"
    signal KILL "$2"
    await
    must_name "n=$1: rank $2 dies in the middle" "$1" "$2" 'connection lost' 20000 none
}

fault_hung() { # N RANK
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_working "$1"
    signal STOP "$2"
    for ((i = 0; i < $1; i++)); do
        [ "$i" = "$2" ] || until [ -e "$scratch/ended.$i" ]; do sleep 0.1; done
    done
    signal KILL "$2"
    await
    must_name "n=$1: rank $2 hangs in the middle" "$1" "$2" 'no report' 25000 none
}

# As orchestrators end what they no longer want: it goes with a verdict, and is no culprit to itself.
fault_told() { # N RANK
    local fault=
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_working "$1"
    signal TERM "$2"
    until [ -e "$scratch/ended.$2" ]; do sleep 0.05; done
    grep -q '"abort":"told to end by a signal"' "$scratch/said.$2" || fault='it says nothing of that'
    judge "n=$1: rank $2 is told to end, and leaves a verdict" "$fault"
    await
    must_name "n=$1: and the others say who has left" "$1" "$2" 'connection lost' 20000 2
}

# Where nobody is left, the leader is not either, and its port is free.
fault_orphan() { # N
    local leader fault=
    begin
    start 0 "$1"
    until leader=$(pgrep -P "$(cat "$scratch/process.0" 2>/dev/null)"); do sleep 0.05; done 2>/dev/null
    sleep 1
    signal KILL 0
    await
    sleep 1
    [ ! -e "/proc/$leader/exe" ] || fault='it still runs' # which one that only waits to be buried has not
    judge "n=$1: a leader that is left alone ends" "$fault"
}

# A port that another job has: said in a verdict, in place of the one of before.
fault_port() { # N
    local fault=
    begin
    start 0 "$1"
    sleep 0.5
    echo of-before >"$scratch/left"
    ip netns exec r0 "$program" run --rank 0 --n "$1" --leader 10.9.0.1 --token other --verdict "$scratch/left" \
        >/dev/null 2>&1
    [ $? = 64 ] || fault='it ended otherwise'
    grep -q '"abort":"cannot listen on port 7471: .*; another job leads from this node' "$scratch/left" || fault='the verdict does not say why'
    judge "n=$1: the leader's port is another's" "$fault"
    signal TERM 0
    await
}

# Nothing gets in any more, the leader's questions neither. The rank may still accuse others, and is not believed.
# Nothing comes and nothing goes. Where the rank's own end of a connection still reached the others, two clocks would race
# for the reason: its own, and the leader's.
fault_cut_off() { # N RANK
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_working "$1"
    ip netns exec "r$2" nft 'add table inet closed
        add chain inet closed input { type filter hook input priority 0; policy drop; }
        add chain inet closed output { type filter hook output priority 0; policy drop; }'
    await
    ip netns exec "r$2" nft flush ruleset
    must_name "n=$1: rank $2 is cut off in the middle" "$1" "$2" 'no report' 25000 3
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

unshape_all() { # N
    for ((i = 0; i < $1; i++)); do
        ip netns exec "r$i" tc qdisc del dev eth0 root
        tc qdisc del dev "port$i.0" root
    done
}

# One direction at 25, 50 and 70 percent. Slow enough for the links, and not the processor, to be what is measured. What
# is at the bound itself may warn, and of nobody else.
fault_slow() { # N RANK out|in
    local way fault
    way=$([ "$3" = in ] && echo ingress || echo egress)
    shape_all "$1" 200
    "slow_$3" "$2" 50
    measure "$1" --bytes 524288 --phases ping,links
    must_name "n=$1: rank $2 is at 25 percent, $3" "$1" "$2" "$way slow" 40000
    "slow_$3" "$2" 100
    measure "$1" --bytes 524288 --phases ping,links
    must_warn "n=$1: rank $2 is at 50 percent, $3" "$1" "$2" "$way at "
    if [ "$3" = out ] || [ "$long" -gt 0 ]; then
        "slow_$3" "$2" 140
        measure "$1" --bytes 524288 --phases ping,links
        must_pass "n=$1: rank $2 is at 70 percent, $3" "$1"
        fault=$(verdict 0 | sed 's/.*"warnings":\[\([^]]*\)\].*/\1/' | grep -o '"rank":[0-9]*' | grep -vx "\"rank\":$2")
        judge "n=$1: and nobody else is warned of" "${fault:+it warns of $fault}"
    fi
    "slow_$3" "$2" 200
}

fault_refusing() { # N RANK all|new
    # Only the leader's answers get in, as with a security group without a rule for itself. EFA has no connections that
    # such a group could remember. `new`: connections that this rank began are let through. So among few ranks there is
    # always one that it called first.
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

# One interface of two is slow: that one is named. Another rank lacks one: so is that. As above, what is measured is never
# the processor.
fault_interface() {
    local i
    build_world 5 2
    for ((i = 0; i < 5; i++)); do slow_out "$i" 500 0; slow_out "$i" 500 1; done
    measure 5 --bytes 1048576 --iters 2
    must_pass 'n=5: two interfaces each' 5
    case $(verdict 0) in
    *'"interfaces":2,'*) judge 'n=5: both interfaces are used' '' ;;
    *) judge 'n=5: both interfaces are used' 'the verdict has another number' ;;
    esac
    for ((i = 0; i < 5; i++)); do slow_out "$i" 200 0; slow_out "$i" 200 1; done
    slow_out 3 40 1
    measure 5 --bytes 524288 --phases ping,links
    must_name 'n=5: one interface of two is slow' 5 3 'egress slow with 2 partners, over eth1' 40000
    ip -n r2 link del eth1
    all 5 --bytes 524288 --phases ping
    await
    must_name 'n=5: one interface of two is gone' 5 2 'has 1 interfaces where others have 2' 40000
    end_world 5
}

# Two ranks at fault, in one run.
fault_pairs() {
    local i
    build_world 6
    if [ -n "$shim" ]; then
        preload=([1]="LD_PRELOAD=$shim CORRUPT_AT=1" [4]="LD_PRELOAD=$shim CORRUPT_AT=5")
        measure 6 --bytes 1048576 --phases ping,exact
        must_name_both 'n=6: two send wrong sums, one of them later' 1 'wrong partial sum: all-reduce 0, step 0' \
            4 'wrong partial sum: all-reduce 0, step '
        preload=([3]="LD_PRELOAD=$shim CORRUPT_FROM=1") # what links carry is not looked at
    else
        skip 'n=6: two send wrong sums, one of them later' 'there is no shim to preload'
    fi
    shape_all 6 200
    if [ -n "$shim" ]; then
        slow_out 2 40
        measure 6 --bytes 524288 --phases ping,links,exact
        must_name_both 'n=6: one is slow, and one sends a wrong sum' 2 'egress slow' 3 'wrong partial sum'
        slow_out 2 200
    fi
    preload=()
    slow_out 2 40
    slow_in 3 40
    measure 6 --bytes 524288 --phases ping,links
    must_name_both 'n=6: a slow sender beside a slow receiver' 2 'egress slow' 3 'ingress slow'
    slow_in 3 200
    slow_out 3 40
    measure 6 --bytes 524288 --phases ping,links
    must_name_both 'n=6: two slow senders side by side' 2 'egress slow' 3 'egress slow'
    end_world 6
}

# Who has no libfabric says so, and waits for nobody.
fault_library() { # N RANK
    local i
    begin
    for ((i = 0; i < $1; i++)); do
        if [ "$i" = "$2" ]; then start "$i" "$1" --libfabric /no/such/file; else start "$i" "$1"; fi
    done
    await
    must_name "n=$1: rank $2 has no libfabric" "$1" "$2" 'libfabric cannot be loaded' 20000
}

# Where nobody has one, no node is at fault.
fault_of_job() { # N
    local i fault=
    all "$1" --libfabric /no/such/file
    await
    case $(verdict 0) in
    *'"culprits":[],"suspect_links":[],"refused":[],"warnings":[],"abort":"no rank has an interface: libfabric cannot be loaded'*) ;;
    *) fault='somebody is named, or nothing is said' ;;
    esac
    for ((i = 0; i < $1; i++)); do
        [ "$(cat "$scratch/ended.$i")" = 2 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
    done
    judge "n=$1: no rank has libfabric" "$fault"
}

# A counter of EFA that grows while ranks meet: what it was before is not theirs.
counter_grows() { # N RANK
    local i counters="$scratch/root/sys/class/infiniband/rdmap0s6/ports/1/hw_counters" last=$(($1 - 1))
    mkdir -p "$counters"
    echo 5 >"$counters/unresponsive_remote_events"
    begin
    for ((i = 0; i < last; i++)); do
        start "$i" "$1" --phases ping --root "$([ "$i" != "$2" ] || echo "$scratch/root")"
    done
    until_joined "$last"
    echo 7 >"$counters/unresponsive_remote_events"
    start "$last" "$1" --phases ping
    await
    must_warn "n=$1: a peer of rank $2 did not answer, says its EFA" "$1" "$2" \
        'unresponsive_remote_events of its EFA interfaces grew by 2'
    rm -r "$scratch/root"
}

# Whoever connects to the leader and is not of the job changes nothing: silence, nonsense, another job's rank.
strangers() { # N
    local fault=
    local ahead=$before_all
    all "$1" --bytes 1048576 --iters 2
    ip netns exec r1 bash -c "for i in 1 2 3 4 5 6 7 8 9 10; do
        { exec 3<>/dev/tcp/10.9.0.1/$port && head -c 1000 /dev/urandom >&3; } 2>/dev/null
        { exec 4<>/dev/tcp/10.9.0.1/$port; } 2>/dev/null
        sleep 0.05
    done" 2>/dev/null &
    ranks+=($!)
    # shellcheck disable=SC2086 # words
    ip netns exec r1 $ahead "$program" ping --rank 1 --n "$1" --leader 10.9.0.1 --token other --provider tcp --rdv-s 4 \
        >"$scratch/stranger" 2>&1
    [ $? = 64 ] || fault="a rank of another job ended otherwise"
    grep -q '"abort":"no leader: refused: it leads another job' "$scratch/stranger" || fault="it does not say why"
    await
    judge "n=$1: a rank of another job is not let in" "$fault"
    must_pass "n=$1: strangers at the leader's port change nothing" "$1"
}

# A second job that was told the same leader, while the first one still waits for a rank: nobody of it is let in, and the
# first one passes.
two_jobs() { # N
    local i first second last=$(($1 - 1)) fault=
    begin
    for ((i = 0; i < last; i++)); do start "$i" "$1" --phases ping; done
    until_joined "$last"
    ip netns exec r0 "$program" run --rank 0 --n 2 --leader 10.9.0.1 --token other --provider "$provider" --rdv-s 2 \
        >"$scratch/second.0" 2>&1 &
    first=$!
    ip netns exec "r$last" "$program" run --rank 1 --n 2 --leader 10.9.0.1 --token other --provider "$provider" \
        --rdv-s 2 >"$scratch/second.1" 2>&1 &
    second=$!
    wait $first
    [ $? = 64 ] || fault='its rank 0 ended otherwise'
    wait $second
    [ $? = 64 ] || fault='its rank 1 ended otherwise'
    ! grep -q '"culprits":\[{' "$scratch"/second.[01] || fault='somebody is named'
    judge "n=$1: a second job with the same leader names nobody" "$fault"
    start "$last" "$1" --phases ping
    await
    must_pass "n=$1: and the first one passes" "$1"
}

# Nobody is at fault, whoever did not join. All ranks of the job end with 2, and the one with wrong arguments with 64.
# The verdict says why.
misconfigured() { # NAME N TEXT
    local name=$1 n=$2 text=$3 i fault=
    case $(verdict 0) in
    *'"culprits":[]'*"$text"*) ;;
    *) fault='somebody is named, or the cause is not' ;;
    esac
    for ((i = 0; i < n - 1; i++)); do
        [ "$(cat "$scratch/ended.$i")" = 2 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
    done
    [ "$(cat "$scratch/ended.$((n - 1))")" = 64 ] || fault="the other ended with $(cat "$scratch/ended.$((n - 1))")"
    judge "$name" "$fault"
}

fault_token() { # N
    meet with_another_token "$1"
    misconfigured "n=$1: a rank with another token" "$1" \
        "\"refused\":[{\"rank\":$(($1 - 1)),\"address\":\"10.9.0.$1\",\"why\":\"another token"
}

with_another_token() { # N
    local last=$(($1 - 1))
    begin
    for ((i = 0; i < last; i++)); do
        start "$i" "$1" --phases ping --rdv-s "$seconds"
    done
    identity="--rank $last --n $1 --leader 10.9.0.1 --token other"
    start "$last" "$1" --phases ping --rdv-s "$seconds"
    identity=
    await
}

# Two processes say that they are rank 0's neighbour.
with_one_number_twice() { # N
    local last=$(($1 - 1))
    begin
    for ((i = 0; i < last; i++)); do
        start "$i" "$1" --phases ping --rdv-s "$seconds"
    done
    until_joined "$last"
    identity="--rank 1 --n $1 --leader 10.9.0.1 --token $job"
    start "$last" "$1" --phases ping --rdv-s "$seconds"
    identity=
    await
}

fault_forged() { # N
    meet with_one_number_twice "$1"
    misconfigured "n=$1: two ranks of one number" "$1" \
        "\"refused\":[{\"rank\":1,\"address\":\"10.9.0.$1\",\"why\":\"rank 1 is node1's, at 10.9.0.2\"}]"
}

fault_name() {
    local fault=
    ip netns exec r1 "$program" ping --rank 1 --n 2 --leader no-such-host.invalid --token t --provider tcp --rdv-s 1 \
        >"$scratch/stranger" 2>&1
    [ $? = 64 ] || fault='it ended otherwise'
    grep -q '"abort":"no leader: no-such-host.invalid: ' "$scratch/stranger" || fault='it does not say which'
    judge 'a leader whose name stands for no address' "$fault"
    fault=
    ip netns exec r1 "$program" ping --rank 1 --n 2 --leader 10.9.0.1 --token t --provider tcp --rdv-s 1 \
        >"$scratch/stranger" 2>&1
    [ $? = 3 ] || fault='it ended otherwise'
    grep -q "\"culprits\":\[\],.*\"abort\":\"no leader: 10.9.0.1 port $port: " "$scratch/stranger" || fault='it does not say which'
    judge 'a leader that is not there' "$fault"
}

fault_leader() { # N
    local i leader fault=
    all "$1" --bytes 1048576 --iters 1000000 --phases ping,timed
    until_working "$1"
    leader=$(pgrep -P "$(cat "$scratch/process.0")") && kill -KILL "$leader"
    await
    for ((i = 0; i < $1; i++)); do
        [ "$(cat "$scratch/ended.$i")" = 3 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
    done
    judge "n=$1: without a leader everybody ends, and says so" "$fault"
}

# Nobody is told more than an orchestrator tells.
environments() {
    local i
    begin
    identity=' '
    for ((i = 0; i < 4; i++)); do
        preload[$i]="AWS_BATCH_JOB_ID=$job#$i AWS_BATCH_JOB_NODE_INDEX=$i AWS_BATCH_JOB_NUM_NODES=4"
        preload[$i]+=" AWS_BATCH_JOB_MAIN_NODE_INDEX=0"
        [ "$i" = 0 ] || preload[$i]+=" AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS=10.9.0.1"
        start "$i" 4 --phases ping
    done
    await
    must_pass 'n=4: as nodes of a job of AWS Batch' 4
    begin
    identity='--n 4 --leader 10.9.0.1'
    for ((i = 0; i < 4; i++)); do
        preload[$i]="JOB_COMPLETION_INDEX=$i JOB_NAME=$job"
        start "$i" 4 --phases ping
    done
    await
    must_pass 'n=4: as pods of an Indexed Job' 4
    begin
    identity=' '
    for ((i = 0; i < 4; i++)); do
        preload[$i]="SLURM_JOB_ID=$job SLURM_PROCID=$i SLURM_NTASKS=4 SLURM_STEP_NUM_NODES=4"
        preload[$i]+=" SLURM_STEP_NODELIST=10.9.0.[1-4]"
        start "$i" 4 --phases ping
    done
    await
    must_pass 'n=4: as tasks of Slurm' 4
    begin
    for ((i = 0; i < 4; i++)); do
        preload[$i]=
        ip -n "r$i" addr add "fd09::$((i + 1))/64" dev eth0 nodad
        identity="--rank $i --n 4 --token $job --leader [fd09::1]:7500"
        start "$i" 4 --phases ping
    done
    await
    must_pass 'n=4: with a leader by an address of IPv6, at another port' 4
    identity=
    preload=()
}

clean() { # N PROVIDER [OPTION…]
    local n=$1
    provider=$2
    shift 2
    measure "$n" --bytes 4194304 --iters 3 "$@"
    must_pass "n=$n: a sound network passes, $provider" "$n"
    provider='tcp;ofi_rxm'
}

# What measures rates: whatever runs beside it makes links look slow.
rates() { # N
    local k
    # As interfaces are, slower than the processors: else those of a busy machine are what is measured.
    shape_all "$1" 500
    clean "$1" 'tcp;ofi_rxm' --bytes 1048576
    for ((k = 1; k < long; k++)); do clean "$1" 'tcp;ofi_rxm' --bytes 1048576; done
    [ "$1" = 8 ] || [ "$1" != 4 ] && [ "$long" = 0 ] || clean "$1" tcp --bytes 1048576
    if [ "$1" = 4 ] || [ "$long" -gt 0 ]; then
        strangers "$1"
        if [ "$1" -gt 2 ]; then
            fault_slow "$1" 1 out
            fault_slow "$1" 2 in
        fi
    fi
    unshape_all "$1"
}

faults() { # N
    fault_absent "$1"
    [ "$1" = 2 ] || counter_grows "$1" 1
    fault_library "$1" 1
    fault_of_job "$1"
    fault_leader "$1"
    fault_orphan "$1"
    fault_port "$1"
    two_jobs "$1"
    [ "$1" = 2 ] || fault_forged "$1"
    fault_token "$1"
    fault_name
    [ "$1" != 4 ] || environments
    fault_dead "$1" 1
    fault_told "$1" 1
    fault_told "$1" 0
    fault_hung "$1" 1
    fault_hung "$1" 0
    [ "$1" = 2 ] || fault_cut_off "$1" 1
    fault_corrupt "$1" 1
    if [ "$1" -gt 2 ]; then
        fault_refusing "$1" 2 all
        [ "$1" = 4 ] || fault_refusing "$1" 2 new
    fi
}

# Where the processors are the limit, links differ by them. Nobody is at fault, and the verdict says what was the limit if it
# matters. All ranks run on this machine, and twice as many loops as it has processors run beside them.
busy() { # N RUNS
    local i k loops=() fault
    for ((i = 0; i < 2 * $(getconf _NPROCESSORS_ONLN); i++)); do
        while :; do :; done &
        loops+=($!)
    done
    for ((k = 0; k < $2; k++)); do
        all "$1" --bytes 1048576 --iters 3
        await
        fault=
        for ((i = 0; i < $1; i++)); do
            [ "$(cat "$scratch/ended.$i")" = 0 ] || fault="rank $i ended with $(cat "$scratch/ended.$i")"
        done
        judge "n=$1: on a busy machine nobody is named, run $((k + 1))" "$fault"
    done
    kill "${loops[@]}"
    wait "${loops[@]}" 2>/dev/null
}

part=${PART:-all}
for n in ${SIZES:-2 4 8}; do
    case $part in pairs | busy) break ;; esac
    build_world "$n"
    [ "$part" = faults ] || rates "$n"
    if [ "$part" != rates ] && { [ "$n" = 4 ] || [ "$long" -gt 0 ]; }; then
        faults "$n"
    fi
    end_world "$n"
done
case $part in
busy | all)
    build_world 4
    busy 4 "${RUNS:-6}"
    end_world 4
    ;;
esac
case $part in
pairs | all)
    if [ -z "${SIZES:-}" ]; then
        fault_interface
        fault_pairs
    fi
    ;;
esac
finish
