#!/bin/bash
# Holds every rule against the ways in which a fault comes into a file: rules.sh DTC. Fixtures are found, never listed:
# fixtures/rules/CODE-WHAT.dt, or a folder of that name with main.dt and what else it needs. In each, the word FAULT
# stands at one place, and comments above `dt 1` say what is written there:
#
#   # fault: TEXT         the expression at fault
#   # clean: TEXT         its clean twin, with which dtc has nothing to say
#   # type: TYPE          that of a param for the value; `word` where one of the two is a bare word: a bool chooses then
#   # at: TEXT            the finding stands on the line that holds TEXT (`block`: on the head of the block around FAULT);
#                         without it, at the value
#   # not: FORM, REASON   a form that the value cannot take. It is tried all the same, and must not work
#   # run: ARGUMENTS      of `dtc check`
#
# The forms: literal; let; param, given with -p; like, where the file is base.dt and another copies all of its blocks;
# for, where the value is what the loop runs over; copies, where the block with the fault is there twice. Each is one
# test: the fault is found once, at its place, nothing else is said, and nothing at all of the clean twin. rules.awk,
# which makes the forms, counts on the layout that the fixtures have: blocks of the file at the margin, two blanks a
# level, references to other blocks on lines of their own.
set -u
shopt -s extglob
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3

# Rules whose fault is no value: what is late, which blocks there are, what they are called, and items of blocks.
# Nothing of that comes through a name; fixtures/invalid shows each.
exempt='DT0306 DT0338 DT0339 DT0343 DT0344 DT0345 DT0346 DT0347 DT0349'

declared=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

header() { # FILE KEY
    sed -n "/^dt 1/q; s/^# $2: //p" "$1"
}

# The value as the command line takes it: texts without quotes, lists of them without brackets.
argument() { # TEXT
    case $1 in
    \"*\" | \[*) printf '%s' "$1" | sed 's/^\[//; s/\]$//; s/"//g; s/, /,/g' ;;
    *) printf '%s' "$1" ;;
    esac
}

# Checks the fixture in one form with one text; leaves stderr, stdout and status in the scratch folder.
check_form() { # FIXTURE FORM TEXT
    local work=$scratch/work source=$1 value=$3 arguments=()
    rm -rf "$work"
    mkdir -p "$work"
    if [ -d "$1" ]; then
        cp -R "$1/." "$work/"
        source=$1/main.dt
    fi
    awk -v form="$2" -v text="$3" -v fault="$fault" -v clean="$clean" -v type="$type" -v at="$at" -v folder="$work" \
        -f "$root/tests/support/rules.awk" "$source" || exit 3
    if [ "$2" = param ]; then
        [ "$type" != word ] || value=$([ "$3" = "$fault" ] && echo true || echo false)
        [ "$value" = null ] || arguments=(-p "fault=$(argument "$value")")
    fi
    # shellcheck disable=SC2086 # words
    (cd "$work" && "$dtc" check main.dt --core "$root/fixtures/core" $run "${arguments[@]}" \
        >"$scratch/stdout" 2>"$scratch/stderr")
    echo $? >"$scratch/status"
}

