#!/bin/bash
# Lints the files of fixtures/foreign: foreign.sh DTC [PREFIX]. What dtc says of a file is in the file beside it that ends
# in .stderr; UPDATE=1 writes those anew.
#
# A file that is named for a code, CODE-what.yaml, has it. If there is a file of that name in clean/, the two are a pair:
# the first has this fault alone, the second differs in one place, and dtc says nothing at all about it. Each code that
# lint can report has a pair: foreign/codes.awk reads the codes off the source, and `make corpus` holds other linters
# against the pairs. Files without a code in their name have several faults, and those in clean/ none.
#
# Ids of examples are found in pairs and where the name has their code: other files are full of them. What dtc writes is
# tests/own_files.sh's.
#
# SANITIZED=1 is for a sanitized dtc, whose every start takes 25 ms: the runs share one (tests/support/serve.sh). It lints
# the files with findings alone: tests/fuzz/fuzz_foreign reads all others, with all rules and with the same sanitizers, and
# what a plain dtc says of them is what this one says.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/serve.sh
dtc=$1
prefix=${2:-}
export LC_ALL=C NO_COLOR=1
passed=0
failed=0
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
# Any process takes as long as dtc does. So what follows reads files with `mapfile`, and starts dtc alone.
serve_begin "$dtc" "$scratch" "${SANITIZED:-}"

