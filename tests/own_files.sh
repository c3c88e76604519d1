#!/bin/bash
# What dtc writes, `dtc lint` accepts: own_files.sh DTC [TEXT]. With TEXT, only sources with that text in their names.
#
#   fixtures/valid, fixtures/reference, stdlib/start    Each is built. Files that wait for facts get some. Then each file
#                                                       is linted alone, and all files of the build together. There is
#                                                       no error and no warning, but for one that the source has.
#   fixtures/own/WHAT.dt                                A source in which VALUE stands at one place or more. `# try: TEXT`
#                                                       above `dt 1` is what is written there, one a line. Either dtc
#                                                       says something at a line of the source, or it says nothing,
#                                                       builds, and lint has nothing to say either.
#                                                       fixtures/own/said.tsv has what dtc says. UPDATE=1 writes it anew.
#
# Ids of examples are passed over: fixtures are full of them.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
. tests/support/facts.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
only=${2:-}
export LC_ALL=C NO_COLOR=1
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
serve_begin "$dtc" "$scratch" yes
sources=0 files=0 waiting=0 warned=()
declare -A table=()
while IFS=$'\t' read -r name value codes; do
    table["$name $value"]=$codes
done <fixtures/own/said.tsv

evidence() {
    cat "$scratch/said"
}

# Lints in the folder of the files. True where nothing is found.
is_clean() { # FILE…
    local status
    serve "$scratch/said" "$scratch/errors" lint --skip DT1615 "${warned[@]}" "${schema[@]}" "$@"
    status=$?
    cat "$scratch/errors" >>"$scratch/said"
    [ "$status" = 0 ] && ! grep -qE '^(error|warning)\[' "$scratch/said"
}

# Each file alone, then all together, in the working folder.
judge() { # NAME
    local file all=()
    for file in *.yaml *.json; do
        case $file in
        '*'* | plan.json | *.map.json) continue ;;
        esac
        all+=("$file")
        files=$((files + 1))
        is_clean "$file" || {
            fail "$1" "lint refuses $file"
            return
        }
    done
    is_clean . || {
        fail "$1" 'lint refuses its files together'
        return
    }
    pass "$1: ${#all[@]} files"
}

build() { # ARGUMENT…
    local status
    serve "$scratch/built" "$scratch/said" build "$@" --core "$root/fixtures/core" -o "$scratch/out"
    status=$?
    mapfile -t warned < <(sed -n 's/^warning\[\(DT[0-9]*\)\].*/--skip\n\1/p' "$scratch/said")
    return "$status"
}

# Builds a source in its folder, once more with the facts that its files wait for.
build_whole() { # MAIN ARGUMENT…
    rm -rf "$scratch/out"
    build "$@" || return
    if grep -q '^waiting:' "$scratch/built"; then
        facts "$1" "$scratch/built" >"$scratch/facts.json"
        # What cannot be told by a stack goes on waiting.
        build "$@" --facts "$scratch/facts.json" || build "$@" || return
        waiting=$((waiting + $(grep -c '^  [^ ]* needs ' "$scratch/built" || true)))
    fi
}

# The options of `run`, of which lint takes the rows of instance types.
options_of() { # FOLDER
    local i
    options=() schema=()
    [ ! -e "$1/run" ] || read -r -a options <"$1/run"
    for ((i = 0; i < ${#options[@]}; i++)); do
        case ${options[i]} in
        --schema) schema+=(--schema "$root/$1/${options[i + 1]}") ;;
        --schema=*) schema+=("--schema=$root/$1/${options[i]#--schema=}") ;;
        esac
    done
}

fixture() { # FOLDER SIDE
    local main=infra.dt file
    options_of "$1"
    [ ! -e "$1/main.dt" ] || main=main.dt
    for file in "$2"/params.json "$2"/params.yaml; do
        [ ! -e "$file" ] || options+=(--params "$root/$file")
    done
    [ ! -e "$2/facts.json" ] || options+=(--facts "$root/$2/facts.json")
    sources=$((sources + 1))
    case $1 in
    stdlib/start/*)
        rm -rf "$scratch/start" && mkdir "$scratch/start" && cd "$scratch/start" && "$dtc" init "${1##*/}" >/dev/null
        ;;
    *) cd "$1" || exit 3 ;;
    esac
    if build_whole "$main" "${options[@]}"; then
        cd "$scratch/out" || exit 3
        judge "${1#fixtures/}"
    else
        fail "${1#fixtures/}" 'it does not build'
    fi
    cd "$root" || exit 3
}

# ---- values ----------------------------------------------------------------------------------------------------------

# The codes that dtc says, each once; 'elsewhere' where it names a place outside of the source.
said() {
    local codes
    codes=$(sed -nE 's/^(error|warning)\[(DT[0-9]+)\].*/\2/p' "$scratch/said" | sort -u | tr '\n' ' ')
    ! grep -E '^ *-->' "$scratch/said" | grep -qvE -- '--> infra\.dt:' || codes="$codes elsewhere"
    echo "${codes% }"
}

try_value() { # NAME VALUE
    local name="$1: $2" expected codes
    schema=()
    build_whole infra.dt
    codes=$(said)
    printf '%s\t%s\t%s\n' "$1" "$2" "$codes" >>"$scratch/table"
    if [ -n "${UPDATE:-}" ]; then
        return
    fi
    expected=${table["$1 $2"]-no such line}
    if [ "$expected" != "$codes" ]; then
        fail "own/$name" "dtc says '$codes', and fixtures/own/said.tsv has '$expected'"
    elif [ -n "$codes" ]; then
        pass "own/$name: $codes"
    else
        cd "$scratch/out" || exit 3
        judge "own/$name"
    fi
}

values() { # FILE
    local name=${1##*/} value text tries
    name=${name%.dt}
    mapfile -t tries < <(sed -n 's/^# try: //p' "$1")
    text=$(<"$1")
    sources=$((sources + 1))
    mkdir -p "$scratch/own"
    for value in "${tries[@]}"; do
        cd "$scratch/own" || exit 3
        printf '%s\n' "${text//VALUE/"$value"}" | sed '/^# try: /d' >infra.dt
        try_value "$name" "$value"
        cd "$root" || exit 3
    done
}

# ----------------------------------------------------------------------------------------------------------------------

: >"$scratch/table"
if [ -z "${UPDATE:-}" ]; then
    for folder in fixtures/valid/*"$only"*/ fixtures/reference/*"$only"*/; do
        [ ! -d "$folder" ] || fixture "${folder%/}" "${folder%/}"
    done
    for folder in stdlib/start/*"$only"*/; do
        [ ! -d "$folder" ] || fixture "${folder%/}" "fixtures/start/$(basename "$folder")"
    done
fi
for file in fixtures/own/*"$only"*.dt; do
    [ ! -e "$file" ] || values "$file"
done
if [ -n "${UPDATE:-}" ]; then
    cp "$scratch/table" fixtures/own/said.tsv
    exit
fi
echo "$sources sources, $files files judged alone and together, $waiting files wait for what no stack says"
finish
