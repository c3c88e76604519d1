# shellcheck shell=bash
# A Slurm on this machine, for tests to source: a controller and as many slurmd as a test asks for. `scratch` is a folder of
# the test's, and has what the daemons leave.
: "${scratch:?}"
# Runs at one time have ports, ids of jobs and processes of their own.
ports=$((20000 + $$ % 180 * 70))
export SLURM_CONF=$scratch/slurm.conf
PATH=$PATH:/usr/sbin

# Whether Slurm can run; says why not.
slurm_runs() {
    local tool
    if [ "$(id -u)" != 0 ]; then
        echo "a Slurm of its own needs root"
        return 1
    fi
    for tool in munged slurmctld slurmd sbatch srun python3; do
        if ! command -v "$tool" >/dev/null 2>&1; then
            echo "$tool is not installed"
            return 1
        fi
    done
}

# Writes slurm.conf, whose last lines are standard input: nodes and partitions are among them. A job whose prolog fails
# waits for another node, as on ParallelCluster; else Slurm holds it (slurm.conf(5), 22.05).
slurm_configure() {
    mkdir -p "$scratch/state" "$scratch/munge" "$scratch/pids"
    chmod 755 "$scratch"
    cat >"$scratch/slurm.first" <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$ports
FirstJobId=$((1 + $$ % 9000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket,cred_expire=2
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool.%n
SlurmctldPidFile=$scratch/pids/slurmctld
SlurmdPidFile=$scratch/pids/%n
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/%n.log
SlurmctldDebug=info
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1,nohold_on_prolog_fail
ReturnToService=2
KillWait=1
SlurmdParameters=config_overrides
END
    cat "$scratch/slurm.first" - >"$SLURM_CONF"
}

start_node() { # NAME
    slurmd -N "$1" -f "$SLURM_CONF"
}

until_within() { # SECONDS COMMAND…
    local end=$((SECONDS + 4 * $1)) # a machine that compiles beside it takes its time
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}

nodes_are_idle() { # COUNT
    [ "$(sinfo --noheader --format=%D --states=idle | tr -d ' ')" = "$1" ]
}

start_slurm() { # NAME…
    local node
    head -c 1024 /dev/urandom >"$scratch/munge/key"
    chmod 700 "$scratch/munge"
    chmod 600 "$scratch/munge/key"
    munged --force --socket="$scratch/munge/socket" --key-file="$scratch/munge/key" --pid-file="$scratch/pids/munged" \
        --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" 2>/dev/null || return 1
    slurmctld -f "$SLURM_CONF" || return 1
    mkdir -p "${@/#/$scratch/spool.}"
    for node in "$@"; do
        start_node "$node" || return 1
    done
    until_within 60 nodes_are_idle $#
}

# Ends the jobs and the daemons, which left their process ids.
end_slurm() {
    local file
    [ ! -e "$scratch/pids/slurmctld" ] || timeout 5 scancel --user=root 2>/dev/null
    sleep 0.5
    for file in "$scratch"/pids/*; do
        [ ! -e "$file" ] || kill "$(cat "$file")" 2>/dev/null
    done
    sleep 0.5
}

node_is() { # NAME STATES
    scontrol --oneliner show node "$1" | grep -q " State=$2 "
}
