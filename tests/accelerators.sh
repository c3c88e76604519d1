#!/bin/bash
# Runs the last phase of first jobs, stdlib/job/accelerators.sh as builds write it, on nodes that are names, and the
# launcher of an MPIJob, stdlib/job/mpijob.sh: accelerators.sh DTC DTC-COLLECTIVE. Stand-ins replace mpirun, all_reduce_perf and nccom-test: they print what the real ones
# print, and less bandwidth where a node of `faulty` takes part. dtc-collective judges it.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
collective=$(realpath "$2") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 scratch faulty=

for name in parallelcluster-nccl batch-nccl eks-nccl; do
    "$dtc" build "$root/fixtures/valid/$name/main.dt" --core "$root/fixtures/core" -o "$scratch/$name" \
        >"$scratch/$name.said" 2>&1 || exit 3
done
sed 's/trn1.32xlarge/trn2.48xlarge/' "$root/fixtures/valid/eks-nccl/main.dt" >"$scratch/trn2.dt"
"$dtc" build "$scratch/trn2.dt" --core "$root/fixtures/core" -o "$scratch/trn2" >"$scratch/trn2.said" 2>&1 || exit 3

# ---- what stands in

mkdir "$scratch/bin"
program() { # NAME, and its text on standard input
    cat >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

# Starts the program once, for all hosts, as rank 0 alone prints.
program mpirun <<'END'
#!/bin/bash
given=()
while [ $# -gt 0 ]; do
    case $1 in
    --host) hosts=$2 ;;
    -np) count=$2 ;;
    -x) given+=("$2") ;;
    -N | --bind-to) ;;
    *) break ;;
    esac
    shift 2
