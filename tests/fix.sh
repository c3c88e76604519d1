#!/bin/bash
# Holds `check --fix` and `lint --fix` against every fixture that has a fix: fix.sh DTC. Fixtures are found, never listed:
# the files of fixtures/invalid, those of fixtures/rules in each form in which the fault comes (rules.awk makes them), and
# those of fixtures/foreign, JSON without blanks as well. For each whose diagnostics carry fixes:
#
#   --diff     writes nothing, and patch(1) makes of it what --fix writes
#   --fix      ends with the status of what remains; each diagnostic that had a fix is gone, or says why it is not
#   the rest   where there was one mistake and it was fixed, nothing is wrong any more (but an `allow` that is of no use
#              now: DT0338, or what the target has nowhere: DT0562)
#   again      a second --fix finds nothing to do
#
# That the change is exactly the fix is tested by tests/property/test_fixes.c, in memory.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3

without=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1
command -v patch >/dev/null 2>&1 && has_patch=yes || has_patch=

# The codes of a JSON report, one a line; with `fixes`, of those that have fixes.
codes() { # REPORT [fixes]
    awk -v only="${2:-}" '
        /^      "code": / { split($0, parts, "\""); code = parts[4] }
        /^      "fixes": / { if (only == "" || $0 !~ /\[\]/) print code }' "$1"
}

# Most forms have no fix, so this starts no process.
has_fixes() { # REPORT
    local line lines
    mapfile -t lines <"$1"
    for line in "${lines[@]}"; do
        case $line in
        *'[]'*) ;;
        '      "fixes": '*) return 0 ;;
        esac
    done
    return 1
}

# Whether two folders hold the same sources.
same() { # FOLDER FOLDER
    diff -r "$1" "$2" >"$scratch/diff"
}

# What is wrong with the fixes of the file in the working folder; nothing where all is well. ../before.json has what was
# said of it.
judge() { # COMMAND FILE ARGUMENTS
    local command=$1 file=$2 status code before after
    shift 2
    rm -rf ../original ../patched ../once
    cp -R . ../original
    "$dtc" "$command" --fix --diff "$@" "$file" >../difference 2>/dev/null
    same . ../original || echo "--diff writes"
    "$dtc" "$command" --fix --diagnostics json "$@" "$file" >../after.json 2>../lines
    status=$?
    if [ -n "$has_patch" ]; then
        cp -R ../original ../patched
        if [ -s ../difference ]; then
            (cd ../patched && patch -s -p0 <../difference >/dev/null 2>&1) || echo "patch does not take the difference"
        fi
        same . ../patched || echo "--diff and --fix are of two minds"
    fi
    if same . ../original; then
        [ ! -s ../lines ] || echo "nothing is fixed, and something said to be"
    else
        [ -s ../lines ] || echo "something is fixed without a word"
    fi
    [ "$status" = "$(grep -q '"severity": "error"' ../after.json && echo 1 || echo 0)" ] || echo "ended with status $status"
    for code in $(codes ../before.json fixes | sort -u); do
        before=$(codes ../before.json fixes | grep -c "$code")
        after=$(codes ../after.json fixes | grep -c "$code")
        [ "$after" -lt "$before" ] || grep -q -e '.--fix. ' ../after.json || echo "$code stays without a word"
    done
    if [ "$(codes ../before.json | wc -l)" = 1 ] && [ -s ../lines ] && codes ../after.json | grep -qv -e DT0338 -e DT0562; then
        echo "the fix leaves $(codes ../after.json | tr '\n' ' ')"
    fi
    ! codes ../after.json | grep -q DT0909 || codes ../before.json | grep -q DT0909 || echo "it is no JSON any more"
    cp -R . ../once
    "$dtc" "$command" --fix "$@" "$file" >/dev/null 2>&1
    same . ../once || echo "a second --fix changes something"
}

one() { # NAME FOLDER COMMAND FILE ARGUMENTS
    local name=$1 command=$3 file=$4 wrong
    cd "$2" || exit 3
    shift 4
    "$dtc" "$command" --diagnostics json "$@" "$file" >../before.json 2>/dev/null
    if ! has_fixes ../before.json; then
        without=$((without + 1))
    else
        wrong=$(judge "$command" "$file" "$@")
        if [ -z "$wrong" ]; then
            pass "$name"
        else
            diff -ru ../original . >../changed
            fail "$name" "$wrong" ../changed
        fi
    fi
    cd "$root" || exit 3
}

header() { # FILE KEY
    sed -n "/^dt 1/q; s/^# $2: //p" "$1"
}

mkdir "$scratch/invalid"
for fixture in fixtures/invalid/DT*.dt; do
    [ -e "$fixture" ] || continue
    cp "$fixture" "$scratch/invalid/main.dt"
    name=${fixture##*/}
    one "invalid/${name%.dt}" "$scratch/invalid" check main.dt
done
for fixture in fixtures/rules/DT*; do
    [ -e "$fixture" ] || continue
    source=$fixture
    [ ! -d "$fixture" ] || source=$fixture/main.dt
    name=${fixture##*/}
    folders=("$scratch"/rules/{literal,let,like,for,copies}-{fault,clean})
    rm -rf "$scratch/rules"
    mkdir -p "${folders[@]}"
    if [ -d "$fixture" ]; then
        for folder in "${folders[@]}"; do
            cp -R "$fixture/." "$folder/"
        done
    fi
    awk -v forms='literal let like for copies' -v folder="$scratch/rules" -f tests/support/rules.awk "$source" || exit 3
    arguments=$(header "$source" run)
    for form in literal let like for copies; do
        # shellcheck disable=SC2086 # words
        one "rules/${name%.dt}, $form" "$scratch/rules/$form-fault" check main.dt $arguments
    done
done
for fixture in fixtures/foreign/*.yaml fixtures/foreign/*.json; do
    [ -e "$fixture" ] || continue
    name=${fixture##*/}
    rm -rf "$scratch/foreign"
    mkdir "$scratch/foreign"
    cp "$fixture" "$scratch/foreign/"
    one "foreign/$name" "$scratch/foreign" lint "$name"
    if [ "${name##*.}" = json ]; then
        sed 's/": /":/; s/^ *//' "$fixture" >"$scratch/foreign/$name"
        one "foreign/$name, without blanks" "$scratch/foreign" lint "$name"
    fi
done

if [ -z "$has_patch" ]; then
    skip 'that patch takes the differences: it is not installed'
fi
echo "$without fixtures have no fix"
finish