# The column where the fault begins, and the first behind it, on the line that ends in `#here`.
columns() { # FORM SOURCE
    local before where=$1
    [ -z "$at" ] || where=elsewhere
    [ "$type" != word ] || where=${where/#@(let|param|for)/elsewhere}
    case $where in
    elsewhere) echo 1 9999 ;;
    let) echo 13 $((13 + ${#fault})) ;;
    param) echo 7 8 ;;
    for) echo 15 $((15 + ${#fault})) ;;
    *)
        before=$(sed -n '/^dt 1/,$ p' "$2" | grep FAULT | sed 's/FAULT.*//')
        echo $((${#before} + 1)) $((${#before} + 1 + ${#fault}))
        ;;
    esac
}

# Prints what is wrong with the outcome of a fault; nothing where all is well.
judge_fault() { # CODE FORM SOURCE
    local found severity place file line column first behind status
    status=$(cat "$scratch/status")
    found=$(grep -c -E "^(error|warning)\[" "$scratch/stderr")
    severity=$(sed -n "s/^\(error\|warning\)\[$1\].*/\1/p" "$scratch/stderr" | head -n 1)
    if [ -z "$severity" ]; then
        echo "$1 is not found"
        return
    elif [ "$found" != 1 ]; then
        echo "$found findings for one fault"
        return
    elif [ "$severity" = error ] && [ "$status" != 1 ] || [ "$severity" = warning ] && [ "$status" != 0 ]; then
        echo "$severity, and ended with status $status"
        return
    elif [ -s "$scratch/stdout" ]; then
        echo "something is on standard output"
        return
    fi
    place=$(sed -n 's/^ *--> //p' "$scratch/stderr" | head -n 1)
    file=${place%%:*}
    line=${place#*:}
    column=${line#*:}
    line=${line%%:*}
    read -r first behind < <(columns "$2" "$3")
    if [ ! -e "$scratch/work/$file" ] || ! sed -n "${line}p" "$scratch/work/$file" | grep -q '#here$'; then
        echo "found at ${place:-no place}, and expected on the line that ends in #here:"
        (cd "$scratch/work" && grep -n -H '#here$' -- *.dt)
    elif [ "$column" -lt "$first" ] || [ "$column" -ge "$behind" ]; then
        echo "found in column $column, and the value stands in $first to $((behind - 1))"
    fi
}

one_form() { # FIXTURE FORM
    local name code source=$1 reason wrong
    [ ! -d "$1" ] || source=$1/main.dt
    name=$(basename "$1" .dt)
    code=${name%%-*}
    reason=$(header "$source" not | sed -n "s/^$2, //p")
    check_form "$1" "$2" "$fault"
    wrong=$(judge_fault "$code" "$2" "$source")
    if [ -z "$wrong" ]; then
        check_form "$1" "$2" "$clean"
        if [ "$(cat "$scratch/status")" != 0 ] || [ -s "$scratch/stderr" ] || [ -s "$scratch/stdout" ]; then
            wrong="the clean twin is not clean"
        fi
    fi
    if [ -n "$reason" ] && [ -z "$wrong" ]; then
        fail "rules/$name, $2" "said to be impossible ($reason), and it works"
    elif [ -n "$reason" ]; then
        declared=$((declared + 1))
        pass "rules/$name, $2: not possible: $reason"
    elif [ -n "$wrong" ]; then
        cat "$scratch/stdout" "$scratch/stderr" >"$scratch/said"
        fail "rules/$name, $2" "$wrong" "$scratch/said"
    else
        pass "rules/$name, $2"
    fi
}

one_fixture() { # FIXTURE
    local source=$1 form fault clean type at run key
    [ ! -d "$1" ] || source=$1/main.dt
    for key in fault clean type; do
        if [ -z "$(header "$source" $key)" ]; then
            fail "$1" "says no \`$key\`"
            return
        fi
    done
    if [ "$(sed -n '/^dt 1/,$ p' "$source" | grep -c FAULT)" != 1 ]; then
        fail "$1" 'FAULT must stand at one place'
        return
    fi
    fault=$(header "$source" fault)
    clean=$(header "$source" clean)
    type=$(header "$source" type)
    at=$(header "$source" at)
    run=$(header "$source" run)
    for form in literal let param like for copies; do
        one_form "$1" $form
    done
}

for fixture in fixtures/rules/DT*; do
    [ -e "$fixture" ] && one_fixture "$fixture"
done

# A rule without a fixture holds for literals, as far as is known.
for code in $(sed -n 's/^DIAG("\(DT03[0-9]*\)".*/\1/p' compiler/base/diag.def); do
    case $exempt in *"$code"*) continue ;; esac
    set -- fixtures/rules/"$code"-*
    if [ ! -e "$1" ]; then
        fail "$code" 'no fixture of fixtures/rules has it'
    fi
done

echo "$declared forms are not possible, for the reasons that the fixtures give"
finish
