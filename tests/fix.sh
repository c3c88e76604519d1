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
. tests/support/serve.sh
root=$PWD
dtc=$(realpath "$1") || exit 3

without=0
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
mkdir "$scratch/copy" "$scratch/packed"
shopt -s dotglob globstar
export LC_ALL=C NO_COLOR=1
command -v patch >/dev/null 2>&1 && has_patch=yes || has_patch=

# There are five thousand files, and any process takes as long as dtc does. So reports are read with `mapfile`, and all
# runs share one start.
serve_begin "$dtc" "$scratch" yes

# Leaves the codes of a JSON report in `codes`, and in `fixable` those of diagnostics with fixes.
read_report() { # REPORT
    local line code
    mapfile -t report <"$1"
    codes=() fixable=()
    for line in "${report[@]}"; do
        case $line in
        '      "code": "'*) code=${line#*: \"} code=${code%%\"*} ;;
        '      "fixes": '*)
            codes+=("$code")
            [[ $line = *'[]'* ]] || fixable+=("$code")
            ;;
        esac
    done
}

# Whether dtc has fixes for the file. $scratch/before.json has what it says.
has_fixes() { # FOLDER COMMAND FILE ARGUMENTS
    cd "$1" || exit 3
    serve "$scratch/before.json" /dev/null "$2" --diagnostics json "${@:4}" "$3"
    cd "$root" || exit 3
    read_report "$scratch/before.json"
    [ ${#fixable[@]} != 0 ]
}

# How many of the words that follow are the first one, in `reply`.
count() { # WORD WORDS
    local word
    reply=0
    for word in "${@:2}"; do
        [ "$word" != "$1" ] || reply=$((reply + 1))
    done
}

# What the sources of a folder are, in `reply`: names and contents.
sources() { # FOLDER
    local path bytes
    reply=
    for path in "$1"/**; do
        reply+=${path#"$1"}$'\n'
        [ ! -f "$path" ] || mapfile -d '' bytes <"$path"
        [ ! -f "$path" ] || reply+="${#bytes[@]} ${bytes[*]}"$'\n'
    done
}

# Whether the folder's sources are those.
holds() { # FOLDER SOURCES
    sources "$1"
    [ "$reply" = "$2" ]
}

# Says what is wrong with the fixes of the file in the working folder; nothing where all is well. `codes` and `fixable` are
# those of before.
judge() { # COMMAND FILE ARGUMENTS
    local command=$1 file=$2 status code original once wanted=0
    local -a codes_before=("${codes[@]}")
    local -A fixed=()
    shift 2
    rm -rf ../original
    cp -R . ../original
    sources .
    original=$reply
    serve ../difference /dev/null "$command" --fix --diff "$@" "$file"
    holds . "$original" || echo "--diff writes"
    for code in "${fixable[@]}"; do
        fixed[$code]=$((${fixed[$code]:-0} + 1))
    done
    serve ../after.json ../lines "$command" --fix --diagnostics json "$@" "$file"
    status=$?
    read_report ../after.json
    sources .
    once=$reply
    if [ "$once" = "$original" ]; then
        [ ! -s ../lines ] || echo "nothing is fixed, and something said to be"
    else
        [ -s ../lines ] || echo "something is fixed without a word"
    fi
    if [ -n "$has_patch" ]; then
        if [ -s ../difference ]; then
            patch -s -p0 -d ../original <../difference >/dev/null 2>&1 || echo "patch does not take the difference"
        fi
        holds ../original "$once" || echo "--diff and --fix are of two minds"
    fi
    [[ ${report[*]} != *'"severity": "error"'* ]] || wanted=1
    [ "$status" = "$wanted" ] || echo "ended with status $status"
    for code in "${!fixed[@]}"; do
        count "$code" "${fixable[@]}"
        [ "$reply" -lt "${fixed[$code]}" ] || [[ ${report[*]} = *?--fix?' '* ]] || echo "$code stays without a word"
    done
    if [ ${#codes_before[@]} = 1 ] && [ -s ../lines ]; then
        for code in "${codes[@]}"; do
            case $code in DT0338 | DT0562) ;; *) echo "the fix leaves ${codes[*]}" && break ;; esac
        done
    fi
    [[ ${codes[*]} != *DT0909* || ${codes_before[*]} = *DT0909* ]] || echo "it is no JSON any more"
    serve /dev/null /dev/null "$command" --fix "$@" "$file"
    holds . "$once" || echo "a second --fix changes something"
}

one() { # NAME FOLDER COMMAND FILE ARGUMENTS
    if ! has_fixes "${@:2}"; then
        without=$((without + 1))
        return
    fi
    cd "$2" || exit 3
    judge "${@:3}" >"$scratch/wrong"
    if [ ! -s "$scratch/wrong" ]; then
        pass "$1"
    else
        diff -ru ../original . >>../difference
        fail "$1" "$(<"$scratch/wrong")" ../difference
    fi
    cd "$root" || exit 3
}

# The same for a file of fixtures, which is copied if it has fixes.
one_copy() { # NAME FIXTURE COMMAND FILE
    if ! has_fixes "${2%/*}" "$3" "${2##*/}"; then
        without=$((without + 1))
        return
    fi
    rm -rf "$scratch"/copy/*
    cp "$2" "$scratch/copy/$4"
    one "$1" "$scratch/copy" "$3" "$4"
}

# What `# run: ` says above `dt 1`, in `reply`.
read_arguments() { # FILE
    local line
    reply=
    while IFS= read -r line; do
        case $line in
        'dt 1'*) return ;;
        '# run: '*) reply=${line#*: } ;;
        esac
    done <"$1"
}

# JSON without blanks between its words.
pack() { # FILE PACKED
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line#"${line%%[! ]*}"}
        printf '%s\n' "${line/'": '/'":'}"
    done <"$1" >"$2"
}

for fixture in fixtures/invalid/DT*.dt; do
    [ -e "$fixture" ] || continue
    name=${fixture##*/}
    one_copy "invalid/${name%.dt}" "$fixture" check main.dt
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
    read_arguments "$source"
    arguments=$reply
    for form in literal let like for copies; do
        # shellcheck disable=SC2086 # words
        one "rules/${name%.dt}, $form" "$scratch/rules/$form-fault" check main.dt $arguments
    done
done
for fixture in fixtures/foreign/*.yaml fixtures/foreign/*.json; do
    [ -e "$fixture" ] || continue
    name=${fixture##*/}
    one_copy "foreign/$name" "$fixture" lint "$name"
    if [ "${name##*.}" = json ]; then
        rm -rf "$scratch"/packed/*
        pack "$fixture" "$scratch/packed/$name"
        one "foreign/$name, without blanks" "$scratch/packed" lint "$name"
    fi
done

if [ -z "$has_patch" ]; then
    skip 'that patch takes the differences: it is not installed'
fi
echo "$without fixtures have no fix"
finish
