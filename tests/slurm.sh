#!/bin/bash
# Gives the scripts that dtc writes for sbatch to a Slurm: slurm.sh DTC. The controller and four nodes run on this
# machine. Each node has an address of 127.0.0.0/8 of its own, and the size that slurm.conf says. Stand-ins replace
# torchrun, which really meets at the leader's port, and mpirun, which starts a process on each node as Open MPI does. What
# pyxis would read, srun's stand-in takes off: there is no container.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$PWD/$1
scratch=$(mktemp -d) || exit 3
. tests/support/slurm.sh
export WORLD=$scratch/world SLEEP=1234.$$
bin=$scratch/bin
mkdir -p "$bin" "$WORLD/home"
PATH=$bin:$PATH
end_all() {
    end_slurm
    rm -rf "$scratch"
}
trap end_all EXIT
why=$(slurm_runs) || skip_all "$why"

# ---- what stands in

program() { # NAME, and its text on standard input
    cat >"$bin/$1"
    chmod +x "$bin/$1"
}

# The first node listens where all were told to meet; each sends its rank, and all go on when all are there.
program torchrun <<'END'
#!/usr/bin/env python3
import os, socket, sys, time
arguments = sys.argv[1:]
options = {}
while arguments and arguments[0].startswith("--"):
    name = arguments.pop(0)
    options[name] = True if name in ("--standalone", "--no-python") else arguments.pop(0)
nodes, rank = int(options.get("--nnodes", 1)), int(options.get("--node-rank", 0))
if nodes > 1:
    at = options["--master-addr"], int(options["--master-port"])
    if rank == 0:
        with socket.create_server(at) as server:
            others = [server.accept()[0] for _ in range(1, nodes)]
            ranks = sorted(int(other.recv(8)) for other in others)
            for other in others:
                other.sendall(b"met")
        assert ranks == list(range(1, nodes)), ranks
    else:
        for _ in range(200):
            try:
                meeting = socket.create_connection(at, 10)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        meeting.sendall(b"%d" % rank)
        assert meeting.recv(8) == b"met"
    with open(os.environ["WORLD"] + "/met." + os.environ["SLURM_JOB_NAME"], "a") as met:
        met.write("%d of %d at %s:%d\n" % (rank, nodes, *at))
os.execvp(arguments[0], arguments)
END
program mpirun <<'END'
#!/bin/bash
printf '%s\n' "$@" >"$WORLD/mpirun"
while [ "$1" != report ]; do shift; done
exec srun --ntasks-per-node=1 --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" "$@"
END
program report <<'END'
#!/bin/bash
said=$WORLD/$SLURM_JOB_NAME.$SLURM_PROCID
printf '%s\0' "$@" >"$said.arguments"
printf '%s\0' "${NOTE-}" "${QUOTED-}" >"$said.variables"
env >"$said.environment"
END
export SRUN
SRUN=$(command -v srun)
program srun <<'END'
#!/bin/bash
options=()
while [[ ${1-} == -* ]]; do
    case $1 in
    --container-* | --no-container-* | --mpi=pmix) echo "$1" >>"$WORLD/boxed.options.$SLURM_JOB_NAME" ;;
    *) options+=("$1") ;;
    esac
    case $1 in
    --container-env=*)
        for name in $(echo "${1#*=}" | tr , ' '); do
            [ -n "${!name+set}" ] || echo "$name is not exported" >>"$WORLD/boxed.options.$SLURM_JOB_NAME"
        done
        ;;
    esac
    shift
done
exec "$SRUN" "${options[@]}" "$@"
END
# One node fails; what runs on the others would take longer than this script does.
program fails-on <<'END'
#!/bin/bash
started=$WORLD/started.$SLURM_JOB_NAME
echo "$SLURM_NODEID" >>"$started"
if [ "$SLURM_NODEID" = "$1" ]; then
    # A signal to a node whose process has not started yet may be lost.
    for _ in {1..100}; do
        [ "$(grep -cvx "$1" "$started")" -lt "$(grep -cx "$1" "$started")" ] || break
        sleep 0.1
    done
    exit 3
