#!/bin/bash
# Injects each fault of fixtures/node/faults.tsv into a tree of files like those of a healthy node, and holds both stages
# of the check against what the table says: faults.sh DTC BUILD. Before that, both stages pass the trees of all types.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/node/inject.sh
dtc=$(realpath "$1")
build=$(realpath "$2")
core=$PWD/build/node/dtc-node.$(uname -m)
collective=$build/node/dtc-collective
stand_in=$build/node/stand_in.so
scratch=$(mktemp -d) || exit 3
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
export LC_ALL=C PROCESSES=3
unset FAULTS OPEN_FAULT DISK_FAULT GPUS
types='p4d.24xlarge p5.48xlarge p5en.48xlarge p6-b200.48xlarge p6-b300.48xlarge trn1.32xlarge trn2.48xlarge hpc7g.16xlarge g5.48xlarge g6e.48xlarge'
caught_least=44
kinds_least=47

evidence() {
    printf '%s\n' "$first" "$second" | grep -o '{[^{}]*"s":"[wf][^}]*}'
}

# The record of a group of the type, as a template carries it.
compile() { # TYPE FILE
    mkdir -p "$scratch/project"
    printf 'dt 1\nnetwork lab { zones = ["us-east-1a"] }\ncluster c on batch {\n  network = lab\n  %s\n}\n' \
        "nodes n { instance = \"$1\", count = 0..4, validate { } }" >"$scratch/project/main.dt"
    (cd "$scratch/project" && "$dtc" build main.dt -o out >said 2>&1)
    sed '1,/preflight <</d; /^ *END$/,$d' "$scratch/project/out/c.cfn.yaml" | base64 -di | gzip -dc |
        tail -c +$((1 + $(sed -n 's/^ *core=\([0-9]*\) check=/\1 + /p' "$scratch/project/out/c.cfn.yaml"))) >"$2"
}

# Makes the tree of a healthy node of the type, and the record of a group of them.
make_tree() { # TYPE
    sh tests/node/mkroot.sh "$dtc" "$1" "$scratch/$1" || exit 3
    compile "$1" "$scratch/$1.record"
    [ -s "$scratch/$1.record" ] || cp "$scratch/$1/run/dtc/expect" "$scratch/$1.record"
}

# Runs both stages; sets `first` and `second`, their verdicts, and `first_status` and `second_status`. Copies through CUDA
# take long, and are made where a fault is of them.
look() { # TREE RECORD [--quick]
    first=$("$core" --root "$1" --expect "$2")
    first_status=$?
    local preload='' seconds=60
    [ -z "${OPEN_FAULT:-}${DISK_FAULT:-}" ] || preload=$stand_in
    # What hangs is waited for; what is slow because the machine is busy has time.
    case ${FAULTS:-}${OPEN_FAULT:-} in *hang*) seconds=3 ;; esac
    second=$(LD_PRELOAD=$preload "$collective" device --root "$1" --expect "$2" --nvml "$stand_in" --cuda "$stand_in" \
        --seconds $seconds ${3:+"$3"} 2>"$scratch/errors")
    second_status=$?
}

# Whether a verdict has that check with that level, or, for a dash, nothing that fails or warns.
says() { # VERDICT "LEVEL ID"|-
    case $2 in
    -) case $1 in *'"verdict":"pass"}') ;; *) return 1 ;; esac ;;
    *) case $1 in *"\"id\":\"${2#* }\",\"s\":\"${2%% *}\""*) ;; *) return 1 ;; esac ;;
    esac
}

# The numbers that the stages end with fit the checks: 1 where one of hardware fails, 4 where only the image's do.
is_consistent() { # VERDICT STATUS
    local wanted=0
    case $1 in *'"s":"fail"'*) wanted=4 ;; esac
    ! printf '%s\n' "$1" | grep -q '"s":"fail",[^}]*"class":"hardware"' || wanted=1
    [ "$2" = $wanted ]
}

# ---- healthy nodes

