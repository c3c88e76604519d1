#!/bin/bash
# Holds dtc, cfn-lint and AWS's cloudformation-validate against the pairs of fixtures/foreign: corpus.sh DTC. Each pair is
# a file with one fault and its clean twin. The table has a row for each: what dtc says, and what the others say of
# templates of CloudFormation, which alone they read. foreign/corpus.awk says what counts as found. dtc
# gets a process for each file, since it reads files of one run together. The others get all of them in one process, since
# cfn-lint would take a second for each. The times are those of the processors.
# A tool that is not installed has an empty column. No test: what is promised, foreign.sh tests.
set -u
cd "$(dirname "$0")/.." || exit 3
dtc=$1
folder=fixtures/foreign
package=${CLOUDFORMATION_VALIDATE:-build/judges/node_modules/@aws/cloudformation-validate}
export LC_ALL=C NO_COLOR=1
TIMEFORMAT='%U %S'
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

kind_of() { # FILE
    if grep -q 'eksctl\.io/' "$1"; then
        echo eksctl
    elif grep -qE '^ *"?apiVersion"?:' "$1"; then
        echo Kubernetes
    elif grep -q '^HeadNode:' "$1"; then
        echo ParallelCluster
    elif grep -qa 'AWS::' "$1"; then
        echo CloudFormation
    else
        echo 'AWS CLI'
    fi
}

# What a tool says, as NAME LINE RULE MESSAGE.
dtc_says() { # FILE…
    local file
    for file in "$@"; do "$dtc" lint "$file" 2>&1; done | awk -v OFS='\t' '
        match($0, /^(error|warning|note)\[DT[0-9]+\]: /) { code = substr($0, index($0, "[") + 1, 6); message = substr($0, RLENGTH + 1) }
        /^ *--> / { sub(/.*\//, ""); split($0, place, ":"); print place[1], place[2], code, message }'
}

cfn_lint_says() { # FILE…
    cfn-lint --include-checks I --format parseable -- "$@" 2>/dev/null |
        sed -nE 's|^[^:]*/([^:/]+):([0-9]+):[0-9]+:[0-9]+:[0-9]+:([A-Z][0-9]+):(.*)|\1\t\2\t\3\t\4|p'
}

cloudformation_validate_says() { # FILE…
    node tests/conformance/cloudformation_validate.js "$package" "$@" 2>/dev/null |
        sed -nE 's|^[^:]*/([^:/]+):([0-9]+):([A-Z][0-9]+):[A-Z]+:[^:]*:(.*)|\1\t\2\t\3\t\4|p'
}

# Runs a tool over the faulty files and over the clean ones.
try() { # TOOL FILE…
    local tool=$1 says=${1//-/_}_says
    shift
    { time "$says" "${@/#/$folder/}" >"$scratch/$tool"; } 2>"$scratch/time"
    "$says" "${@/#/$folder/clean/}" >"$scratch/$tool-clean"
    awk -v tool="$tool" -v count="$#" '{ ms = ($1 + $2) * 1000; printf "%s: %d ms for %d files, %.1f ms a file\n", tool, ms, count, ms / count }' \
        "$scratch/time" >>"$scratch/times"
    inputs+=("what=$tool-clean" "$scratch/$tool-clean" "what=$tool" "$scratch/$tool")
    here="$here $tool"
}

inputs=("what=pairs" "$scratch/pairs")
here=
for clean in "$folder"/clean/DT*; do
    name=${clean##*/}
    [ ! -f "$folder/$name" ] || printf '%s\t%s\n' "$name" "$(kind_of "$folder/$name")"
done | sort >"$scratch/pairs"
mapfile -t names < <(cut -f1 "$scratch/pairs")
mapfile -t templates < <(sed -n 's/\tCloudFormation$//p' "$scratch/pairs")
try dtc "${names[@]}"
! cfn-lint --version >/dev/null 2>&1 || try cfn-lint "${templates[@]}"
! node --version >/dev/null 2>&1 || [ ! -e "$package/index.js" ] || try cloudformation-validate "${templates[@]}"
awk -v folder="$folder" -v here="$here" -f tests/foreign/corpus.awk "${inputs[@]}" || exit 1
cat "$scratch/times"
