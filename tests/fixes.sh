#!/bin/bash
# Holds the fixes of `lint --fix` against what an author would have written: fixes.sh DTC [PREFIX]. In fixtures/foreign a
# file and its twin in clean/ differ in one fault: of the file that dtc has fixed it says less, and nothing new. Where the
# fix is the twin to the byte, it is what the author meant; where it is not, `WHY=1` shows both.
#
# The last lines count codes and pairs with a fix. `make fixes` prints them; tests/fix.sh tests the commands themselves.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/serve.sh
dtc=$(realpath "$1") || exit 3
prefix=${2:-}
export LC_ALL=C NO_COLOR=1
failed=0 pairs=0 fixed=0 equal=0
declare -A codes=() codes_fixed=()
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
serve_begin "$dtc" "$scratch" yes

fail() { # NAME WHY
    failed=$((failed + 1))
    echo "not ok $1: $2"
}

# The codes that dtc says of FILE, in `reply`.
codes_of() { # FILE
    local line
    serve "$scratch/stdout" "$scratch/stderr" lint "$1"
    reply=()
    while IFS= read -r line; do
        [[ ! $line =~ ^(error|warning|note)\[(DT[0-9]+)\] ]] || reply+=("${BASH_REMATCH[2]}")
    done <"$scratch/stderr"
}

# What `lint --fix` leaves of a copy, beside its twin: fewer findings, and none of another code. A few pairs have two
# findings of their code, and one of them has no fix.
check_fixed() { # NAME
    local copy=$scratch/copy/$1 twin=fixtures/foreign/clean/$1
    local code
    local -a after
    codes_of "$copy"
    after=("${reply[@]}")
    codes_of "fixtures/foreign/$1"
    [ ${#after[@]} -lt ${#reply[@]} ] || fail "$1" "the fix leaves ${after[*]}"
    for code in "${after[@]}"; do
        [ "$code" = "${1%%-*}" ] || fail "$1" "the fix brings $code"
    done
    if cmp -s "$copy" "$twin"; then
        equal=$((equal + 1))
    elif [ -n "${WHY:-}" ]; then
        diff -u0 --label "$1, fixed" --label "$1, clean" "$copy" "$twin"
    fi
}

check_pair() { # NAME
    local file=fixtures/foreign/$1 copy=$scratch/copy/$1 code=${1%%-*}
    pairs=$((pairs + 1))
    codes[$code]=1
    cp "$file" "$copy"
    serve /dev/null /dev/null lint --fix "$copy"
    cmp -s "$file" "$copy" && return
    fixed=$((fixed + 1))
    codes_fixed[$code]=1
    check_fixed "$1"
}

mkdir "$scratch/copy" || exit 3
for file in fixtures/foreign/DT[0-9]*; do
    name=${file##*/}
    case $name in
    "$prefix"*.stderr) ;;
    "$prefix"*) [ ! -f "fixtures/foreign/clean/$name" ] || check_pair "$name" ;;
    esac
done
echo "${#codes_fixed[@]} of ${#codes[@]} findings have a fix in a pair"
echo "$fixed of $pairs pairs are fixed: $equal to the byte as the clean twin, $((fixed - equal)) in other words"
echo "$((fixed - failed)) passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