for type in $types; do
    make_tree "$type"
    look "$scratch/$type" "$scratch/$type.record" --quick
    claim "$type: a healthy node passes the first stage" says "$first" -
    claim "$type: and the second one" says "$second" -
    claim "$type: both end with 0" [ "$first_status$second_status" = 00 ]
done
type=p5.48xlarge
GPUS=1 look "$scratch/$type" "$scratch/$type.record"
claim 'copies through CUDA pass' says "$second" 'pass cuda'
claim 'memory as fast as was measured passes' says "$second" 'pass cuda.memory'
claim 'copies to the host have no floor' says "$second" 'pass cuda.host'
GPUS=1 FAULTS=unknown=1 look "$scratch/$type" "$scratch/$type.record"
claim 'memory that nobody measured has no floor' \
    sh -c 'case $1 in *unfloored*) ;; *) exit 1 ;; esac' - "${second##*cuda.memory}"
if command -v strace >/dev/null 2>&1 && strace -o "$scratch/calls" true 2>/dev/null; then
    strace -f -e trace=process -o "$scratch/calls" "$collective" device --root "$scratch/hpc7g.16xlarge" \
        --expect "$scratch/hpc7g.16xlarge.record" >/dev/null
    # shellcheck disable=SC2016 # the arguments of sh
    claim 'a node without GPUs takes no fork' sh -c '! grep -qE "^[0-9]+ +(clone3?|v?fork)[(]" "$1"' - "$scratch/calls"
else
    skip 'no fork' 'strace does not run here'
fi
# What a library does not know, or a GPU does not have, is passed over.
for answer in 3 4 13 25; do
    FAULTS="ecc-error=$answer sram-error=$answer rows-error=$answer pages-error=$answer clocks-error=$answer link-error=$answer link_errors-error=$answer fields-error=$answer replays-error=$answer width-error=$answer fabric-error=$answer pci-error=$answer ecc_mode-error=$answer power-error=$answer inforom-error=$answer" \
        look "$scratch/$type" "$scratch/$type.record" --quick
    claim "answers of $answer, that there is no such thing, pass" says "$second" -
done
second=$("$collective" device --root "$scratch/$type" --expect "$scratch/$type.record" --nvml "$scratch/none.so" --quick)
claim 'a library that is not there is of the image' [ $? = 4 ]
claim 'and named' says "$second" 'fail nvml'

# ---- what the command takes

"$collective" device --loud 1 2>/dev/null
claim 'an unknown option is a matter of usage' [ $? = 64 ]
"$collective" device --expect "$scratch/none" 2>/dev/null
claim 'a record that is not there is refused' [ $? = 65 ]
"$collective" device --root "$scratch/hpc7g.16xlarge" --expect "$scratch/hpc7g.16xlarge.record" \
    --verdict "$scratch/verdict.json" >"$scratch/printed"
claim 'the file is what was printed' cmp "$scratch/verdict.json" "$scratch/printed"
printf 'dtc-expect 1\npeers 127.0.0.1\npeer.port 1\n' >"$scratch/record"
second=$("$collective" device --root "$scratch/hpc7g.16xlarge" --expect "$scratch/record")
claim 'a refusal is an answer' says "$second" 'pass peers'
printf 'dtc-expect 1\npeers 127.0.0.1 255.255.255.255\npeer.ms 100\n' >"$scratch/record"
second=$("$collective" device --root "$scratch/hpc7g.16xlarge" --expect "$scratch/record")
claim 'a peer that does not answer is named' sh -c 'case $1 in *255.255.255.255=*) ;; *) exit 1 ;; esac' - "$second"

# ---- what the record asks of the second stage

p5=$scratch/asked
cp -a "$scratch/p5.48xlarge" "$p5"

# A record of one's own, for a tree.
record() { # LINE...
    printf '%s\n' 'dtc-expect 1' "$@" >"$scratch/record"
    second=$("$collective" device --root "$p5" --expect "$scratch/record" --quick)
    second_status=$?
}

# Whether the text of the check says that.
names() { # ID TEXT
    local check=${second##*"\"id\":\"$1\""}
    case ${check%%\}*} in *"$2"*) ;; *) return 1 ;; esac
}

