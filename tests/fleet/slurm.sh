# shellcheck shell=bash disable=SC2154,SC2034
# 64 nodes of a Slurm that look at themselves while they are up, for tests/fleet.sh to source: the health check that dtc
# writes for the head node, with the core and the record that a node's bootstrap leaves. In place of clustermgtd, which ends
# an instance whose node is drained and starts another one, a node gets another tree.
: "${scratch:?}" "${out:?}" "${trees:?}" "${core:?}"
. tests/support/slurm.sh

nodes=64
# How many of them look at themselves; more than may be drained. The others have a job.
looking=$([ -n "${EVERY:-}" ] && echo 64 || echo 8)
head=$scratch/head/etc
place=$scratch/node/\$SLURMD_NODENAME
random=17

below() { # LIMIT: sets `number`, as fleet.py has it
    random=$(((random * 1664525 + 1013904223) % 4294967296))
    number=$(((random >> 8) % $1))
}

tool() { # NAME TEXT
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/tools/$1"
    chmod 755 "$scratch/tools/$1"
}

make_nodes() {
    local names
    names=$(seq -s , 1 "$looking")
    mkdir -p "$scratch/tools" "$scratch/check" "$head"
    eval "mkdir -p '$scratch'/node/gpu-{$names}/{run,root/run/dtc}"
    tool logger "echo \"\$3\" >>\"$place/log\""
    tool sleep :
    # A busy machine is no fault of a node.
    # shellcheck disable=SC2016 # its own arguments
    tool timeout '[ "$1" != -k ] || shift 2; shift; exec "$@"'
    tool dtc-node ": >\"$place/ran\"; exec $core --root \"$place/root\" \"\$@\""
    ln -s "$scratch/tools/dtc-node" "$scratch/check/dtc-node"
}

# A node has another tree, and nothing is left of what was before.
tree_of() { # NODE TREE
    local name=$scratch/node/$1
    ln -sfn "$2/sys" "$2/proc" "$2/dev" "$name/root/"
    rm -rf "$name/log" "$name"/run/*
}

# The script for the head node of a cluster, with folders of this test, and the record of its nodes. Looks are seconds apart
# here, and minutes elsewhere: one that is not over when the next one is due goes on alone.
install_check() { # CLUSTER RECORD
    sed "s,^PATH=.*,PATH=$scratch/tools:$PATH; export SLURM_CONF=$SLURM_CONF; exec 9>$place/lock; flock -n 9 || exit 0; trap '[ ! -e $place/ran ] || : >$place/looked' EXIT," \
        "$out/$1-prolog.sh" |
        sed "s,/opt/slurm/etc,$head,; s,/opt/dtc,$place/opt,g; s,/run/dtc,$place/run,g" >"$scratch/again.new"
    chmod 755 "$scratch/again.new"
    mv "$scratch/again.new" "$scratch/again"
    cp "$2" "$scratch/check/expect"
}

have_looked() { # NODE…
    local node
    for node in "$@"; do
        [ -e "$scratch/node/$node/looked" ] || return 1
    done
}

drained() {
    sinfo --noheader --Node --states=drain --format=%N
}

# These nodes look at themselves, once at least.
look() { # NODE…
    local node
    for node in "$@"; do
        rm -f "$scratch/node/$node/ran" "$scratch/node/$node/looked"
        ln -s "$scratch/check" "$scratch/node/$node/opt"
    done
    until_within 90 have_looked "$@"
    for node in "$@"; do
        rm "$scratch/node/$node/opt"
    done
}

# The tree of an instance that is started in place of another one. Sets `tree`.
pick_tree() { # FAULT
    below $nodes
    tree=$healthy
    case $1 in
    image) tree=$image ;;
    [0-9]*) [ "$number" -ge "${1%% *}" ] || tree=${hardware[number % ${#hardware[@]}]} ;;
    all*) tree=${hardware[number % ${#hardware[@]}]} ;;
    esac
}

# Nodes break while they are up. Sets `started`, `ended`, `kept` and `working` as they are an hour later, and `reasons`.
break_nodes() { # FAULT
    local i faulty=0 node
    reasons=$scratch/reasons
    : >"$reasons"
    rm -rf "$head/dtc-drains"
    scontrol update "nodename=gpu-[1-$nodes]" state=resume 2>/dev/null
    case $1 in
    [0-9]*) faulty=${1%% *} ;;
    all*) faulty=$nodes ;;
    esac
    for ((i = 1; i <= looking; i++)); do
        tree=$healthy
        [ $i -gt "$faulty" ] || tree=${hardware[i % ${#hardware[@]}]}
        [ "$1" != image ] || tree=$image
        tree_of gpu-$i "$tree"
    done
    until_within 60 nodes_are_idle "$looking"
    started=$nodes ended=0
    # shellcheck disable=SC2046 # names
    set -- "$1" $(seq -f 'gpu-%.0f' 1 "$looking")
    # An hour of looks. What a node has found once is not new; an instance that was started is.
    while [ $# -gt 1 ]; do
        look "${@:2}"
        # shellcheck disable=SC2046
        set -- "$1" $(drained | sort -V)
        for node in "${@:2}"; do
            scontrol --oneliner show node "$node" | sed -n 's/.* Reason=\(dtc: .*\) \[.*/\1/p' >>"$reasons"
            ended=$((ended + 1)) started=$((started + 1))
            pick_tree "$1"
            tree_of "$node" "$tree"
            scontrol update nodename="$node" state=resume
        done
    done
    until_within 60 nodes_are_idle "$looking"
    kept=$(drained | wc -l)
    working=$(sinfo --noheader --Node --states=idle,allocated --format=%N | wc -l)
}

