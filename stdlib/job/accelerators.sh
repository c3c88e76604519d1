#!/bin/bash
# The last phase of a first job: an all-reduce between the accelerators of its nodes. nccl-tests measure NVIDIA GPUs, and
# nccom-test Neuron devices, where the image has them; dtc-collective judges what they print.
#
#   bash -c THIS NAME HOSTFILE DTC-COLLECTIVE [FOLDER]
#
# The first word of each line of HOSTFILE is a host, by a name that mpirun takes. FOLDER gets what the programs print,
# which is printed where there is none.
#
# If the nodes are no success together, pairs of them run the same side by side. Either node of a pair that fails may be
# at fault, so each is tried with a third node, one of a pair that passed: who fails again is named.
#
# Ends with 0 where all is well or the image has no such program, and else with 2, as 1 would be this node alone. Each
# node that is named has a line "at fault: HOST", with the id of its instance behind it.
#
# shellcheck disable=SC2154 # the next line becomes what is not set here
: "${settings:?}"
mapfile -t nodes < <(awk 'NF > 0 { print $1 }' "$1")
collective=$2
folder=${3:-$(mktemp -d)} || exit 2
limit=5m # for a run, of which there are five at most, one after the other
ports=0  # of collectors of nccom-test

# What images of AWS have stands behind what this one says itself.
PATH=$PATH:/usr/local/bin:/opt/amazon/openmpi/bin:/opt/aws/neuron/bin
LD_LIBRARY_PATH=${LD_LIBRARY_PATH-}
for place in /opt/amazon/openmpi/lib64 /opt/amazon/openmpi/lib /opt/amazon/efa/lib64 /opt/amazon/efa/lib \
    /opt/amazon/ofi-nccl/lib /opt/amazon/ofi-nccl/lib/*-linux-gnu /opt/aws/neuron/lib; do
    [ ! -d "$place" ] || LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$place
done
# MPI only starts the processes, over TCP. It shall not open the devices beside them, and an interface that has the same
# address on every node is no way to another one.
export PATH LD_LIBRARY_PATH NCCL_DEBUG=INFO OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_pml=^cm,ucx OMPI_MCA_btl=tcp,self
export OMPI_MCA_btl_tcp_if_exclude=lo,docker0,ecs-eth0 OMPI_MCA_oob_tcp_if_exclude=lo,docker0,ecs-eth0

find_programs() {
    mpirun=$(command -v mpirun)
    case $tool in
    # The one with _mpi stands beside one that knows a single node.
    nccl-tests)
        tests=$(command -v all_reduce_perf_mpi || command -v all_reduce_perf ||
            find /opt/nccl-tests/build /usr/local/cuda*/efa -name all_reduce_perf 2>/dev/null | sort | tail -n 1)
        ;;
    nccom-test) tests=$(command -v nccom-test) ;;
    esac
    [ "$tests" ] && [ "$mpirun" ]
}

# By its whole path, mpirun looks for its parts in the same place on every node.
on_each() { # HOST... -- PROGRAM ARGUMENT...
    local hosts='' count=0 name
    local -a given=()
    while [ "$1" != -- ]; do
        hosts+=,$1:1
        count=$((count + 1))
        shift
    done
    shift
    for name in PATH LD_LIBRARY_PATH "${!FI_@}" "${!NCCL_@}" "${!OFI_NCCL_@}"; do
        given+=(-x "$name")
    done
    timeout --kill-after=10 "$limit" "$mpirun" --host "${hosts#,}" -np "$count" -N 1 --bind-to none "${given[@]}" "$@" \
        </dev/null
}

# The name of a pod or the address of a container says little when it is gone.
instance_of() { # HOST
    on_each "$1" -- cat /sys/devices/virtual/dmi/id/board_asset_tag 2>/dev/null | grep -o 'i-[0-9a-f]*' | head -n 1
}

# Nodes that share no name service know the first one by its address alone.
address_of() { # HOST
    local address
    address=$(getent ahostsv4 "$1" | awk 'NR == 1 { print $1 }')
    [ "$address" ] || address=$(scontrol --oneliner show node "$1" 2>/dev/null | grep -o ' NodeAddr=[^ ]*' | cut -d = -f 2)
    echo "$address"
}

