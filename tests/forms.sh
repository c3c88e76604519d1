#!/bin/bash
# The matrix: each fault of a noun, in each form in which it can be written: forms.sh DTC [CODE…]. A noun is a folder of
# fixtures/forms. In it:
#
#   cases       faults, each with its clean twin, as what is written beside `usual`
#   NAME.yaml   a form: a file of another tool with `{WORD}` where the words of a case come. `# form:` says what it is,
#   NAME.dt     `# sets:` what is usual in it, `# lacks: WORD, WHY` what it has no word for. `?WORD` and `!WORD` in front
#               of a line say for which cases it is, with a `|` behind them where the line begins at the margin;
#               `@FILE` takes over a part that several forms have
#   words.awk   what the words of a case come to in several places
#
# A cell of the matrix is `+` where dtc finds the fault, `-` where the form cannot have it, or MISSING. Nothing is said of
# a clean twin; else the cell is FALSE. fixtures/forms/missing.tsv lists the cells that are still MISSING, and a cell that
# is found leaves the list. compiler/driver/command/asked.def has, for each code, the forms in which it is found: `dtc
# explain CODE` prints them. UPDATE=1 writes both anew. TABLE=1 prints the matrix in place of claims, with M and F for MISSING
# and FALSE. WHY=1 prints why a form cannot have a fault, and what is said of each other cell. FORM=NAME tries one form,
# KEEP=FOLDER keeps what is spelled.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
dtc=$(realpath "$1") || exit 3
shift
export LC_ALL=C NO_COLOR=1
known=fixtures/forms/missing.tsv
asked=compiler/driver/command/asked.def
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
serve_begin "$dtc" "$scratch" yes
spelled=${KEEP:-$scratch/spelled}
mkdir -p "$spelled" || exit 3
spelled=$(realpath "$spelled")

only=
unspelled=
[ $# = 0 ] && [ -z "${FORM:-}" ] || only=yes
if [ -n "$only" ] && [ -n "${UPDATE:-}" ]; then
    echo 'UPDATE=1 wants the whole matrix' >&2
    exit 3
fi

declare -A listed
while IFS= read -r line; do listed[$line]=yes; done <"$known"

if [ -n "${TABLE:-}" ]; then
    pass() {
        passed=$((passed + 1))
    }
fi

# What dtc says of a file, as codes.
codes_of() { # FILE
    local line command=lint
    [[ $1 != *.dt ]] || command=check
    status=0
    serve "$scratch/said.json" /dev/null "$command" --diagnostics json "$1" || status=$?
    said=
    while IFS= read -r line; do
        if [[ $line == *'"code": "DT'* ]]; then
            line=${line#*'"code": "'}
            line=${line%%'"'*}
            [[ " $said" == *" $line "* ]] || said+="$line "
        fi
    done <"$scratch/said.json"
}

# found, FALSE or MISSING; a code of several that one idea has today counts as any of them.
declare -A said_of_twins
try() { # FOLDER NUMBER TWIN ENDING CODES
    local code
    if [ -z "${said_of_twins[$1/$3]+known}" ]; then
        codes_of "$1/$3.clean.$4"
        [ -n "$said" ] || [ "$status" = 0 ] || said="nothing, with status $status"
        said_of_twins[$1/$3]=$said
    fi
    cell=MISSING
    if [ -n "${said_of_twins[$1/$3]}" ]; then
        cell=FALSE
        what_is_said="of the clean twin: ${said_of_twins[$1/$3]}"
        return
    fi
    codes_of "$1/$2.fault.$4"
    what_is_said="of the fault: ${said:-nothing}"
    for code in ${5//\// }; do
        [[ " $said" == *" $code "* ]] || continue
        cell=found
        echo "$code ${ids[$name]}" >>"$scratch/asked"
    done
}

# A cell that is found, one that is listed as MISSING, or a fault of the test.
judge() { # ID
    local fault=
    case $cell in
    found)
        found=$((found + 1))
        [ -z "${listed[$1]:-}" ] || [ -n "${UPDATE:-}" ] || fault='it is found, and fixtures/forms/missing.tsv lists it'
        ;;
    MISSING)
        missing+=" $name"
        echo "$1" >>"$scratch/missing"
        [ -n "${listed[$1]:-}" ] || [ -n "${UPDATE:-}" ] || fault="it is missing; said is, $what_is_said"
        ;;
    *) fault="something is said $what_is_said" ;;
    esac
    [ -z "${listed[$1]:-}" ] || listed[$1]=seen
    if [ -z "$fault" ]; then
        pass "$codes, $noun/$name: $what"
    else
        fail "$codes, $noun/$name: $what" "$fault"
    fi
}