fi
exec sleep "$SLEEP"
END
program waits <<'END'
#!/bin/bash
echo "$SLURM_NODEID" >>"$WORLD/started.$SLURM_JOB_NAME"
exec sleep "$SLEEP"
END
program holds <<'END'
#!/bin/bash
until [ -e "$WORLD/go" ]; do sleep 0.1; done
END
# One of an array fails at first. It is the last that starts, which has the id of the array.
program shard <<'END'
#!/bin/bash
echo "$SLURM_ARRAY_TASK_ID" >>"$WORLD/shards"
[ "$SLURM_ARRAY_TASK_ID" = 2 ] && [ "${SLURM_RESTART_COUNT:-0}" = 0 ] && exit 1
exit 0
END
# The head node: what `pcluster ssh` is told runs in a home folder.
program pcluster <<'END'
#!/bin/bash
[ "$1 $2 $3 $4 $5" = "ssh --cluster-name llm --region us-east-1" ] || exit 1
cd "$WORLD/home" && shift 5 && exec sh -c "${*//\/opt\/slurm\/bin\//}"
END
# Goes on when as many are there, so that they are so at once.
program gathers <<'END'
#!/bin/bash
scontrol --details --oneliner show job "$SLURM_JOB_ID" | sed -n 's/.* Nodes=\([^ ]*\) .* GRES=\(gpu[^ ]*\).*/\1 \2/p' \
    >"$WORLD/gathered.$SLURM_JOB_ID"
for _ in {1..100}; do
    [ "$(ls "$WORLD"/gathered.* | wc -l)" -lt "$1" ] || exit 0
    sleep 0.1
done
exit 1
END

# ---- Slurm

configure() {
    local gpu
    for gpu in 0 1 2 3 4 5 6 7; do
        : >"$scratch/nvidia$gpu"
    done
    echo "NodeName=gpu-[1-4] Name=gpu Count=8 Flags=nvidia_gpu_env File=$scratch/nvidia[0-7]" >"$scratch/gres.conf"
    slurm_configure <<END
GresTypes=gpu
HealthCheckProgram=$scratch/again
HealthCheckInterval=1
HealthCheckNodeState=ALLOC,IDLE,MIXED
NodeName=gpu-[1-4] NodeHostname=$(hostname) NodeAddr=127.0.0.[11-14] Port=[$((ports + 1))-$((ports + 4))] Sockets=2 CoresPerSocket=48 ThreadsPerCore=2 RealMemory=2000000 Gres=gpu:8
PartitionName=gpu Nodes=gpu-[1-4] MaxTime=INFINITE State=UP
END
}

evidence() {
    timeout 5 squeue --long
    tail -n 8 "$scratch/out/"*"-${id:-}.out"
    tail -n 4 "$scratch"/slurmctld.log
} 2>/dev/null

submit() { # JOB
    (cd "$scratch/out" && timeout 10 sbatch --parsable "$1.sbatch")
}

