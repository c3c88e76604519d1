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
unset FAULTS OPEN_FAULT GPUS
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

# Runs both stages; sets `first` and `second`, their verdicts, and `first_status` and `second_status`. Copies through CUDA
# take long, and are made where a fault is of them.
look() { # TREE RECORD [--quick]
    first=$("$core" --root "$1" --expect "$2")
    first_status=$?
    local preload='' seconds=60
    [ -z "${OPEN_FAULT:-}" ] || preload=$stand_in
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
    sh tests/node/mkroot.sh "$dtc" "$type" "$scratch/$type" || exit 3
    compile "$type" "$scratch/$type.record"
    [ -s "$scratch/$type.record" ] || cp "$scratch/$type/run/dtc/expect" "$scratch/$type.record"
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
    FAULTS="ecc-error=$answer sram-error=$answer rows-error=$answer pages-error=$answer clocks-error=$answer link-error=$answer link_errors-error=$answer fields-error=$answer replays-error=$answer width-error=$answer fabric-error=$answer pci-error=$answer" \
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

# ---- faults

kinds=0 caught=0
while IFS=$'\t' read -r kind type how settings wanted_first wanted_second why; do
    case $kind in '#'*) continue ;; esac
    kinds=$((kinds + 1))
    rm -rf "$scratch/fault"
    cp -a "$scratch/$type" "$scratch/fault"
    (cd "$scratch/fault" && inject "$how")
    quick=--quick
    unset FAULTS OPEN_FAULT GPUS
    case $settings in
    GPUS=1\ *)
        export GPUS=1
        settings=${settings#* }
        quick=
        ;;
    esac
    [ "$settings" = - ] || export "${settings?}"
    look "$scratch/fault" "$scratch/$type.record" $quick
    unset FAULTS OPEN_FAULT GPUS
    claim "$kind: the first stage: $wanted_first" says "$first" "$wanted_first"
    claim "$kind: the second stage: $wanted_second" says "$second" "$wanted_second"
    claim "$kind: both end with what their checks say" \
        eval 'is_consistent "$first" "$first_status" && is_consistent "$second" "$second_status"'
    case $why in 'of the image'*)
        claim "$kind: it is of the image" eval '[ $first_status != 1 ] && [ $second_status != 1 ]'
        ;;
    esac
    [ "$wanted_first$wanted_second" = -- ] || caught=$((caught + 1))
done <fixtures/node/faults.tsv
claim "$kinds kinds of faults, at least $kinds_least" [ $kinds -ge $kinds_least ]
claim "$caught of them are caught, at least $caught_least of $kinds_least" [ $((caught * kinds_least)) -ge $((caught_least * kinds)) ]
finish