done
export HOSTS=${hosts//:1/} COUNT=$count
echo "$HOSTS $count $*" >>"$scratch/runs"
echo "${given[*]}" >>"$scratch/given"
[ "$1" != cat ] || exec echo "i-0123456789abcdef${HOSTS##*-}"
if [ "$1" = true ] && [ -s "$scratch/late" ]; then
    sed -i 1d "$scratch/late"
    echo "ssh: connect to host ${HOSTS%%,*} port 22: Connection refused" >&2
    exit 1
fi
exec "$@"
END
# What of the nodes' bandwidth is there, of 1000.
program speed <<'END'
#!/bin/bash
for host in ${HOSTS//,/ }; do
    [[ " $faulty " != *" $host "* ]] || exec echo 300
done
echo 1000
END
program all_reduce_perf <<'END'
#!/bin/bash
arguments=$*
gpus=${arguments##*-g }
printf '# nThread 1 nGpus %s minBytes 134217728 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n' "$gpus"
rank=0
for host in ${HOSTS//,/ }; do
    [ ! -e "$scratch/alone" ] || rank=0 # built without MPI
    for ((i = 0; i < gpus; i++)); do
        printf '#  Rank %2d Group  0 Pid   4011 on %s device %2d [0000:53:00] NVIDIA H100 80GB HBM3\n' $rank "$host" $i
        rank=$((rank + 1))
    done
done
[ "$NCCL_DEBUG" != INFO ] || echo "${HOSTS%%,*}:4011:4052 [0] NCCL INFO Using network Libfabric"
echo '#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong'
speed=$(speed)
for row in 134217728:290 1073741824:430 8589934592:450; do
    awk -v size=${row%:*} -v bus=${row#*:} -v speed="$speed" 'BEGIN {
        bus = bus * speed / 1000
        printf "%12s %13d     float     sum      -1   868.00  %.2f  %.2f       0   869.74  %.2f  %.2f       0\n",
            size, size / 4, bus / 1.875, bus, bus / 1.875, bus }'
done
printf '# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 238.417 \n#\n'
END
# As the rows of its user guide: aws-neuron/aws-neuron-sdk tools/neuron-sys-tools/nccom-test.rst, Multiple Instances
# Example, 2026-11.
cat >"$scratch/nccom-test" <<'END'
#!/bin/bash
if [ "$1" = --help ]; then
    [ -e "$scratch/old" ] || echo '--check {random,all_ones} --non-interactive --data-collector-port --data-collector-host'
    exit
fi
arguments=$*
HOSTS=${arguments##*--hosts }
export HOSTS=${HOSTS// /,}
echo "$NEURON_RT_ROOT_COMM_ID $*" >>"$scratch/runs"
[[ " $broken " != *" ${HOSTS%%,*} "* ]] || {
    printf '33554432    Failure running neuron-bench - log file /tmp/nccom_test_log_7pqpdfjf.log\n1 errors found - test failed\n'
    exit 1
}
echo '               size(B)    count(elems)    type    time(us)    algbw(GB/s)    busbw(GB/s)'
speed=$(speed)
while read -r size count time algorithm bus; do
    awk -v s=$size -v c=$count -v t=$time -v a=$algorithm -v b=$bus -v speed="$speed" \
        'BEGIN { printf "%22d %15d    fp32 %11d %14.2f %14.2f\n", s, c, t, a * speed / 1000, b * speed / 1000 }'
done <<'ROWS'
134217728 33554432 6279 19.91 39.19
268435456 67108864 11954 20.91 41.17
536870912 134217728 21803 22.93 45.15
1073741824 268435456 41806 23.92 47.09
ROWS
printf 'Avg bus bandwidth:\t43.1500GB/s\n'
END
chmod +x "$scratch/nccom-test"
program getent <<'END'
#!/bin/bash
echo "10.0.0.${2##*-} STREAM $2"
END
program sleep <<'END'
#!/bin/bash
END
program hostname <<'END'
#!/bin/bash
echo 10.0.0.99
END

# ---- the scripts

# The text between two lines, as it stands in a file of YAML.
block() { # FILE FIRST-LINE
    awk -v first="$2" '!indent && $0 ~ first { found = 1 }
        found && /^ *#!/ { match($0, /^ */); indent = RLENGTH + 1 }
        indent && /[^ ]/ && match($0, /^ */) && RLENGTH + 1 < indent { exit }
        indent { print substr($0, indent) }' "$1"
}
sed -n "/^read -r -d '' accelerators/,/^END/p" "$scratch/parallelcluster-nccl/slurm-gpu.sbatch" | sed '1d;$d' >"$scratch/slurm.gpu"
sed -n "/^read -r -d '' accelerators/,/^END/p" "$scratch/parallelcluster-nccl/slurm-neuron.sbatch" | sed '1d;$d' >"$scratch/slurm.neuron"
block "$scratch/batch-nccl/train.cfn.yaml" 'Name: FIRST_JOB_ACCELERATORS' >"$scratch/batch.gpu"
block "$scratch/batch-nccl/trainium.cfn.yaml" 'Name: FIRST_JOB_ACCELERATORS' >"$scratch/batch.neuron"
for group in gpu neuron; do
    block "$scratch/eks-nccl/train-$group.nccl.k8s.yaml" '/bin/bash' >"$scratch/eks.$group"
done

# Runs a script on so many nodes, which are called node-1, node-2 and so on.
measure() { # SCRIPT COUNT [FOLDER]
    local i
    rm -rf "$scratch/folder" "$scratch/runs" "$scratch/given"
    mkdir "$scratch/folder"
    for ((i = 1; i <= $2; i++)); do echo "node-$i slots=1"; done >"$scratch/hosts"
    (cd "$scratch" && PATH=$scratch/bin:$PATH TMPDIR=$scratch \
        bash -c "$(cat "$scratch/$1")" accelerators "$scratch/hosts" "$collective" ${3+"$scratch/folder"}) \
        >"$scratch/printed" 2>&1
    status=$?
}

evidence() {
    tail -n 25 "$scratch/printed" "$scratch/runs" 2>/dev/null
}

named() { # NODE...
    local expected='' node
    for node in "$@"; do expected+="at fault: node-$node i-0123456789abcdef$node"$'\n'; done
    [ "$(grep '^at fault' "$scratch/printed")" = "${expected%$'\n'}" ]
}

runs_of() { # how many runs with all_reduce_perf or nccom-test
    grep -vc ' true$\| cat ' "$scratch/runs"
}

for script in slurm batch eks; do
    for group in gpu neuron; do
        bash -n "$scratch/$script.$group" && [ "$(head -c 11 "$scratch/$script.$group")" = '#!/bin/bash' ]
        result $? "a shell reads the script of $script.$group"
    done
done

# ---- GPUs

mv "$scratch/bin/all_reduce_perf" "$scratch/all_reduce_perf"
measure slurm.gpu 4 folder
[ $status = 0 ] && grep -qx 'the image has no nccl-tests, or no mpirun: nothing is measured between accelerators' "$scratch/printed"
result $? 'an image without nccl-tests is no fault'
mv "$scratch/all_reduce_perf" "$scratch/bin/all_reduce_perf"

for script in slurm batch eks; do
    measure $script.gpu 4 folder
    [ $status = 0 ] && named && [ "$(runs_of)" = 1 ] && grep -q '"from":"record","gbs":300.00' "$scratch/folder/all.json" &&
        grep -q '"bench.nodes","s":"pass"' "$scratch/folder/all.json" &&
        grep -qx "node-1,node-2,node-3,node-4 4 $scratch/bin/all_reduce_perf -b 128M -e 8G -f 2 -g 8" "$scratch/runs"
    result $? "$script: nccl-tests run between all GPUs of the nodes, and reach the floor of the source"
done
grep -q 'PATH LD_LIBRARY_PATH .*NCCL_DEBUG' "$scratch/given"
result $? 'the processes get the paths, and say which network they use'

measure eks.gpu 2
grep -q '^# Avg bus bandwidth' "$scratch/printed" && grep -q '"verdict":"pass"' "$scratch/printed"
result $? 'without a folder the output is printed'

printf '#!/bin/sh\nexec all_reduce_perf "$@"\n' >"$scratch/bin/all_reduce_perf_mpi" && chmod +x "$scratch/bin/all_reduce_perf_mpi"
measure batch.gpu 2 folder
[ $status = 0 ] && grep -q "$scratch/bin/all_reduce_perf_mpi -b" "$scratch/runs"
result $? 'of two programs the one that knows MPI runs'
rm "$scratch/bin/all_reduce_perf_mpi"

touch "$scratch/alone"
measure batch.gpu 2 folder
[ $status = 2 ] && grep -q '"bench.nodes","s":"fail","want":"at least 2","got":"1"' "$scratch/printed"
result $? 'a program without MPI runs on each node alone, which is no success'
rm "$scratch/alone"

faulty=node-3 measure slurm.gpu 4 folder
[ $status = 2 ] && named 3 && [ "$(runs_of)" = 5 ]
result $? 'of a pair that fails, the node that fails with a third one is named'

faulty='node-3 node-4' measure slurm.gpu 4 folder
named 3 4
result $? 'both nodes of a pair, where each fails with a third one'

faulty='node-2 node-5' measure slurm.gpu 8 folder
named 2 5 && [ "$(grep -c '^node-[0-9]*,node-[0-9]* 2' "$scratch/runs")" = 8 ] &&
    [ -z "$(grep -o '^node-[0-9]*,node-[0-9]* 2' "$scratch/runs" | tail -n 4 | grep -o 'node-[0-9]*' | sort | uniq -d)" ]
result $? 'two nodes of two pairs, each suspect with a witness of its own'

faulty='node-1 node-3' measure slurm.gpu 4 folder
[ $status = 2 ] && named && grep -q 'nccl-tests is no success, and no node can be named' "$scratch/printed"
result $? 'where all pairs fail, no node is named'

faulty='node-1 node-3 node-5' measure slurm.gpu 8 folder
[ $status = 2 ] && named && [ "$(runs_of)" = 5 ]
result $? 'nor where most nodes are in pairs that fail'

for i in 1 2 3; do
    faulty=node-$i measure slurm.gpu 3 folder
    named $i
    result $? "of three nodes number $i"
done
faulty='node-1 node-2' measure slurm.gpu 3 folder
[ $status = 2 ] && named
result $? 'of three nodes none, where two are slow'
faulty=node-5 measure slurm.gpu 5 folder
named 5
result $? 'the last of five, with two others'
faulty=node-1 measure slurm.gpu 2 folder
[ $status = 2 ] && named && [ "$(runs_of)" = 1 ]
result $? 'of two nodes nobody can say which'

printf '\n\n' >"$scratch/late"
measure eks.gpu 2 folder
[ $status = 0 ] && [ "$(grep -c ' true$' "$scratch/runs")" = 3 ]
result $? 'a node that comes up late is waited for'
printf '\n' >"$scratch/late"
measure slurm.gpu 2 folder
[ $status = 2 ] && [ "$(runs_of)" = 0 ] && grep -q 'Connection refused' "$scratch/printed" &&
    grep -q 'mpirun starts nothing on node-1 node-2: .* no node can be named' "$scratch/printed"
result $? 'what mpirun cannot start is no fault of an accelerator'
rm "$scratch/late"

# ---- Neuron

export broken=
measure batch.neuron 2 folder
[ $status = 0 ] && grep -qx 'the image has no nccom-test, or no mpirun: nothing is measured between accelerators' "$scratch/printed"
result $? 'an image without nccom-test is no fault'
mv "$scratch/nccom-test" "$scratch/bin/nccom-test"

for script in slurm batch eks; do
    SLURM_JOB_ID='' measure $script.neuron 2 folder
    [ $status = 0 ] && grep -q '"from":"unfloored"' "$scratch/folder/all.json" && grep -q '"tool":"nccom-test","rows":4' "$scratch/folder/all.json" &&
        grep -qx "10.0.0.1:63182 allr -r 64 -N 2 -b 128MB -e 1GB -f 2 -d fp32 --non-interactive --data-collector-port 60006 --data-collector-host 10.0.0.99 --check all_ones --hosts node-1 node-2" "$scratch/runs"
    result $? "$script: nccom-test runs between all cores of the nodes"
done
block "$scratch/trn2/train-neuron.nccl.k8s.yaml" '/bin/bash' >"$scratch/trn2.neuron"
measure trn2.neuron 2 folder
grep -q '^10.0.0.1:63182 allr -r 128 -N 2 ' "$scratch/runs"
result $? 'of Trainium2 its logical cores'

touch "$scratch/old"
SLURM_JOB_ID=7 measure slurm.neuron 2 folder
[ $status = 0 ] && grep -qx "10.0.0.1:63182 allr -r 64 -N 2 -b 128MB -e 1GB -f 2 -d fp32 --check --hosts node-1 node-2" "$scratch/runs"
result $? 'an older nccom-test gets no option that it does not know'
rm "$scratch/old"

broken=node-1 measure slurm.neuron 4 folder
[ $status = 2 ] && named 1 && grep -q '"bench.status","s":"fail"' "$scratch/folder/all.json"
result $? 'a node on which nccom-test fails is named'
[ "$(grep -o -- '--data-collector-port [0-9]*' "$scratch/runs" | sort | uniq -d)" = '' ]
result $? 'runs side by side have ports of their own'

sed "s/^efa.count.*/&\\ncoll.bus-gbps 300/" "$scratch/slurm.neuron" >"$scratch/floored.neuron"
sed -i "s/\(efa.count [0-9]*\)'/\1\\ncoll.bus-gbps 300'/" "$scratch/floored.neuron"
faulty=node-2 measure floored.neuron 4 folder
[ $status = 2 ] && named 2 && grep -q '"from":"record","gbs":37.50' "$scratch/folder/all.json"
result $? 'and one whose bandwidth is below the floor'

# ---- an MPIJob

"$dtc" build "$root/fixtures/valid/eks-jobs/main.dt" --core "$root/fixtures/core" -o "$scratch/eks-jobs" >/dev/null 2>&1 ||
    exit 3
block "$scratch/eks-jobs/all-reduce.k8s.yaml" '/bin/bash' >"$scratch/mpijob"
program train <<'END'
#!/bin/bash
echo "trained with $*"
END

# Runs mpirun in the launcher.
launch() { # SCRIPT
    rm -f "$scratch/runs" "$scratch/given"
    (cd "$scratch" && PATH=${TOOLS-$scratch/bin:$PATH} /bin/bash -c "$(cat "$scratch/$1")" mpirun -np 16 -x PATH train it) \
        >"$scratch/printed" 2>&1
    status=$?
}

launch mpijob
[ $status = 0 ] && [ "$(cat "$scratch/printed")" = 'trained with it' ] && grep -qx ' 2 true' "$scratch/runs" &&
    grep -qx ' 16 train it' "$scratch/runs"
result $? 'mpirun runs with its arguments when all workers have answered'
printf '\n\n' >"$scratch/late"
launch mpijob
[ $status = 0 ] && [ "$(grep -c ' true$' "$scratch/runs")" = 3 ] && [ "$(cat "$scratch/printed")" = 'trained with it' ]
result $? 'a worker whose ssh server is late is waited for'
printf '\n' >"$scratch/late"
sed 's/^late=.*/late=0/' "$scratch/mpijob" >"$scratch/mpijob.short"
launch mpijob.short
[ $status = 75 ] && grep -q 'Connection refused' "$scratch/printed" && ! grep -q train "$scratch/runs"
result $? 'but not for ever'
sed '/^export PATH/d' "$scratch/mpijob" >"$scratch/mpijob.bare"
mkdir "$scratch/none"
TOOLS=$scratch/none launch mpijob.bare
[ $status = 69 ] && grep -qx 'mpirun: the image has no mpirun' "$scratch/printed"
result $? 'an image without mpirun is named at once'

finish