# What Slurm says of one field of a job.
field() { # ID NAME
    timeout 5 scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

is_in() { # ID STATE
    [ "$(field "$1" JobState)" = "$2" ]
}

is_over() { # ID
    ! is_in "$1" RUNNING
}

has_lines() { # COUNT FILE
    [ "$(wc -l <"$WORLD/$2")" = "$1" ]
}

none_sleeps() {
    ! pgrep -f "^sleep $SLEEP\$"
}

configure
start_slurm gpu-1 gpu-2 gpu-3 gpu-4 2>"$scratch/said" || {
    fail "Slurm starts" "" "$scratch/said"
    finish
}
"$dtc" build -p "programs=$bin" -o "$scratch/out" tests/slurm/infra.dt >"$scratch/said" 2>&1 || {
    fail "tests/slurm/infra.dt builds" "" "$scratch/said"
    finish
}

# ---- several nodes meet

id=$(submit train)
claim "a job of torchrun on four nodes ends well" until_within 60 is_in "$id" COMPLETED
port=$((10000 + id % 10000))
claim "each node meets the others at the first one's address, at the job's port" \
    test "$(sort "$WORLD/met.train")" = "$(printf '%s\n' {0..3}" of 4 at 127.0.0.11:$port")"
claim "Slurm understands the time limit" test "$(field "$id" TimeLimit)" = 1-12:00:00
printf '%s\0' "it's \$HOME; \`id\`" "two  blanks" "" $'-x\nlines\n' '"*\ #SBATCH' >"$scratch/arguments"
printf '%s\0' $'two\nlines\n' "it's \"\$HOME\" \\" >"$scratch/variables"
for rank in 0 1 2 3; do
    cmp -s "$scratch/arguments" "$WORLD/train.$rank.arguments" && cmp -s "$scratch/variables" "$WORLD/train.$rank.variables"
    result $? "words and variables of rank $rank arrive byte for byte"
done

# ---- failures

one=$(submit one-fails)
any=$(submit any-fails)
claim "a rank that fails ends the job of torchrun" until_within 60 is_in "$one" FAILED
claim "a command that fails on one node ends the job" until_within 60 is_in "$any" FAILED
claim "nothing of them is left on the other nodes" until_within 60 none_sleeps

# Slurm lets a job that starts again wait for two minutes.
start_again() { # ID
    until_within 60 is_in "$1" PENDING
    scontrol update jobid="$1" starttime=now
}

# On the node that fails: the other may be ended before it has said anything.
was_started() { # TIMES
    [ "$(grep -cx 0 "$WORLD/started.tried")" = "$1" ]
}

id=$(submit tried)
until_within 60 was_started 1
start_again "$id"
claim "a job that fails is started again, and ends with its last attempt" until_within 60 is_in "$id" FAILED
claim "it was started as often as its attempts" was_started 2
claim "the output of all attempts stays" test "$(grep -c '^srun: error.*Exited with exit code 3' "$scratch/out/tried-$id.out")" -ge 2

# ---- a node is lost: its daemon ends, and what runs there with it

lose_node() { # NAME
    kill "$(cat "$scratch/pids/$1")"
    scontrol update nodename="$1" state=down reason=lost
}

return_node() { # NAME
    start_node "$1"
    scontrol update nodename="$1" state=resume
}

id=$(submit lost)
for attempt in 1 2; do
    claim "attempt $attempt of a job that loses nodes starts" until_within 60 has_lines $((2 * attempt)) started.lost
    node=$(scontrol show hostnames "$(field "$id" NodeList)" | tail -n 1)
    lose_node "$node"
    until_within 60 is_over "$id"
    return_node "$node"
    start_again "$id"
done
claim "a job that lost nodes as often as it may be started ends" until_within 60 is_in "$id" FAILED
claim "it says so" grep -qx "tried 2 times" "$scratch/out/lost-$id.out"
claim "its command was not started again" has_lines 4 started.lost

# ---- parts of nodes, and launchers

have_gathered() { # COUNT
    [ "$(cat "$WORLD"/gathered.* | wc -l)" = "$1" ]
}

# ---- jobs that wait for others, submitted as plan.json says

step() { # JOB
    (cd "$scratch/out" && python3 -c 'import json, sys
for wave in json.load(open("plan.json"))["waves"]:
    for step in wave:
        if step["name"] == sys.argv[1]:
            print(step["apply"])' "$1" | sh -e)
}

is_before() { # JOB JOB, in plan.json
    [ "$(grep -n "\"name\": \"$1\"" "$scratch/out/plan.json" | cut -d: -f1)" -lt \
        "$(grep -n "\"name\": \"$2\"" "$scratch/out/plan.json" | cut -d: -f1)" ]
}

claim "a job stands behind those that it waits for" is_before free later
until_within 60 nodes_are_idle 4
step early >"$scratch/said" 2>&1
step free >>"$scratch/said" 2>&1
later=$(step later 2>&1)
later=${later##* }
claim "a job without needs is not held up" until_within 60 is_in "$(cat "$WORLD/home/free.jobid")" COMPLETED
claim "a job that waits for two waits for the other as well" test "$(field "$later" JobState) $(field "$later" Reason)" = \
    "PENDING Dependency"
: >"$WORLD/go"
claim "it runs when both have ended" until_within 60 is_in "$later" COMPLETED
step failing >>"$scratch/said" 2>&1
never=$(step never 2>&1)
never=${never##* }
claim "a job whose need fails does not start, nor does it stay" until_within 60 is_in "$never" CANCELLED
claim "its command did not run" test ! -e "$WORLD/never.0.arguments"

until_within 60 nodes_are_idle 4
for _ in 1 2 3 4 5 6 7 8; do
    id=$(submit part)
done
claim "eight jobs of a quarter of a node each run at once" until_within 60 have_gathered 8
claim "they fill two nodes, and each has GPUs of its own" \
    test "$(sort "$WORLD"/gathered.* | uniq -u | wc -l) $(cut -d' ' -f1 "$WORLD"/gathered.* | sort -u | wc -l)" = "8 2"
claim "they end well" until_within 60 is_in "$id" COMPLETED

id=$(submit shards)
until_within 60 has_lines 3 shards
start_again "${id}_2"
claim "a job of an array starts again by itself" until_within 60 has_lines 4 shards
claim "the others do not" test "$(sort "$WORLD/shards" | tr '\n' ' ')" = "0 1 2 2 "
claim "it has an output of its own" test -e "$scratch/out/shards-${id}_2.out"

ranks=$(submit ranks)
cores=$(submit cores)
claim "srun starts the processes of two nodes" until_within 60 is_in "$ranks" COMPLETED
claim "each GPU has one" test "$(cat "$WORLD"/ranks.*.environment | sed -n 's/^SLURM_PROCID=//p' | sort -n | tr '\n' ' ')" = \
    "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "
claim "processes have the CPUs that the job says" until_within 60 is_in "$cores" COMPLETED
claim "and as many as it says" test "$(cat "$WORLD"/cores.*.environment | grep -cx SLURM_CPUS_PER_TASK=24)" = 8

# ---- containers

boxed=$(HOME=$WORLD/home submit boxed)
claim "a job with an image ends well" until_within 60 is_in "$boxed" COMPLETED
claim "srun is told image, file systems and variables" diff "$WORLD/boxed.options.boxed" - <<'END'
--no-container-mount-home
--container-writable
--container-image=123456789012.dkr.ecr.us-east-1.amazonaws.com#team/train:sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
--container-mounts=/shared:/shared
--container-env=FI_PROVIDER,NCCL_NET,NCCL_SOCKET_IFNAME,QUOTED
END
printf '%s\0' "it's \$HOME; \`id\`" "two  blanks" >"$scratch/arguments"
claim "its words arrive byte for byte" cmp "$scratch/arguments" "$WORLD/boxed.1.arguments"
claim "its variables do as well" cmp "$scratch/variables" "$WORLD/boxed.1.variables"
credentials=$WORLD/home/.config/enroot/.credentials
# shellcheck disable=SC2016 # of the shell that enroot runs
claim "enroot is told a command for the password of ECR" grep -qxF \
    'machine 123456789012.dkr.ecr.us-east-1.amazonaws.com login AWS password $(aws ecr get-login-password --region us-east-1)' \
    "$credentials"
ranks=$(HOME=$WORLD/home submit boxed-ranks)
claim "srun starts processes in containers by PMIx" until_within 60 is_in "$ranks" COMPLETED
claim "it is asked so" test "$(head -n 1 "$WORLD/boxed.options.boxed-ranks")" = --mpi=pmix
again=$(HOME=$WORLD/home submit boxed)
claim "another job with the image ends well" until_within 60 is_in "$again" COMPLETED
claim "the command stands there once" has_lines 1 home/.config/enroot/.credentials

# The script for the head node, with folders of this test.
switch_on() {
    sed "s,/opt/slurm/bin/scontrol,:,; s,/opt/slurm,$scratch/head,g; s,/usr/local/lib/slurm,$scratch/lib,g" \
        "$scratch/out/llm-pyxis.sh" | bash >"$scratch/said" 2>&1
}
prepare_node() {
    sed "s,^PATH=,&$scratch/tools:,; s,\(/run\|/var/enroot\|/etc/\|/usr/share/enroot\|/proc/sys\),$scratch/node\1,g" \
        "$scratch/head/etc/scripts/prolog.d/60_dtc_pyxis" | sh >"$scratch/said" 2>&1
}
refuses() {
    ! switch_on && grep -q "have pyxis from 3.11.1 on" "$scratch/said"
}
is_as_before() {
    find "$scratch/head" -type f -exec cksum {} + | sort | cmp -s - "$scratch/before"
}
# PARSER is what the stand-in for AppArmor's parser ends with.
restrict_node() { # PARSER
    mkdir -p "$scratch/node/proc/sys/kernel" "$scratch/tools"
    echo 1 >"$scratch/node/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
    printf '#!/bin/sh\necho "$@" >%s\nexit %s\n' "$scratch/parser" "$1" >"$scratch/tools/apparmor_parser"
    chmod 755 "$scratch/tools/apparmor_parser"
    rm "$scratch/node/run/dtc-pyxis"
}
is_restricted() { # VALUE
    grep -qx "$1" "$scratch/node/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
}
mkdir -p "$scratch/node/etc/parallelcluster" "$scratch/node/run" "$scratch/node/usr/share/enroot/hooks.d"
claim "a head without pyxis says so" refuses
claim "nothing is changed there" test ! -e "$scratch/head"
mkdir -p "$scratch/lib" && : >"$scratch/lib/spank_pyxis.so"
claim "pyxis is switched on" switch_on
claim "Slurm reads it" grep -qx "include $scratch/head/etc/plugstack.conf.d/\*" "$scratch/head/etc/plugstack.conf"
find "$scratch/head" -type f -exec cksum {} + | sort >"$scratch/before"
claim "it may be switched on again" switch_on
claim "nothing is changed then" is_as_before
: >"$scratch/node/usr/share/enroot/hooks.d/50-slurm-pmi.sh"
claim "a node prepares itself" prepare_node
claim "each user may make a folder for images there" \
    test "$(stat -c %a "$scratch/node/var/enroot/data" "$scratch/node/var/enroot/cache" "$scratch/node/run/enroot" | sort -u)" = 1777
claim "enroot knows where" grep -qF "ENROOT_DATA_PATH $scratch/node/var/enroot/data/user-\$(id -u)" \
    "$scratch/node/etc/enroot/enroot.conf"
claim "processes find each other by PMIx" test -e "$scratch/node/etc/enroot/hooks.d/50-slurm-pmi.sh"
rm "$scratch/node/run/dtc-pyxis"
echo "  ENROOT_DATA_PATH /mine" >"$scratch/node/etc/enroot/enroot.conf"
prepare_node
claim "a setup of enroot that is there stays" grep -qx "  ENROOT_DATA_PATH /mine" "$scratch/node/etc/enroot/enroot.conf"
claim "without restricted namespaces there is no profile" test ! -e "$scratch/node/etc/apparmor.d/enroot"
restrict_node 0
prepare_node
claim "where namespaces are restricted, enroot gets a profile" grep -qF enroot-nsenter "$scratch/node/etc/apparmor.d/enroot"
claim "it is loaded" grep -qx -- "-r $scratch/node/etc/apparmor.d/enroot" "$scratch/parser"
claim "the restriction of other programs stays" is_restricted 1
restrict_node 1
echo "# mine" >"$scratch/node/etc/apparmor.d/enroot"
prepare_node
claim "a profile that is there stays" grep -qx "# mine" "$scratch/node/etc/apparmor.d/enroot"
claim "where it cannot be loaded, the restriction goes" is_restricted 0

id=$(submit reduce)
claim "mpirun reaches all nodes" until_within 60 is_in "$id" COMPLETED
claim "it is told how many processes there are" test "$(head -n 2 "$WORLD/mpirun" | tr '\n' ' ')" = "-np 8 "
claim "what it starts on a node has all CPUs that the job has there" \
    test "$(cat "$WORLD"/reduce.*.environment | grep -cx SLURM_CPUS_ON_NODE=192)" = 2

# ---- nodes that look at themselves again. Up to here slurmd had a health check that is not installed.

claim "slurmd goes on without its health check" grep -q "health_check can not be executed" "$scratch/gpu-1.log"

# The script for the head node, with folders of this test. A node's core ends with what stands in the node's `status`.
place=$scratch/node/\$SLURMD_NODENAME
mkdir -p "$scratch/tools"
printf '#!/bin/sh\nexec logger --no-act "$@"\n' >"$scratch/tools/logger"
chmod 755 "$scratch/tools/logger"
install_again() {
    sed "s,^PATH=.*,PATH=$scratch/tools:$PATH; export SLURM_CONF=$SLURM_CONF," "$scratch/out/llm-prolog.sh" |
        sed "s,/opt/slurm/etc,$scratch/head/etc,; s,/opt/dtc,$place/opt,g; s,/run/dtc,$place/run,g" >"$scratch/again.new"
    chmod 755 "$scratch/again.new"
    mv "$scratch/again.new" "$scratch/again"
}
expect_of_node() { # NAME
    mkdir -p "$scratch/node/$1/opt" "$scratch/head/etc"
    printf 'dtc-expect 1\ngroup gpu\nlibfabric /opt/fi_info\n' >"$scratch/node/$1/opt/expect"
    echo 0 >"$scratch/node/$1/status"
    cat >"$scratch/node/$1/opt/dtc-node" <<END
#!/bin/sh
cp "\$2" $scratch/node/$1/read
echo '{"checks":[{"id":"klog","s":"fail","want":"79","got":"79"}]}'
exit "\$(cat $scratch/node/$1/status)"
END
    chmod 755 "$scratch/node/$1/opt/dtc-node"
}
has_looked() { # NAME
    [ -s "$scratch/node/$1/read" ]
}
breaks() { # NAME STATUS
    rm -f "$scratch/node/$1/read"
    echo "$2" >"$scratch/node/$1/status"
}

for node in gpu-1 gpu-2 gpu-3 gpu-4; do
    scontrol update nodename=$node state=resume 2>/dev/null
    expect_of_node $node
done
install_again
for node in gpu-1 gpu-2 gpu-3 gpu-4; do
    claim "$node looks at itself while nothing runs" until_within 30 has_looked $node
done
claim "the first look after a start is the whole one" grep -q libfabric "$scratch/node/gpu-1/read"
rm "$scratch/node/gpu-1/read"
until_within 30 has_looked gpu-1
claim "no other program is started for the next" test "$(cat "$scratch/node/gpu-1/read")" = "$(printf 'dtc-expect 1\ngroup gpu')"
claim "healthy nodes stay" nodes_are_idle 4

rm -f "$WORLD/go"
job=$(cd "$scratch/out" && sbatch --parsable --partition=gpu --nodelist=gpu-1 --exclusive --wrap "$bin/holds")
until_within 60 is_in "$job" RUNNING
breaks gpu-1 1
claim "a node that fails takes no more work" until_within 60 node_is gpu-1 '[A-Z]*+DRAIN'
claim "the reason says what failed" grep -qF "Reason=dtc: status 1 klog,s:fail,want:79,got:79;" <(scontrol show node gpu-1)
claim "what runs there goes on" is_in "$job" RUNNING
touch "$WORLD/go"
claim "and ends well" until_within 60 is_in "$job" COMPLETED
breaks gpu-2 4
until_within 30 has_looked gpu-2
claim "an image at fault drains nothing" node_is gpu-2 IDLE
breaks gpu-2 1
claim "a second node is drained" until_within 60 node_is gpu-2 'IDLE+DRAIN'
breaks gpu-3 1
until_within 30 has_looked gpu-3
sleep 8
claim "a third one in the hour is not" node_is gpu-3 IDLE

# The same script before a job.
rm "$scratch/head/etc/dtc-drains"/*
breaks gpu-3 0
sed -i "s/^HealthCheckInterval=.*/HealthCheckInterval=0/; \$ a Prolog=$scratch/again" "$SLURM_CONF"
scontrol reconfigure
sleep 2
breaks gpu-3 1
job=$(cd "$scratch/out" && sbatch --parsable --partition=gpu --nodes=1 --nodelist=gpu-3 --wrap true)
claim "the prolog drains a node that fails before a job" until_within 60 node_is gpu-3 'IDLE+DRAIN'
claim "with its reason" grep -qF "Reason=dtc: status 1 klog" <(scontrol show node gpu-3)
claim "and the job waits for another node" until_within 30 is_in "$job" PENDING
scontrol update jobid="$job" reqnodelist= 2>/dev/null
start_again "$job"
claim "which it finds" until_within 60 is_in "$job" COMPLETED

finish
