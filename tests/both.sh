#!/bin/bash
# What `dtc check` finds in infra.dt, `dtc lint` finds in the files that are made of it: both.sh DTC [FIXTURE…]. Each fault
# of fixtures/rules is allowed, built, and linted. fixtures/foreign/both.tsv says what comes of it:
#
#   same         lint finds it too, with the same words
#   other        lint finds it too, with the words of the file that was made
#   nothing      the file does not show it
#   not written  dtc allows no such thing
#
# A fault of a resource in CloudFormation's own words is the same one in both languages: where it is found, it is with the
# same words, but for names. UPDATE=1 writes the table anew; of fixtures that are named, only their rows.
set -u
shopt -s extglob
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
. tests/support/facts.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
shift
export LC_ALL=C NO_COLOR=1
table=fixtures/foreign/both.tsv
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
# Any process takes as long as dtc does. So what follows reads files with `mapfile`, and all runs of dtc share one start.
serve_begin "$dtc" "$scratch" yes

evidence() {
    cat "$scratch"/lint.*
}

# Writes each fixture with its fault as a literal: FOLDER/check/NAME/infra.dt, and FOLDER/build/NAME/infra.dt with an
# `allow` of its code in each block that can have one.
write_sources() { # FOLDER FIXTURE…
    local names=("${@:2}")
    names=("${names[@]##*/}")
    names=("${names[@]%.dt}")
    mkdir -p "${names[@]/#/$1/check/}" "${names[@]/#/$1/build/}"
    awk -v folder="$1" '
        FNR == 1 {
            close(check)
            close(build)
            name = FILENAME
            sub(/.*\//, "", name)
            sub(/\.dt$/, "", name)
            code = substr(name, 1, index(name, "-") - 1)
            check = folder "/check/" name "/infra.dt"
            build = folder "/build/" name "/infra.dt"
            fault = ""
            is_body = 0
        }
        !is_body && /^# fault: / { fault = substr($0, 10) }
        /^dt 1/ { is_body = 1 }
        !is_body { next }
        {
            at = index($0, "FAULT")
            line = at == 0 ? $0 : substr($0, 1, at - 1) fault substr($0, at + 5)
            print line >check
            print line >build
        }
        /^(cluster|network|job|image) .*{$/ { print "  allow " code ", \"tried\"" >build }
        /^  (nodes|storage|queue) .*{$/ { print "    allow " code ", \"tried\"" >build }' "${@:2}"
}

# Leaves findings, "error[DT0303]: m5.large has no EFA", as the keys of the array. A thing has another name in each
# language: `fabric`, `TrainFabric`.
findings() { # ARRAY FILE…
    local -n findings_of=$1
    local file line lines
    findings_of=()
    for file in "${@:2}"; do
        mapfile -t lines <"$file"
        for line in "${lines[@]}"; do
            # shellcheck disable=SC2016,SC2034
            [[ ! $line =~ ^(error|warning|note)\[DT[0-9]+\] ]] || findings_of[${line//'`'*([!'`'])'`'/'`…`'}]=1
        done
    done
}

# Builds and lints the source in the working folder. Leaves the verdict in `answer`, and in `found` what lint finds.
verdict() { # CODE
    local finding
    : >"$scratch/lint.out"
    : >"$scratch/lint.errors"
    found=()
    answer='not written'
    serve "$scratch/built" "$scratch/errors" build infra.dt -o out || return
    if has_line "$scratch/built" 'waiting:*'; then
        facts infra.dt "$scratch/built" >facts.json
        serve "$scratch/built" "$scratch/errors" build infra.dt -o out --facts facts.json
    fi
    # The files say what is allowed. Fixtures are full of ids of examples.
    sed -i '/^ *# dtc-allow: /d' out/*.yaml 2>/dev/null
    serve "$scratch/lint.out" "$scratch/lint.errors" lint --skip DT1615 out
    findings found "$scratch/lint.out" "$scratch/lint.errors"
    answer=nothing
    for finding in "${!found[@]}"; do
        [[ $finding != *"[$1]"* ]] || answer=other
    done
    for finding in "${!checked[@]}"; do
        [[ $finding != *"[$1]"* || -z ${found[$finding]:-} ]] || answer=same
    done
}

has_line() { # FILE PATTERN
    local line lines
    mapfile -t lines <"$1"
    for line in "${lines[@]}"; do
        # shellcheck disable=SC2053
        [[ $line != $2 ]] || return 0
    done
    return 1
}

# What lint finds and check does not, in `more`. What the fixture itself allows counts as found, and so does the same fault
# by its name in the file: a patch that removes what ParallelCluster requires leaves a file that lacks it; the export of a
# resource that may be missing; an image of Ubuntu without the bootstrap that eksctl asks for.
surplus() { # FIXTURE CODE
    local same=' DT1382DT1384 DT0466DT1776 DT0525DT1716 ' finding code
    more=
    for finding in "${!found[@]}"; do
        code=${finding#*\[} code=${code%%\]*}
        [[ $same = *" $2$code "* ]] || [ "$code" = "$2" ] || has_line "$1" "*allow $code*" ||
            has_line "$scratch/check.errors" "*\[$code\]*" || more="${more:+$more }$code"
    done
}

is_raw() { # FIXTURE
    awk '/^  resource "AWS::/ { is_in = 1 } /FAULT/ && !/^#/ && is_in { is_found = 1 } /^  }/ { is_in = 0 }
         END { exit !is_found }' "$1"
}

# The rows that were worked out here in the place of the old ones, in the order of the fixtures. Rows of others go.
merged() {
    local fixture
    for fixture in fixtures/rules/DT*.dt; do
        basename "$fixture" .dt
    done | awk -F'\t' '!is_names { row[$1] = $0; next } $1 in row { print row[$1] }' "$table" "$scratch/table" is_names=1 -
}

: >"$scratch/table"
declare -A expected=() checked=() found=()
while IFS=$'\t' read -r name answer; do
    expected[$name]=$answer
done <"$table"
[ "$#" -gt 0 ] || set -- fixtures/rules/DT*.dt
write_sources "$scratch" "$@" || exit 3
for fixture; do
    name=${fixture##*/} name=${name%.dt}
    code=${name%%-*}
    cd "$scratch/check/$name" || exit 3
    serve /dev/null "$scratch/check.errors" check infra.dt
    findings checked "$scratch/check.errors"
    cd "$scratch/build/$name" || exit 3
    verdict "$code"
    cd "$root" || exit 3
    printf '%s\t%s\n' "$name" "$answer" >>"$scratch/table"
    if [ -n "${UPDATE:-}" ]; then
        continue
    fi
    surplus "$fixture" "$code"
    if [ "$answer" != "${expected[$name]:-}" ]; then
        fail "$name" "$answer, and $table has '${expected[$name]:-}'"
    elif [ -n "$more" ]; then
        fail "$name" "lint alone finds $more"
    elif [ "$answer" = other ] && is_raw "$fixture"; then
        fail "$name" 'lint has other words'
    else
        pass "$name: $answer"
    fi
done
if [ -n "${UPDATE:-}" ]; then
    merged >"$scratch/all" && cp "$scratch/all" "$table"
else
    finish
fi
