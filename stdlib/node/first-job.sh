#!/bin/bash
# The first job of a group of nodes on Slurm: all of them measure each other with dtc-collective, and a node that is at
# fault is drained, which ParallelCluster answers with a new one. The job then starts again, without that node, twice at
# most. Its output ends with the verdict; dtc-collective-JOB/RANK.json has it as each node saw it.
#
#   sbatch FILE               on the head node, from a folder that the nodes share, such as the home folder
#   sbatch --nodes=8 FILE     with other nodes than the group's, 2 to 64
#
# With `collective = nccl`, nccl-tests or nccom-test run after that between the accelerators, where the image has them.
# If they are no success, pairs of nodes run them, and a node that fails with two others is drained.
#
# Ends with 0 where all is well, 1 where a node was at fault that could be named, 2 where none could, 3 where the nodes
# did not find each other, 64 where the job is not set up right, 70 where nothing was measured. Draining is for
# administrators of Slurm and whoever may use sudo; else the node is named, and stays.
#
# shellcheck disable=SC2154,SC2317 # the next line becomes options and what is not set here
: "${settings:?}"
PATH=$PATH:/opt/slurm/bin:/usr/local/bin:/usr/bin:/usr/sbin # a command by ssh finds less
folder=$PWD/dtc-collective-$SLURM_JOB_ID
statuses=$folder/statuses
limit=$((minutes / 2 - 1))m # for a run, of which there are two at most

# On each node: says "dtc-collective: NODE STATUS RANK...", with the ranks that its verdict names: a folder that nodes
# share may show a file of another one late. Status 65 is a program that is missing or another one than was built. A
# program that hangs is ended: srun waits for it, until Slurm would end the job and with it this script.
measure() { # FOLDER LIMIT URL SUM OPTION...
    local folder=$1 limit=$2 url=$3 sum=$4 place status=65 named=
    shift 4
    place=$(mktemp -d) || exit 70
    timeout 60 aws s3 cp --only-show-errors "$url" "$place/program"
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

# accelerators.sh judges, and names nodes.
measure_accelerators() {
    local node status
    place=$(mktemp -d) || return 70
    timeout 60 aws s3 cp --only-show-errors "$url" "$place/program"
    [ "$(sha256sum <"$place/program")" = "$sum  -" ] || return 70
    chmod 700 "$place/program"
    scontrol show hostnames "$SLURM_JOB_NODELIST" >"$folder/hosts"
    bash -c "$accelerators" accelerators "$folder/hosts" "$place/program" "$folder" | tee "$folder/accelerators"
    status=${PIPESTATUS[0]}
    rm -rf "$place"
    mapfile -t found < <(sed -n 's/^at fault: \([^ ]*\).*/\1/p' "$folder/accelerators")
    for node in "${found[@]}"; do
        drain "$node"
    done
    start_again
    [ ${#found[@]} = 0 ] || return 1
    return "$status"
}

# Without the nodes that were drained.
start_again() {
    if [ $drained = yes ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
        scontrol requeue "$SLURM_JOB_ID" && sleep 60 # the end comes from Slurm
    fi
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
start_again
[ ${#found[@]} = 0 ] || exit 1
if [ "$(nodes_with 0 | wc -l)" = "$SLURM_JOB_NUM_NODES" ]; then
    [ "$accelerators" ] || exit 0
    measure_accelerators
    exit
fi
[ ${#lost[@]} = 0 ] || exit 3
[ -z "$(nodes_with 2)" ] || exit 2
exit 70
