#!/bin/bash
# The matrix: each fault of a noun, in each form in which it can be written: forms.sh DTC [CODE…]. A noun is a folder of
# fixtures/forms. In it:
#
#   cases       faults, each with its clean twin, as what is written beside `usual`
#   NAME.yaml   a form: a file of another tool with `{WORD}` where the words of a case come. `# form:` says what it is,
#   NAME.dt     `# sets:` what is usual in it, `# lacks: WORD, WHY` what it has no word for. `?WORD` and `!WORD` in front
#               of a line say for which cases it is; `@FILE` takes over a part that several forms have
#
# A cell of the matrix is `found`, `-` where the form cannot have the fault, or MISSING: dtc does not say it. Nothing is
# said of a clean twin; else the cell is FALSE. fixtures/forms/missing.tsv lists the cells that are still MISSING, and
# a cell that is found leaves the list. UPDATE=1 writes it anew. WHY=1 prints why a form cannot have a fault.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
dtc=$(realpath "$1") || exit 3
shift
export LC_ALL=C NO_COLOR=1
root=$PWD
known=fixtures/forms/missing.tsv
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
serve_begin "$dtc" "$scratch" yes

# What dtc says of a file, as codes; each once.
codes_of() { # FILE
    local command=lint
    [[ $1 != *.dt ]] || command=check
    cd "$scratch" || exit 3
    serve "$scratch/said.json" /dev/null "$command" --diagnostics json "$1"
    cd "$root" || exit 3
    said=$(sed -n 's/^      "code": "\(DT[0-9]*\)",$/\1/p' "$scratch/said.json" | sort -u | tr '\n' ' ')
}

# found, FALSE or MISSING; a code of several that one idea has today counts as any of them.
try() { # STEM ENDING CODES
    local code
    codes_of "$1.clean.$2"
    cell=MISSING
    if [ -n "$said" ]; then
        cell=FALSE
        what_is_said="of the clean twin: $said"
        return
    fi
    codes_of "$1.fault.$2"
    what_is_said="of the fault: ${said:-nothing}"
    for code in ${3//\// }; do
        [[ " $said" != *" $code "* ]] || cell=found
    done
}

printf '' >"$scratch/missing"
for noun in fixtures/forms/*/; do
    noun=${noun%/}
    noun=${noun##*/}
    forms=(fixtures/forms/"$noun"/*.dt fixtures/forms/"$noun"/*.yaml)
    found=0 cells=0
    printf '%s' "$noun"
    for form in "${forms[@]}"; do printf '\t%s' "${form##*/}"; done
    echo
    for form in "${forms[@]}"; do
        name=${form##*/}
        mkdir -p "$scratch/$noun/$name"
        awk -v out="$scratch/$noun/$name" -f tests/forms.awk "fixtures/forms/$noun/cases" "$form" >"$scratch/$noun/$name.rows"
    done
    while IFS=$'\t' read -r number codes what _; do
        [ $# = 0 ] || [[ " $* " == *" ${codes%%/*} "* ]] || continue
        row="$codes $what"
        for form in "${forms[@]}"; do
            name=${form##*/}
            reason=$(sed -n "${number}p" "$scratch/$noun/$name.rows" | cut -f 4)
            if [ -n "$reason" ]; then
                [ -z "${WHY:-}" ] || echo "$codes $name: $reason"
                row+=$'\t-'
                continue
            fi
            try "$scratch/$noun/$name/$number" "${name##*.}" "$codes"
            row+=$'\t'$cell
            cells=$((cells + 1))
            id="$noun/$name"$'\t'"$codes"$'\t'"$what"
            case $cell in
            found)
                found=$((found + 1))
                fault=
                ! grep -qxF "$id" "$known" || [ -n "${UPDATE:-}" ] || fault='it is found, and fixtures/forms/missing.tsv lists it'
                ;;
            MISSING)
                echo "$id" >>"$scratch/missing"
                fault=
                grep -qxF "$id" "$known" || [ -n "${UPDATE:-}" ] || fault="it is missing; said is, $what_is_said"
                ;;
            *) fault="something is said $what_is_said" ;;
            esac
            if [ -z "$fault" ]; then
                pass "$codes, $noun/$name: $what"
            else
                fail "$codes, $noun/$name: $what" "$fault"
            fi
        done
        echo "$row"
    done <"$scratch/$noun/${forms[0]##*/}.rows"
    echo "$noun: $found of $cells cells are found"
done
[ -z "${UPDATE:-}" ] || sort "$scratch/missing" >"$known"
finish