# What asked.def is to be: the forms in the order of the matrix, and a row for each code in each form.
asked_rows() {
    echo '// The forms of fixtures/forms, and in which of them each code is found. `UPDATE=1 bash tests/forms.sh build/dtc` writes it.'
    cat "$scratch/forms"
    sort -u -k 1,1 -k 2,2n "$scratch/asked" | sed 's/\(.*\) \(.*\) \(.*\)/ASKED("\1", \3)/'
}

is_asked() { # CODES CODE…
    local codes=/$1/ code
    shift
    [ $# != 0 ] || return 0
    for code; do
        [[ $codes != */$code/* ]] || return 0
    done
    return 1
}

# A column is a letter; the forms stand above.
table_begin() {
    local i name purpose
    letters=
    for ((i = 0; i < ${#forms[@]}; i++)); do
        name=${forms[i]##*/}
        purpose=$(sed -n 's/^# form: //p' "${forms[i]}")
        letters+=${alphabet:i:1}
        printf '  %s  %-22s %s\n' "${alphabet:i:1}" "$name" "$purpose"
    done
    printf '\n%-30s %-58s %s\n' "$noun" '' "$letters"
}

alphabet=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz
: >"$scratch/missing"
: >"$scratch/asked"
: >"$scratch/forms"
form_count=0
for noun in fixtures/forms/*/; do
    noun=${noun%/}
    noun=${noun##*/}
    forms=(fixtures/forms/"$noun"/*.dt fixtures/forms/"$noun"/*.yaml)
    if [ -n "${FORM:-}" ]; then
        forms=()
        for form in fixtures/forms/"$noun"/{"$FORM","$FORM".dt,"$FORM".yaml}; do
            [ ! -e "$form" ] || forms+=("$form")
        done
        [ ${#forms[@]} != 0 ] || continue
    fi
    found=0 cells=0
    declare -A twins=() reasons=() ids=()
    for form in "${forms[@]}"; do
        name=${form##*/}
        id=${noun}_${name%.yaml}
        id=${id//[-.]/_}
        ids[$name]="$((form_count += 1)) $id"
        printf 'FORM(%s, "%s")\n' "$id" "$(sed -n 's/^# form: //p' "$form")" >>"$scratch/forms"
        mkdir -p "$spelled/$noun/$name"
        awk -v out="$spelled/$noun/$name" -f tests/forms.awk -f "fixtures/forms/$noun/words.awk" \
            "fixtures/forms/$noun/cases" "$form" >"$scratch/rows" || {
            fail "$noun/$name is spelled"
            unspelled=yes
        }
        while IFS=$'\t' read -r number _ _ twin reason; do
            twins[$name $number]=$twin
            reasons[$name $number]=$reason
        done <"$scratch/rows"
    done
    [ -z "${TABLE:-}" ] || table_begin
    while IFS=$'\t' read -r number codes what _; do
        is_asked "$codes" "$@" || continue
        row='' missing=''
        for form in "${forms[@]}"; do
            name=${form##*/}
            reason=${reasons[$name $number]-it is not spelled}
            if [ -n "$reason" ]; then
                [ -z "${WHY:-}" ] || echo "- $codes, $noun/$name: $what: $reason"
                row+=-
                continue
            fi
            try "$spelled/$noun/$name" "$number" "${twins[$name $number]}" "${name##*.}" "$codes"
            cells=$((cells + 1))
            [ -z "${WHY:-}" ] || echo "$cell $codes, $noun/$name: $what: said is $what_is_said"
            case $cell in
            found) row+=+ ;;
            *) row+=${cell:0:1} ;;
            esac
            judge "$noun/$name"$'\t'"$codes"$'\t'"$what"
        done
        [ -z "${TABLE:-}" ] || printf '%-30s %-58s %s%s\n' "$codes" "$what" "$row" "${missing:+  MISSING:$missing}"
    done <"$scratch/rows"
    echo "$noun: $found of $cells cells are found"
done
if [ -n "${UPDATE:-}" ] && [ -n "$unspelled" ]; then
    echo 'nothing is written: a form stops at a case, and the cells behind it were not tried' >&2
elif [ -n "${UPDATE:-}" ]; then
    sort "$scratch/missing" >"$known"
    asked_rows >"$asked"
elif [ -z "$only" ]; then
    for line in "${!listed[@]}"; do
        [ "${listed[$line]}" = seen ] || fail 'fixtures/forms/missing.tsv lists a cell that there is not' "$line"
    done
    asked_rows | diff "$asked" - >"$scratch/difference"
    result $? "$asked has the cells that are found: UPDATE=1 writes it, and dtc is compiled again"
fi
finish