configure_slurm() {
    slurm_configure <<END
TreeWidth=64
HealthCheckProgram=$scratch/again
HealthCheckInterval=0
HealthCheckNodeState=IDLE
NodeName=gpu-[1-$nodes] NodeHostname=$(hostname) NodeAddr=127.0.1.[1-$nodes] Port=[$((ports + 1))-$((ports + nodes))] CPUs=1
PartitionName=gpu Nodes=gpu-[1-$nodes] Default=YES MaxTime=INFINITE State=UP
END
}

slurm_row() { # ON_FAIL FAULT MOST
    local about="Slurm, on_fail $1, $2"
    break_nodes "$2"
    claim "each instance that was started has ended or is there" [ $started = $((ended + kept + working)) ]
    claim "no more than $3 are drained in an hour" [ $ended -le "$3" ]
    claim "the reason says what failed, and is the check's" [ "$(grep -c '^dtc: status [14] .*s:fail' "$reasons")" = $ended ]
    printf 'row\tSlurm\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" $started $ended "$kept" "$working" >>"$scratch/rows"
    sed "s/^/said\tSlurm\t$1\t/" "$reasons" | sort -u >>"$scratch/rows"
}

logs_say() { # TEXT COUNT
    [ "$(cat "$scratch"/node/*/log 2>/dev/null | grep -cF -- "$1")" -ge "$2" ]
}

slurm_fleet() {
    local first
    first=$(slurm_runs) || {
        skip 'nodes of a Slurm that fail while they work' "$first"
        return
    }
    make_nodes
    configure_slurm
    install_check parallelcluster "$scratch/plain.record"
    # shellcheck disable=SC2046 # names
    start_slurm $(seq -f 'gpu-%.0f' 1 $nodes) 2>"$scratch/said" || {
        fail 'a Slurm of 64 nodes starts' '' "$scratch/said"
        return
    }
    if [ "$looking" -lt $nodes ]; then
        sbatch --nodes=$((nodes - looking)) --nodelist="gpu-[$((looking + 1))-$nodes]" --exclusive --output=/dev/null \
            --wrap 'sleep 1000' >"$scratch/said" 2>&1
        claim 'the others have a job' until_within 60 nodes_are_idle "$looking"
    fi
    # Only now: a look of all nodes takes seconds of a processor.
    sed -i 's/^HealthCheckInterval=.*/HealthCheckInterval=3/' "$SLURM_CONF"
    scontrol reconfigure
    slurm_row - '1 node' 6
    claim '1 node: it is drained, and replaced' [ $ended -ge 1 ]
    slurm_row - '6 nodes' 6
    claim '6 nodes: they are drained, and replaced' [ $ended = 6 ]
    slurm_row - image 0
    claim 'image: each node says that it takes jobs all the same' logs_say 'not its hardware: it takes jobs' "$looking"
    slurm_row - 'all nodes' 6
    claim 'all nodes: a tenth is drained' [ $ended = 6 ]
    claim 'all nodes: the others say why they are not' logs_say '6 nodes were drained within the hour: it takes jobs' $((looking - 6))
    install_check written "$scratch/written.record"
    slurm_row terminate image 6
    claim 'image, on_fail terminate: a tenth is drained' [ $ended = 6 ]
}
