#!/bin/bash
# Lints the files of fixtures/foreign: foreign.sh DTC [PREFIX]. What dtc says of a file is in the file beside it that ends
# in .stderr; UPDATE=1 writes those anew. A file that is named for a code has to have it, and those in clean/ have no finding.
# Ids of examples are found only where the name has their code: fixtures are full of them.
# What dtc writes for the fixtures of valid/ has none either, but for those whose source says `allow` or has rows of its own.
set -u
cd "$(dirname "$0")/.." || exit 3
dtc=$1
prefix=${2:-}
export LC_ALL=C NO_COLOR=1
passed=0
failed=0

answer() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok $1: $3"
    fi
}

# The last line counts files, of which there is one.
without_summary() {
    sed '/^dtc: [0-9]* files* checked/d'
}

examples() {
    case $1 in
    DT1615-*) ;;
    *) echo --skip=DT1615 ;;
    esac
}

for file in fixtures/foreign/"$prefix"*.yaml fixtures/foreign/"$prefix"*.json; do
    [ -e "$file" ] || continue
    name=${file##*/}
    skip=$(examples "$name")
    found=$("$dtc" lint ${skip:+"$skip"} "$file" 2>&1 | without_summary)
    [ -z "${UPDATE:-}" ] || printf '%s\n' "$found" >"$file.stderr"
    without_summary <"$file.stderr" | cmp -s - <(printf '%s\n' "$found")
    answer "foreign/$name" $? "it is not what $file.stderr says"
    case $name in
    DT[0-9]*)
        case $found in
        *"[${name%%-*}]"*) answer "foreign/$name" 0 ;;
        *) answer "foreign/$name" 1 "it has no ${name%%-*}" ;;
        esac
        ;;
    esac
done

[ -n "$prefix" ] || for file in fixtures/foreign/clean/* $(find fixtures/valid fixtures/references -name '*.yaml' 2>/dev/null | LC_ALL=C sort); do
    case $file in
    fixtures/valid/allow/* | fixtures/valid/language-extras/* | fixtures/valid/raw-resources/* | fixtures/valid/schema-rows/*)
        continue
        ;;
    esac
    found=$("$dtc" lint --skip DT1615 "$file" 2>&1)
    case $file in
    fixtures/valid/batch-nodes/* | fixtures/valid/batch-groups-of-every-capacity/*)
        # The source says `imds_v1 = true`.
        found=${found//\[DT1600\]/}
        ;;
    esac
    # What the source allows is found here.
    for code in $(grep -ohE '^ *allow DT[0-9]+' "${file%%/expected/*}"/*.dt 2>/dev/null | grep -oE 'DT[0-9]+'); do
        found=${found//\[$code\]/}
    done
    case $found in
    *'[DT'*) answer "$file" 1 "$found" ;;
    *) answer "$file" 0 ;;
    esac
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