program() { # PATH LINE...
    local path=$p5$1
    mkdir -p "${path%/*}"
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$path"
    chmod 755 "$path"
}

record 'memlock unlimited slurmd' 'nofile 65536 slurmd' 'mtu 9001'
claim 'limits and the MTU of a healthy node pass' says "$second" -
for id in memlock nofile mtu; do claim "$id was looked at" says "$second" "pass $id"; done
claim 'the verdict says whose it is' [ "${second#*'"instance":"i-0123456789abcdef0","time":'[1-9]}" != "$second" ]
claim 'and of which program and record' [ "${second#*"\"core\":\"sha256:$(sha256sum <"$collective" | cut -d ' ' -f 1)\",\"record\":\"sha256:$(
    sha256sum <"$scratch/record" | cut -d ' ' -f 1
)\""}" != "$second" ]
record 'memlock 16777216 slurmd'
claim 'an unlimited limit is enough' says "$second" 'pass memlock'
record 'memlock unlimited dockerd'
claim 'a limit that nobody knows is skipped' says "$second" 'skip memlock'
program /usr/bin/systemctl '[ "$*" = "show dockerd" ] && echo LoadState=loaded && echo LimitMEMLOCK=infinity && echo LimitMEMLOCKSoft=65536'
record 'memlock unlimited dockerd'
claim 'a daemon that does not run has the limit of its unit' says "$second" 'fail memlock'
claim 'which is named' names memlock '"got":"dockerd=64"'
claim 'it is of the image' [ $second_status = 4 ]
record '?memlock unlimited dockerd'
claim 'a question mark makes a warning' says "$second" 'warn memlock'
claim 'and no failure' [ $second_status = 0 ]
sed 's/131072 /1024 /' "$p5/proc/88/limits" >"$scratch/limits" && cp "$scratch/limits" "$p5/proc/88/limits"
record 'nofile 65536 slurmd'
claim 'few files that may be open fail' names nofile '"got":"slurmd=1024"'
record 'mtu 9002'
claim 'a small MTU fails, and names its interface' names mtu '"got":"ens32=9001"'
mkdir -p "$p5/sys/kernel/debug/lnet"
printf 'nid status alive\n0@lo up 0\n10.0.1.5@tcp up 1\n10.0.1.5@efa down 1\n' >"$p5/sys/kernel/debug/lnet/nis"
record 'lnet tcp'
claim 'an address of Lustre that is up passes' says "$second" 'pass lnet'
record 'lnet efa'
claim 'one that is down fails' names lnet '"s":"fail","want":"efa","got":"efa=down"'
# It leaves the GPUs alone.
program /opt/amazon/efa/bin/fi_info "[ \"\$*:\$FI_HMEM\" = '-p efa:system' ] && echo 'provider: efa' && echo '    fabric: efa'"
program /usr/bin/nv-fabricmanager "[ \"\$*\" = --version ] && echo 'Fabric Manager version is : 550.54.15'"
record 'libfabric /opt/amazon/efa/bin/fi_info' 'gpu.fabric /usr/bin/nv-fabricmanager'
claim 'fi_info and the fabric manager are asked' [ "$(printf '%s' "$second" | grep -o '"s":"pass"' | wc -l)" -ge 2 ]
claim 'and right' says "$second" -
program /opt/amazon/efa/bin/fi_info 'echo provider: tcp'
record 'libfabric /opt/amazon/efa/bin/fi_info'
claim 'a fi_info that finds another provider fails' names libfabric '"got":"efa=absent"'
program /opt/amazon/efa/bin/fi_info 'exit 61'
record 'libfabric /opt/amazon/efa/bin/fi_info'
claim 'a fi_info that fails is a failure' names libfabric '"got":"exit=61"'
program /opt/amazon/efa/bin/fi_info 'sleep 100 & sleep 100'
record 'libfabric /opt/amazon/efa/bin/fi_info'
claim 'one that hangs is ended' names libfabric '"got":"exit=124"'
program /opt/amazon/efa/bin/fi_info 'kill -9 $$'
record 'libfabric /opt/amazon/efa/bin/fi_info'
claim 'one that is killed is said' names libfabric '"got":"exit=137"'
record 'libfabric /opt/fi_info'
claim 'one that is not there is a failure' names libfabric '"got":"exit=127"'
echo 535.1 >"$p5/sys/module/nvidia/version"
record 'gpu.fabric /usr/bin/nv-fabricmanager'
claim 'a fabric manager of another version is a failure' names gpu.fabric '"got":"fabric-manager=550.54.15 driver=535.1"'
echo 550.54.15 >"$p5/sys/module/nvidia/version"

