#!/bin/bash
# Runs first jobs as builds write them: first_job.sh DTC. srun, scontrol, sudo, aws and dtc-collective are stand-ins.
# One fixture's script runs on four nodes, and each node ends as a file of its name says. Another one's runs in a
# container.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 scratch faulty=

"$dtc" build "$root/fixtures/valid/parallelcluster-validate/main.dt" --core "$root/fixtures/core" -o "$scratch/out" \
    >/dev/null 2>&1 || exit 3

mkdir "$scratch/bin"
# Each run of dtc-collective ends with the next word of its node's line, and leaves a verdict that names `culprits`,
# unless it is killed.
cat >"$scratch/program" <<'END'
#!/bin/sh
echo "$DTC_JOB_TOKEN" >>"$scratch/tokens"
echo run >>"$scratch/runs.$SLURMD_NODENAME"
echo "$*" >"$scratch/arguments.$SLURMD_NODENAME"
status=$(cut -d ' ' -f "$(wc -l <"$scratch/runs.$SLURMD_NODENAME")" "$scratch/$SLURMD_NODENAME")
[ "$status" != hang ] || exec sleep 1000
[ "$status" -gt 128 ] || echo '{"rank":'"$SLURM_PROCID,\"culprits\":[$(cat "$scratch/culprits")]"'}' | tee "$3"
exit "$status"
END
cat >"$scratch/bin/srun" <<'END'
#!/bin/bash
while [ "${1#--}" != "$1" ]; do shift; done
for rank in 0 1 2 3; do
    SLURM_PROCID=$rank SLURMD_NODENAME=gpu-st-gpu-$((rank + 1)) "$@" &
done
wait
END
cat >"$scratch/bin/aws" <<'END'
#!/bin/sh
cp "$scratch/object" "$5"
END
cat >"$scratch/bin/scontrol" <<'END'
#!/bin/sh
[ "$1 $2" != "show hostnames" ] || exec printf 'gpu-st-gpu-%s\n' 1 2 3 4
[ "$1" != --oneliner ] || exec echo "NodeName=$4 Arch=x86_64 NodeAddr=10.0.0.1 NodeHostName=ip-10-0-0-1"
[ ! -e "$scratch/powerless" ] || exit 1
echo "$*" >>"$scratch/orders"
END
cat >"$scratch/bin/sudo" <<'END'
#!/bin/sh
[ ! -e "$scratch/no-sudo" ] || exit 1
rm -f "$scratch/powerless"
shift
exec "$@"
END
# No pause is one, but for what hangs.
# shellcheck disable=SC2016 # as the script has it
printf '#!/bin/sh\n[ "$1" != 1000 ] || exec %s 1000\n' "$(command -v sleep)" >"$scratch/bin/sleep"
chmod +x "$scratch/program" "$scratch/bin/"*

# What is built has the sum of the stand-in of fixtures/core: this one's instead.
sum=$(sha256sum <"$scratch/program" | cut -d ' ' -f 1)
sed "s/^sum=.*/sum=$sum/" "$scratch/out/slurm-gpu.sbatch" >"$scratch/job"

job() { # STATUSES OF EACH OF THE FOUR NODES; culprits="RANK..."
    local node=0 statuses rank separator=
    rm -rf "$scratch"/gpu-* "$scratch"/runs.* "$scratch"/orders "$scratch"/dtc-collective-*
    for statuses in "$@"; do
        node=$((node + 1))
        echo "$statuses" >"$scratch/gpu-st-gpu-$node"
    done
    : >"$scratch/orders"
    : >"$scratch/culprits"
    for rank in ${culprits:-}; do
        printf '%s{"rank":%s,"host":"","why":"[%s]"}' "$separator" "$rank" "{\\\"rank\\\":0,\\\"host\\\":" >>"$scratch/culprits"
        separator=,
    done
    (cd "$scratch" && PATH=$scratch/bin:$PATH SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=4 SLURM_JOB_NODELIST='gpu-st-gpu-[1-4]' SLURM_RESTART_COUNT=${restarts:-0} \
        bash job >printed 2>&1)
    status=$?
}

evidence() {
    cat "$scratch/printed" "$scratch/orders"
}

drained() { # NODE...
    local expected='' node
    for node in "$@"; do
        expected+="update nodename=gpu-st-gpu-$node state=drain reason=dtc: collective, job 7"$'\n'
    done
    [ "$(grep update "$scratch/orders")" = "${expected%$'\n'}" ]
}

bash -n "$scratch/job"
result $? 'a shell reads the script'

cp "$scratch/program" "$scratch/object"
job 0 0 0 0
[ $status = 0 ] && drained && grep -qx '{"rank":0,"culprits":\[\]}' "$scratch/printed"
result $? 'four good nodes: 0, and the verdict'
[ "$(grep -l -- ' --leader 10.0.0.1$' "$scratch"/arguments.* | wc -l)" = 4 ]
result $? 'they know the first one by its address'

