#!/bin/bash
# The first job of a group of nodes on Slurm: all of them measure each other with dtc-collective, and a node that is at
# fault is drained, which ParallelCluster answers with a new one. The job then starts again, without that node, twice at
# most. Its output ends with the verdict; dtc-collective-JOB/RANK.json has it as each node saw it.
#
#   sbatch FILE               on the head node, from a folder that the nodes share, such as the home folder
#   sbatch --nodes=8 FILE     with other nodes than the group's, 2 to 64
#
# With `collective = nccl`, nccl-tests run after that between the GPUs, where the image has them. If they are no success,
# pairs of nodes run them, and a node that fails with two others is drained.
#
# Ends with 0 where all is well, 1 where a node was at fault that could be named, 2 where none could, 3 where the nodes did
# not find each other, 64 where the job is not set up right, 70 where nothing was measured. Draining is for administrators of Slurm and whoever may use sudo;
# else the node is named, and stays.
#
# shellcheck disable=SC2154,SC2317 # the next line becomes options and what is not set here
: "${settings:?}"
PATH=$PATH:/opt/slurm/bin:/usr/local/bin:/usr/bin:/usr/sbin # a command by ssh finds less
folder=$PWD/dtc-collective-$SLURM_JOB_ID
statuses=$folder/statuses
limit=$((minutes / 2 - 1))m # for a run, of which there are two at most

# On each node: says "dtc-collective: NODE STATUS RANK...", with the ranks that its verdict names: a folder that nodes share
# may show a file of another one late. Status 65 is a program that is missing or another one than was built. A program that
# hangs is ended: srun waits for it, until Slurm would end the job and with it this script.
measure() { # FOLDER LIMIT URL SUM OPTION...
    local folder=$1 limit=$2 url=$3 sum=$4 place status=65 named=
    shift 4
    place=$(mktemp -d) || exit 70
    aws s3 cp --only-show-errors "$url" "$place/program"
    if [ "$(sha256sum <"$place/program")" = "$sum  -" ]; then
        chmod 700 "$place/program"
        timeout --kill-after=10 "$limit" "$place/program" run --verdict "$folder/$SLURM_PROCID.json" "$@" \
            >"$place/verdict"
        status=$?
        named=$(grep -o '{"rank":[0-9]*,"host":' "$place/verdict" | tr -cd '0-9\n' | paste -sd ' ')
    else
        echo "$url is not there, or not the program that was built" >&2
    fi
    rm -rf "$place"
    echo "dtc-collective: $SLURMD_NODENAME $status${named:+ $named}"
    return "$status"
}