# A machine with many processors has many threads of the kernel in front of its daemons.
sh tests/node/mkroot.sh "$dtc" hpc7g.16xlarge "$scratch/busy"
for i in $(seq 2000 3200); do mkdir "$scratch/busy/proc/$i" && echo kworker >"$scratch/busy/proc/$i/comm"; done
mv "$scratch/busy/proc/66" "$scratch/busy/proc/9066"
sed -i 's/memory         unlimited/memory         8388608/' "$scratch/busy/proc/9066/limits"
second=$("$collective" device --root "$scratch/busy" --expect "$scratch/hpc7g.16xlarge.record")
claim 'the daemon of containers is found behind many processes' says "$second" 'warn memlock.daemon'

# ---- tables

# Runs both stages on a tree of the type that something was done to.
look_at() { # TYPE HOW SETTINGS
    local settings=$3 quick=--quick
    [ -d "$scratch/$1" ] || make_tree "$1"
    rm -rf "$scratch/fault"
    cp -a "$scratch/$1" "$scratch/fault"
    (cd "$scratch/fault" && inject "$2")
    unset FAULTS OPEN_FAULT DISK_FAULT GPUS
    case $settings in
    GPUS=1\ *)
        export GPUS=1
        settings=${settings#* }
        quick=
        ;;
    esac
    [ "$settings" = - ] || export "${settings?}"
    look "$scratch/fault" "$scratch/$1.record" $quick
    unset FAULTS OPEN_FAULT DISK_FAULT GPUS
}

while IFS=$'\t' read -r what type how settings why; do
    case $what in '#'*) continue ;; esac
    look_at "$type" "$how" "$settings"
    claim "healthy, $what: the first stage passes: $why" says "$first" -
    claim "healthy, $what: so does the second" says "$second" -
    claim "healthy, $what: both end with 0" [ "$first_status$second_status" = 00 ]
done <fixtures/node/healthy.tsv

kinds=0 caught=0 caught_first=0
while IFS=$'\t' read -r kind type how settings wanted_first wanted_second why; do
    case $kind in '#'*) continue ;; esac
    kinds=$((kinds + 1))
    look_at "$type" "$how" "$settings"
    claim "$kind: the first stage: $wanted_first" says "$first" "$wanted_first"
    claim "$kind: the second stage: $wanted_second" says "$second" "$wanted_second"
    claim "$kind: both end with what their checks say" \
        eval 'is_consistent "$first" "$first_status" && is_consistent "$second" "$second_status"'
    case $why in 'of the image'*)
        claim "$kind: it is of the image" eval '[ $first_status != 1 ] && [ $second_status != 1 ]'
        ;;
    'of the machine'*)
        claim "$kind: it is of the machine" eval '[ $first_status = 1 ] || [ $second_status = 1 ]'
        ;;
    esac
    [ "$wanted_first$wanted_second" = -- ] || caught=$((caught + 1))
    [ "$wanted_first" = - ] || caught_first=$((caught_first + 1))
done <fixtures/node/faults.tsv
claim "$kinds kinds of faults, at least $kinds_least" [ $kinds -ge $kinds_least ]
claim "$caught of them are caught, at least $caught_least of $kinds_least" [ $((caught * kinds_least)) -ge $((caught_least * kinds)) ]
claim "dtc-node(7) says how many each stage sees" grep -qx "\.It the second stage alone sees $((caught - caught_first))" man/dtc-node.7
claim "the first one, too" grep -qx "\.It the first stage sees $caught_first" man/dtc-node.7
finish