culprits=2 job 2 2 1 2
[ $status = 1 ] && drained 3 && grep -qx 'requeue 7' "$scratch/orders"
result $? 'the culprit is drained, and the job starts again'

restarts=2 culprits=2 job 2 2 1 2
[ $status = 1 ] && drained 3 && ! grep -q requeue "$scratch/orders"
result $? 'but not a third time'

culprits=2 job 2 2 137 2
[ $status = 1 ] && drained 3
result $? 'who was killed has no status, and is drained'

culprits=0 job 137 2 2 2
[ $status = 1 ] && drained 1 && grep -q '^{"rank":1,' "$scratch/printed"
result $? 'also where the leader runs'

culprits='1 3' job 2 1 2 1
[ $status = 1 ] && drained 2 4
result $? 'two culprits are drained'

culprits='1 2 3' job 2 1 1 1
[ $status = 1 ] && drained && grep -q 'gpu-st-gpu-4 is at fault, and stays: so are most' "$scratch/printed"
result $? 'what most nodes have drains none of them'

job 2 2 2 2
[ $status = 2 ] && drained
result $? 'a link that nobody is named for drains nobody'

job '3 0' '3 0' '3 0' '3 0'
[ $status = 0 ] && drained
result $? 'a leader that was late is tried again'

job '3 3' '3 3' '3 3' '3 3'
[ $status = 3 ] && drained
result $? 'a leader that nobody reaches drains nobody'

job '2 2' '3 3' '2 2' '2 2'
[ $status = 1 ] && drained 2
result $? 'a node that alone does not reach the leader is drained'

job 0 0 64 0
[ $status = 64 ] && drained
result $? 'a program that does not understand its options is no pass'

culprits=2 job 2 2 64 2
[ $status = 64 ] && drained && grep -q 'not set up right, says gpu-st-gpu-3;' "$scratch/printed"
result $? 'a node that was told wrong is not drained, whoever names it'

rm -f "$scratch/tokens"
job '3 0' '3 0' '3 0' '3 0'
[ "$(sort "$scratch/tokens" | uniq -c | awk '$1 == 4 && $2 ~ /^[0-9a-f]*$/ && length($2) == 32' | wc -l)" = 2 ]
result $? 'each run has a random token, the same on all nodes'

touch "$scratch/powerless"
culprits=2 job 2 2 1 2
[ $status = 1 ] && drained 3
result $? 'where the user may not drain, sudo does'

touch "$scratch/powerless" "$scratch/no-sudo"
culprits=2 job 2 2 1 2
[ $status = 1 ] && drained &&
    grep -q "gpu-st-gpu-3 is at fault: drain it, which this user may not: scontrol" "$scratch/printed"
result $? 'where neither may, the node is named'
rm "$scratch/powerless" "$scratch/no-sudo"

cp "$scratch/job" "$scratch/job.whole"
sed -i 's/^limit=.*/limit=1/' "$scratch/job"
culprits=2 job 2 2 hang 2
[ $status = 1 ] && drained 3 && grep -qx 'dtc-collective: gpu-st-gpu-3 124' "$scratch/printed"
result $? 'who hangs is ended, and drained'
mv "$scratch/job.whole" "$scratch/job"

# ---- accelerators, as the last phase: tests/accelerators.sh tries the script, and this one what becomes of its nodes

# What mpirun runs fails where one of the nodes of `faulty` takes part, and parse passes on what became of it.
"$dtc" build "$root/fixtures/valid/parallelcluster-nccl/main.dt" --core "$root/fixtures/core" -o "$scratch/nccl" \
    >/dev/null 2>&1 || exit 3
mkdir "$scratch/tools"
cat >"$scratch/tools/mpirun" <<'END'
#!/bin/bash
echo "$*" >>"$scratch/mpirun"
[ "${!#}" != true ] || exit 0
for node in $faulty; do [[ ,$2 != *",gpu-st-gpu-$node:1"* ]] || exit 5; done
END
printf '#!/bin/sh\n' >"$scratch/tools/all_reduce_perf"
# shellcheck disable=SC2016 # as the stand-in has it
sed '2i [ "$1" != parse ] || { while [ "$1" != --status ]; do shift; done; echo "benchmark: $2"; exit $(($2 ? 2 : 0)); }' \
    "$scratch/program" >"$scratch/object"
chmod +x "$scratch/tools/"*
cp "$scratch/job" "$scratch/job.whole"
sed "s/^sum=.*/sum=$(sha256sum <"$scratch/object" | cut -d ' ' -f 1)/" "$scratch/nccl/slurm-gpu.sbatch" >"$scratch/job"

job 0 0 0 0
[ $status = 0 ] && drained && grep -q 'the image has no nccl-tests' "$scratch/printed"
result $? 'an image without nccl-tests is no fault'