# A node's failure ends no other's part: the others have to say who it was. What a run before this one found is gone.
# What they know each other by is new for each run, and is in no command line, which everybody on a node may read.
measure_all() {
    rm -f "$folder"/*.json
    DTC_JOB_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    export DTC_JOB_TOKEN
    srun --export=ALL --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 --kill-on-bad-exit=0 --wait=0 --unbuffered \
        bash -c "$(declare -f measure); measure \"\$@\"" measure "$folder" "$limit" "$url" "$sum" "${options[@]}" |
        tee "$statuses"
}

nodes_with() { # STATUS
    awk -v status="$1" '$1 == "dtc-collective:" && $3 == status { print $2 }' "$statuses"
}

# The nodes that the verdict names. Those that never came, or were lost, have no status that would say so. With a task
# on each node, ranks are in the order of the nodes.
nodes_named() {
    local nodes rank
    mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
    awk '$1 == "dtc-collective:" { for (i = 4; i <= NF; i++) print $i }' "$statuses" | sort -un |
        while read -r rank; do echo "${nodes[rank]}"; done
}

drain() { # NODE
    local update=(update "nodename=$1" state=drain "reason=dtc: collective, job $SLURM_JOB_ID")
    if [ -n "$stays" ]; then
        echo "$1 is at fault, and stays: $stays"
    elif scontrol "${update[@]}" 2>/dev/null || sudo -n "$(command -v scontrol)" "${update[@]}" 2>/dev/null; then
        echo "$1 is at fault: drained"
        drained=yes
    else
        echo "$1 is at fault: drain it, which this user may not: scontrol ${update[*]@Q}"
    fi
}

# Where nodes have EC2's host names, no DNS knows the name of the first one. Slurm knows its address.
find_leader() {
    local first address
    first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    address=$(scontrol --oneliner show node "$first" 2>/dev/null | grep -o ' NodeAddr=[^ ]*')
    [ -z "$address" ] || options+=(--leader "${address#*=}")
}

# ---- the GPUs

# nccl-tests between all GPUs of some nodes, a process a node. Ends with 0 where they are a success, and reach the floor
# that there is for as many nodes.
benchmark() { # NODES, WITH COMMAS; FILE
    local hosts=${1//,/:1,}:1 log=$folder/$2.log count status
    count=$(tr ',' '\n' <<<"$1" | wc -l)
    timeout --kill-after=10 5m mpirun --host "$hosts" -N 1 --bind-to none -x PATH -x LD_LIBRARY_PATH \
        -x NCCL_DEBUG=INFO "$tests" -b 128M -e 2G -f 2 -g "$gpus" >"$log" 2>&1
    status=$?
    "$place/program" parse "${known[@]}" --nodes "$count" --status "$status" "$log" >"$folder/$2.json"
}

# Pairs of nodes, side by side; of an odd number, the last is tried with the first. Of a pair that fails, either may be
# at fault: each is tried with a node of a pair that passed, and who fails again is named.
find_slow_nodes() {
    local -a nodes bad=() running=()
    local i third=
    mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
    for ((i = 0; i + 1 < ${#nodes[@]}; i += 2)); do
        benchmark "${nodes[i]},${nodes[i + 1]}" "pair-$i" &
        running[i]=$!
    done
    for ((i = 0; i + 1 < ${#nodes[@]}; i += 2)); do
        if wait "${running[i]}"; then third=${nodes[i]}; else bad+=("${nodes[i]}" "${nodes[i + 1]}"); fi
    done
    if ((${#nodes[@]} % 2 == 1)) && ! benchmark "${nodes[-1]},${third:-${nodes[0]}}" pair-last; then
        bad+=("${nodes[-1]}")
    fi
    found=()
    # What most nodes have is not theirs.
    [ "$third" ] && [ $((${#bad[@]} * 2)) -le ${#nodes[@]} ] || return 0
    for i in "${!bad[@]}"; do
        benchmark "${bad[i]},$third" "again-$i" || found+=("${bad[i]}")
    done
}

measure_gpus() {
    local record node
    PATH=$PATH:/opt/amazon/openmpi/bin
    LD_LIBRARY_PATH=/opt/amazon/openmpi/lib64:/opt/amazon/openmpi/lib:/opt/amazon/efa/lib64:/opt/amazon/efa/lib:$LD_LIBRARY_PATH
    LD_LIBRARY_PATH=/opt/amazon/ofi-nccl/lib:$LD_LIBRARY_PATH
    export LD_LIBRARY_PATH
    tests=$(command -v all_reduce_perf ||
        find /opt/nccl-tests/build /usr/local/cuda*/efa -name all_reduce_perf 2>/dev/null | sort | tail -n 1)
    if [ -z "$tests" ] || ! command -v mpirun >/dev/null; then
        echo "the image has no all_reduce_perf of nccl-tests, or no mpirun: nothing is measured between GPUs"
        return 0
    fi
    place=$(mktemp -d) || return 70
    aws s3 cp --only-show-errors "$url" "$place/program"
    [ "$(sha256sum <"$place/program")" = "$sum  -" ] || return 70
    chmod 700 "$place/program"
    known=()
    for record in /run/dtc/expect /opt/dtc/expect; do
        [ ! -r "$record" ] || known=(--expect "$record")
    done
    found=()
    benchmark "$(scontrol show hostnames "$SLURM_JOB_NODELIST" | paste -sd ,)" all
    status=$?
    cat "$folder/all.json"
    [ $status = 0 ] || [ "$SLURM_JOB_NUM_NODES" -lt 4 ] || find_slow_nodes
    rm -rf "$place"
    [ $status != 0 ] || return 0
    for node in "${found[@]}"; do
        drain "$node"
    done
    [ ${#found[@]} = 0 ] || return 1
    echo "nccl-tests are no success, and no node can be named: $folder/all.log"
    return 2
}

mkdir -p "$folder" || exit 70
find_leader
drained=no
measure_all
# Nobody reached the leader: once more, in case it was only late.
if [ -n "$(nodes_with 3)" ]; then
    sleep 10 # until its port is free
    measure_all
fi
cat "$folder"/*.json 2>/dev/null | head -n 1

# Options, a token, a port or a name: what a node was told wrong is no fault of a node.
if [ -n "$(nodes_with 64)" ]; then
    echo "this job is not set up right, says $(nodes_with 64 | paste -sd ' '); no node is drained"
    exit 64
fi

# Who alone did not reach the leader is at fault; where that is half of them, the leader may be.
mapfile -t lost < <(nodes_with 3)
mapfile -t found < <(
    nodes_named
    [ $((${#lost[@]} * 2)) -ge "$SLURM_JOB_NUM_NODES" ] || nodes_with 3
)
mapfile -t found < <(printf '%s\n' "${found[@]}" | sort -u | grep .)
stays=
[ "$drains" = yes ] || stays='on_fail = warn'
# What most nodes have is not theirs, and new ones would have it too.
[ $((${#found[@]} * 2)) -le "$SLURM_JOB_NUM_NODES" ] || stays='so are most of the others'
for node in "${found[@]}"; do
    drain "$node"
done
if [ $drained = yes ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
    scontrol requeue "$SLURM_JOB_ID" && sleep 60 # the end comes from Slurm
fi

[ ${#found[@]} = 0 ] || exit 1
if [ "$(nodes_with 0 | wc -l)" = "$SLURM_JOB_NUM_NODES" ]; then
    [ "$gpus" ] || exit 0
    measure_gpus
    exit
fi
[ ${#lost[@]} = 0 ] || exit 3
[ -z "$(nodes_with 2)" ] || exit 2
exit 70