# Codes of which no file can have a pair here, and why.
without_a_pair="
DT1898  dtc has to crash on it: tests/crash.sh
DT0502  the file is of a megabyte: tests/unit/test_template_limits
DT1618  it is about several files: fixtures/invalid/DT1618-almost-the-same
DT1619  it is about several files: fixtures/invalid/DT1619-two-of-a-name
DT1620  it is about several files: fixtures/invalid/DT1620-another-kind
DT1964  it is about several files: fixtures/invalid/DT1964-unfilled
DT1965  it is about several files: fixtures/invalid/DT1965-range
DT1966  it is about several files: fixtures/invalid/DT1966-underscore
DT1988  it is about two files: fixtures/invalid/DT1988-group-of-no-cluster
DT2042  it is about two files: fixtures/invalid/DT2042-queue
DT2043  it is about two files: fixtures/invalid/DT2043-room
DT0710  it is about labels of infra.dt, beside which dtc adds its own: fixtures/invalid
DT1674  it is about \`--kind\`: fixtures/invalid/DT1674-kind-of-another-file
"

answer() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $1: $3"
    fi
}

# Lines of FILE as one text in `reply`. The last line counts files, of which there is one.
read_said() { # FILE
    local line lines
    mapfile -t lines <"$1"
    reply=
    for line in "${lines[@]}"; do
        case $line in
        'dtc: '[0-9]*' checked'*) ;;
        *) reply=$reply$line$'\n' ;;
        esac
    done
    while [[ $reply = *$'\n' ]]; do reply=${reply%$'\n'}; done
}

# What dtc says of FILE, in `found`; of its findings, the codes in their order, in `codes`.
lint() { # FILE [OPTION…]
    local line status
    serve "$scratch/stdout" "$scratch/stderr" lint "${@:2}" "$1"
    status=$?
    [ ! -s "$scratch/stdout" ] || cat "$scratch/stdout" >>"$scratch/stderr"
    read_said "$scratch/stderr"
    found=$reply codes=()
    [ "$status" -le 1 ] || found="ended with status $status"$'\n'$reply
    while IFS= read -r line; do
        [[ ! $line =~ ^(error|warning|note)\[(DT[0-9]+)\] ]] || codes+=("${BASH_REMATCH[2]}")
    done <<<"$found"
}

# Of findings, in their order.
codes_in() {
    sed -nE 's/^(error|warning|note)\[(DT[0-9]+)\].*/\2/p'
}

# Ids of examples are passed over where the file may have them.
option_of() { # NAME
    case $1 in
    DT1615-*) option=() ;;
    *)
        option=(--skip=DT1615)
        [ ! -f "fixtures/foreign/$1" ] || [ ! -f "fixtures/foreign/clean/$1" ] || option=()
        ;;
    esac
}

# In how many places the two of a pair differ.
declare -A places=()
while read -r name count; do
    places[$name]=$count
done < <(LC_ALL=C diff fixtures/foreign fixtures/foreign/clean | awk '
    /^diff / { name = $NF; sub(/.*\//, "", name) }
    /^[0-9]/ { count[name]++ }
    END { for (name in count) print name, count[name] }')

check_named() { # NAME
    local name=$1
    local code=${name%%-*} all=" ${codes[*]} "
    if [ -f "fixtures/foreign/clean/$name" ]; then
        [ ${#codes[@]} != 0 ] && [ "${all// $code/}" = ' ' ]
        answer "foreign/$name" $? "it has another finding than $code"
        [ "${places[$name]:-0}" = 1 ]
        answer "foreign/$name" $? 'its clean twin does not differ in one place'
    else
        [[ $all = *" $code "* ]]
        answer "foreign/$name" $? "it has no $code"
    fi
}

has_pair() { # CODE
    local clean
    for clean in fixtures/foreign/clean/"$1"-*; do
        [ ! -f "fixtures/foreign/${clean##*/}" ] || return 0
    done
    return 1
}

reported_codes() {
    find compiler schema/*.c -name '*.c' ! -path '*/semantics/*' \( ! -path '*/driver/*' -o -path '*lint*' \) -print0 |
        xargs -0 awk -f tests/support/sources.awk -f tests/foreign/codes.awk compiler/base/diag/codes.def compiler/plan/rules/rules.def |
        cut -f1 | sort -u
}

# The codes of the pairs and those that the source has are the same.
check_codes() {
    local reported code
    reported=$(reported_codes)
    for code in $reported; do
        has_pair "$code" || grep -q "^$code " <<<"$without_a_pair"
        answer "$code" $? 'lint can report it, and fixtures/foreign has no pair for it'
    done
    for code in $(cat fixtures/foreign/*.stderr | codes_in | sort -u); do
        grep -qx "$code" <<<"$reported"
        answer "$code" $? 'a file has it, and tests/foreign/codes.awk does not know that lint can report it'
    done
    while read -r code _; do
        [ -z "$code" ] || ! has_pair "$code"
        answer "$code" $? "it has a pair, and $0 says that there can be none"
        [ -z "$code" ] || grep -qx "$code" <<<"$reported"
        answer "$code" $? "lint cannot report it, and $0 says why it has no pair"
    done <<<"$without_a_pair"
}

for file in fixtures/foreign/"$prefix"*.yaml fixtures/foreign/"$prefix"*.json fixtures/foreign/"$prefix"*.sbatch \
    fixtures/foreign/"$prefix"*.dockerfile fixtures/foreign/"$prefix"*.sh; do
    [ -e "$file" ] || continue
    name=${file##*/}
    option_of "$name"
    lint "$file" "${option[@]}"
    [ -z "${UPDATE:-}" ] || printf '%s\n' "$found" >"$file.stderr"
    reply=
    [ ! -f "$file.stderr" ] || read_said "$file.stderr"
    [ "$found" = "$reply" ]
    answer "foreign/$name" $? "it is not what $file.stderr says"
    case $name in
    DT[0-9]*) check_named "$name" ;;
    esac
done

for file in fixtures/foreign/clean/"$prefix"*; do
    [ -e "$file" ] && [ -z "${SANITIZED:-}" ] || continue
    name=${file##*/}
    option_of "$name"
    lint "$file" "${option[@]}"
    [ -z "$found" ]
    answer "$file" $? "$found"
    case $name in
    DT[0-9]*)
        [ -f "fixtures/foreign/$name" ]
        answer "$file" $? 'there is no faulty file of that name'
        ;;
    esac
done
[ -n "$prefix" ] || check_codes

# As many files at a time as there are processors say the same in the same order as one after the other.
if [ -z "$prefix" ]; then
    cmp -s <("$dtc" lint fixtures/foreign 2>&1) <(taskset -c "$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)" \
        "$dtc" lint fixtures/foreign 2>&1)
    answer 'one processor' $? 'more processors find something else'
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
