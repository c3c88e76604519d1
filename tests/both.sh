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
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
shift
export LC_ALL=C NO_COLOR=1
table=fixtures/foreign/both.tsv
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

evidence() {
    cat "$scratch/lint"
}

# The fault as a literal, with an `allow` of its code in each block that can have one.
allowed() { # FIXTURE CODE
    awk -v code="$2" '
        !is_body && /^# fault: / { fault = substr($0, 10) }
        /^dt 1/ { is_body = 1 }
        !is_body { next }
        {
            at = index($0, "FAULT")
            print at == 0 ? $0 : substr($0, 1, at - 1) fault substr($0, at + 5)
        }
        /^(cluster|network|job|image) .*{$/ { print "  allow " code ", \"tried\"" }
        /^  (nodes|storage|queue) .*{$/ { print "    allow " code ", \"tried\"" }' "$1"
}

# "error[DT0303]: m5.large has no EFA" of FILE. A thing has another name in each language: `fabric`, `TrainFabric`.
findings() {
    # shellcheck disable=SC2016
    sed -nE '/^(error|warning|note)\[DT[0-9]+\]/s/`[^`]*`/`…`/gp; t
        /^(error|warning|note)\[DT[0-9]+\]/p' "$1" | sort -u
}

# What stacks would say of themselves once they are deployed, for the files that wait for it: as many subnets as there are
# zones, and an id for each other output.
facts() {
    local zones
    zones=$(grep -m 1 -oE 'zones *= *\[[^]]*\]' "$scratch/infra.dt" | grep -o '"[^"]*"' | wc -l)
    sed -nE 's/^ +[^ ]+ needs (.*) of the stack (.*)$/\2 \1/p' "$scratch/build" | sort -u |
        awk -v zones="$zones" '
        function ids(name,   i, text) {
            if (name ~ /Policy$/) {
                return "arn:aws:iam::123456789012:policy/made"
            }
            if (name !~ /Subnet$/) {
                return (name == "VPC" ? "vpc" : name ~ /Group/ ? "sg" : name ~ /Version$/ ? "1" : "lt") \
                    (name ~ /Version$/ ? "" : "-0a1b2c3d4e5f60718")
            }
            for (i = 1; i <= zones; i++) {
                text = text (i > 1 ? "," : "") sprintf("subnet-0a1b2c3d4e5f60%s%02d", name ~ /^Public/ ? "1" : "0", i)
            }
            return text
        }
        {
            gsub(/,/, "")
            for (i = 2; i <= NF; i++) {
                if (!(($1, $i) in seen)) {
                    outputs[$1] = outputs[$1] (outputs[$1] == "" ? "" : ",") \
                        "{\"OutputKey\":\"" $i "\",\"OutputValue\":\"" ids($i) "\"}"
                }
                seen[$1, $i] = 1
            }
        }
        END {
            printf "{\"Stacks\":["
            for (stack in outputs) {
                printf "%s{\"StackName\":\"%s\",\"StackStatus\":\"CREATE_COMPLETE\",\"Outputs\":[%s]}", comma, stack,
                    outputs[stack]
                comma = ","
            }
            print "]}"
        }' >"$scratch/facts.json"
}

verdict() { # FIXTURE CODE
    if ! (cd "$scratch" && "$dtc" build infra.dt -o out) >"$scratch/build" 2>&1; then
        echo 'not written'
        return
    fi
    if grep -q '^waiting:' "$scratch/build"; then
        facts
        (cd "$scratch" && "$dtc" build infra.dt -o out --facts facts.json) >>"$scratch/build" 2>&1
    fi
    # Fixtures are full of ids of examples.
    (cd "$scratch" && "$dtc" lint --skip DT1615 out) >"$scratch/lint" 2>&1
    findings "$scratch/lint" >"$scratch/found"
    if ! grep -q "\[$2\]" "$scratch/found"; then
        echo nothing
    elif findings "$scratch/check" | grep "\[$2\]" | grep -qxFf - "$scratch/found"; then
        echo same
    else
        echo other
    fi
}

# What lint finds and check does not. What the fixture itself allows counts as found, and so does the same fault by its
# name in the file: a patch that removes what ParallelCluster requires leaves a file that lacks it; the export of a
# resource that may be missing; an image of Ubuntu without the bootstrap that eksctl asks for.
surplus() { # FIXTURE CODE
    local same=' DT1382DT1384 DT0466DT1776 DT0525DT1716 '
    sed 's/.*\[\(DT[0-9]*\)\].*/\1/' "$scratch/found" | while read -r code; do
        [[ $same = *" $2$code "* ]] || [ "$code" = "$2" ] || grep -q "allow $code" "$1" || grep -q "\[$code\]" "$scratch/check" || echo "$code"
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
[ "$#" -gt 0 ] || set -- fixtures/rules/DT*.dt
for fixture in "$@"; do
    [ -f "$fixture" ] || continue
    name=$(basename "$fixture" .dt)
    code=${name%%-*}
    rm -rf "$scratch/out"
    : >"$scratch/lint"
    : >"$scratch/found"
    allowed "$fixture" NONE | grep -v 'allow NONE' >"$scratch/infra.dt"
    (cd "$scratch" && "$dtc" check infra.dt) >"$scratch/check" 2>&1
    allowed "$fixture" "$code" >"$scratch/infra.dt"
    answer=$(verdict "$fixture" "$code")
    printf '%s\t%s\n' "$name" "$answer" >>"$scratch/table"
    if [ -n "${UPDATE:-}" ]; then
        continue
    fi
    expected=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$table")
    more=$(surplus "$fixture" "$code")
    if [ "$answer" != "$expected" ]; then
        fail "$name" "$answer, and $table has '$expected'"
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