mv "$scratch/tools/"* "$scratch/bin/"
rm -f "$scratch/mpirun"
faulty='' job 0 0 0 0
[ $status = 0 ] && drained && grep -qx 'benchmark: 0' "$scratch/printed" && [ "$(wc -l <"$scratch/mpirun")" = 2 ] &&
    grep -q -- '--host gpu-st-gpu-1:1,gpu-st-gpu-2:1,gpu-st-gpu-3:1,gpu-st-gpu-4:1 -np 4 -N 1 .*-g 8$' "$scratch/mpirun"
result $? 'nccl-tests run between all GPUs of the nodes'

faulty=3 job 0 0 0 0
[ $status = 1 ] && drained 3 && grep -qx 'requeue 7' "$scratch/orders"
result $? 'of a pair that fails, the node that fails with a third one is drained, and the job starts again'

faulty='1 3' job 0 0 0 0
[ $status = 2 ] && drained && grep -q 'no node can be named' "$scratch/printed"
result $? 'where all pairs fail, no node is named'

culprits=2 faulty=3 job 2 2 1 2
[ $status = 1 ] && drained 3 && [ ! -e "$scratch/dtc-collective-7/all.log" ]
result $? 'after a run that failed there are none'
cp "$scratch/program" "$scratch/object"
mv "$scratch/job.whole" "$scratch/job"

echo '# another' >>"$scratch/object"
job 0 0 0 0
[ $status = 70 ] && [ ! -e "$scratch/runs.gpu-st-gpu-1" ]
result $? 'another program than was built is not run'

sed -i 's/^drains=yes/drains=no/' "$scratch/job"
cp "$scratch/program" "$scratch/object"
culprits=2 job 2 2 1 2
[ $status = 1 ] && drained && grep -q 'gpu-st-gpu-3 is at fault, and stays' "$scratch/printed"
result $? 'with on_fail = warn the culprit is named and stays'

# ---- the same on AWS Batch: in each container of the template

for name in batch-first-job batch-nccl; do
    "$dtc" build "$root/fixtures/valid/$name/main.dt" --core "$root/fixtures/core" -o "$scratch/$name" \
        >/dev/null 2>&1 || exit 3
    # shellcheck disable=SC2016 # as it stands in the template
    sed -n '/^ *url=\$1 sum=\$2$/,/^ *exec /p' "$scratch/$name/train.cfn.yaml" | sed '/^ *exec /q' >"$scratch/$name.sh"
done

container() { # SCRIPT SUM
    rm -f "$scratch"/runs.*
    echo "${ends:-2}" >"$scratch/node"
    : >"$scratch/orders"
    TMPDIR=$scratch PATH=$scratch/bin:$PATH SLURM_PROCID=0 SLURMD_NODENAME=node FIRST_JOB_LAUNCHER=${launcher:-} \
        FIRST_JOB_ACCELERATORS=${accelerators:-} sh -c "$(cat "$scratch/$1.sh")" validate s3://bucket/key "$2" \
        --verdict "$scratch/verdict" >"$scratch/printed" 2>&1
    status=$?
}

cp "$scratch/program" "$scratch/object"
container batch-first-job "$sum"
[ $status = 2 ] && [ -s "$scratch/verdict" ]
result $? 'a container ends as the program does'

container batch-first-job "${sum/[0-9]/x}"
[ $status = 70 ] && [ ! -e "$scratch/runs.node" ]
result $? 'and runs no other program than was built'

# shellcheck disable=SC2016 # of the two scripts
{
    launcher='echo launched >"$scratch/launched"; mpirun --hostfile "$scratch/hosts" -np 2 -N 1 "$@"; exit $?'
    accelerators='echo "$1 ${2##*/} $(command -v mpirun)" >"$scratch/measured"; exit 5'
}
container batch-nccl "$sum"
[ $status = 2 ] && [ ! -e "$scratch/launched" ]
result $? 'a container whose node is at fault measures no accelerators'
mv "$scratch/bin/mpirun" "$scratch/mpirun.away"
ends=0 container batch-nccl "$sum"
[ $status = 0 ] && [ ! -e "$scratch/launched" ] &&
    grep -qx 'the image has no mpirun: nothing is measured between accelerators' "$scratch/printed"
result $? 'nor does one whose image lacks what starts them, which is no fault'
mv "$scratch/mpirun.away" "$scratch/bin/mpirun"
for tool in ssh sshd ssh-keygen; do printf '#!/bin/sh\n' >"$scratch/bin/$tool"; done
chmod +x "$scratch/bin/"*
ends=0 container batch-nccl "$sum"
[ $status = 5 ] && [ "$(cat "$scratch/measured")" = "$scratch/hosts dtc-collective $scratch/bin/mpirun" ]
result $? 'a good one goes on as one of the nodes of mpirun, and ends as the accelerators do'

finish