# Older releases lack some options. A check with ones needs no sums of the processors.
run_nccom_test() { # PORT HOST...
    local port=$1 help
    local -a options=()
    shift
    help=$("$tests" --help 2>&1 </dev/null)
    [[ $help != *--non-interactive* ]] || options+=(--non-interactive)
    [[ $help != *--data-collector-port* ]] || options+=(--data-collector-port "$port")
    # In a container no other one knows the name of this one.
    [ "$SLURM_JOB_ID" ] || [[ $help != *--data-collector-host* ]] ||
        options+=(--data-collector-host "$(hostname -i | cut -d ' ' -f 1)")
    options+=(--check)
    [[ $help != *all_ones* ]] || options+=(all_ones)
    NEURON_RT_ROOT_COMM_ID=$(address_of "$1"):63182 timeout --kill-after=10 "$limit" "$tests" allr -r $(($# * ranks)) \
        -N $# -b 128MB -e 1GB -f 2 -d fp32 "${options[@]}" --hosts "$@" </dev/null
}

# Ends with 0 where the hosts are a success, and reach the floor that there is for as many. Messages of 8 GiB are those that
# somebody measured on most numbers of nodes; on small GPUs nccl-tests themselves stop earlier.
benchmark() { # NAME PORT HOST...
    local log=$folder/$1.log name=$1 port=$2 status
    shift 2
    case $tool in
    nccl-tests) on_each "$@" -- "$tests" -b 128M -e 8G -f 2 -g "$ranks" ;;
    nccom-test) run_nccom_test "$port" "$@" ;;
    esac >"$log" 2>&1
    status=$?
    "$collective" parse --expect "$folder/expect" --nodes $# --status $status "$log" >"$folder/$name.json"
}

# Runs it beside what runs, on two nodes.
begin() { # NAME HOST HOST
    ports=$((ports + 1))
    benchmark "$1" $((60006 + ports)) "$2" "$3" &
    runs+=($!)
}

# Of three nodes in which a pair fails, the third is the witness, though nothing is known of it: it is good where it
# passes with one of the two.
find_slow_of_three() {
    local first second
    benchmark again-0 60006 "${nodes[0]}" "${nodes[2]}"
    first=$?
    benchmark again-1 60006 "${nodes[1]}" "${nodes[2]}"
    second=$?
    [ $first = 0 ] || [ $second != 0 ] || found=("${nodes[0]}")
    [ $first != 0 ] || [ $second = 0 ] || found=("${nodes[1]}")
}

# Sets `found` to the nodes that are slow.
find_slow_nodes() {
    local -a runs=() suspects=() good=()
    local i count=${#nodes[@]}
    for ((i = 0; i + 1 < count; i += 2)); do
        begin "pair-$i" "${nodes[i]}" "${nodes[i + 1]}"
    done
    for ((i = 0; i + 1 < count; i += 2)); do
        if wait "${runs[i / 2]}"; then
            good+=("${nodes[i]}" "${nodes[i + 1]}")
        else
            suspects+=("${nodes[i]}" "${nodes[i + 1]}")
        fi
    done
    if [ "$count" = 3 ] && [ ${#good[@]} = 0 ]; then
        find_slow_of_three
        return
    fi
    # What most nodes have is not theirs. So each suspect has a witness of its own.
    [ $((${#suspects[@]} * 2)) -le "$count" ] || return 0
    runs=()
    for i in "${!suspects[@]}"; do
        begin "again-$i" "${suspects[i]}" "${good[i]}"
    done
    for i in "${!suspects[@]}"; do
        wait "${runs[i]}" || found+=("${suspects[i]}")
    done
    # Of an odd number, the last has been in no pair.
    if [ $((count % 2)) = 1 ] && ! benchmark last-0 60006 "${nodes[-1]}" "${good[0]}" &&
        ! benchmark last-1 60006 "${nodes[-1]}" "${good[1]}"; then
        found+=("${nodes[-1]}")
    fi
}

if ! find_programs; then
    echo "the image has no $tool, or no mpirun: nothing is measured between accelerators"
    exit 0
fi
printf '%s\n' "$expect" >"$folder/expect"
# A node may be late. What mpirun cannot start is no fault of an accelerator.
until on_each "${nodes[@]}" -- true >"$folder/start.log" 2>&1; do
    if [ "$SECONDS" -ge "$late" ]; then
        tail -n 20 "$folder/start.log"
        echo "mpirun starts nothing on ${nodes[*]}: nothing is measured between accelerators, and no node can be named"
        exit 2
    fi
    sleep 5
done

found=()
benchmark all 60006 "${nodes[@]}"
status=$?
[ "$3" ] || cat "$folder/all.log"
cat "$folder/all.json"
[ $status != 0 ] || exit 0
[ ${#nodes[@]} -lt 3 ] || find_slow_nodes
if [ ${#found[@]} = 0 ]; then
    echo "$tool is no success, and no node can be named${3:+: $folder/all.log}"
fi
for node in "${found[@]}"; do
    echo "at fault: $node $(instance_of "$node")"
done
exit 2
