#!/bin/sh
# Compares the manual pages with the program's tables, and tries the installation: manual.sh DTC.
#
#   pages         free of mandoc's warnings
#   dtc(1)        has each row of the tables of commands and options, each exit status, and each file that the fixtures
#                 expect
#   dt(5)         has each kind, function, pattern type, reserved word, unit, library file, and the limits as they are;
#                 the words of the services for each attribute
#   dtc-collective(1)  has each option, each phase, and each exit status but a preflight's own
#   dtc-node(7)   has each key of the record with its text, and whether dtc writes it, each other check, and each option
#   explain       knows each code, kind, attribute, function, pattern type and constant
#   make install  brings both pages and the program, under another name as well
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# ---- form ------------------------------------------------------------------------------------------------------------

for page in man/dtc.1 man/dt.5 man/dtc-collective.1 man/dtc-node.7; do
    if [ ! -e "$page" ]; then
        fail "$page: there is none"
    elif ! command -v mandoc >/dev/null 2>&1; then
        skip "$page: mandoc is not installed"
    elif mandoc -T lint -W warning "$page" >"$scratch/lint"; then
        pass "$page: mandoc finds no fault"
    else
        cat "$scratch/lint"
        fail "$page: mandoc warns"
    fi
done

# The pages as text: no zero-width escapes and no quotes of arguments, dashes and quotes as they are read.
plain() { # PAGE
    sed 's/\\&//g; s/\\-/-/g; s/\\(dq/"/g; /^\.\(It\|Li\|Ql\) /s/"//g' "$1"
}
plain man/dtc.1 >"$scratch/dtc.1"
plain man/dt.5 >"$scratch/dt.5"

# ---- dtc(1) ----------------------------------------------------------------------------------------------------------

# One check for each table: WHAT is fine where no name of standard input was reported.
missing() { # WHAT
    if [ ! -s "$scratch/missing" ]; then
        pass "$1"
    else
        sed 's/^/    /' "$scratch/missing"
        fail "$1"
    fi
    : >"$scratch/missing"
}
: >"$scratch/missing"

commands=$(sed -n 's/^ *{ \.name = "\([a-z]*\)",$/\1/p' compiler/driver/command/commands.c)
for command in $commands; do
    grep -q "^\.It Cm $command\>" "$scratch/dtc.1" || echo "$command: no entry" >>"$scratch/missing"
    "$dtc" help "$command" >/dev/null || echo "$command: no help" >>"$scratch/missing"
done
[ -n "$commands" ] || echo 'no command was found in the table' >>"$scratch/missing"
missing 'dtc(1) has each command'

options=$(grep -o '\.\(short_\)\?spelling = "[-a-zA-Z]*"' compiler/driver/command/options.c | sed 's/.*"-\(.*\)"/\1/')
for option in $options; do
    grep -q -- "^\.It Fl .*$option\>" "$scratch/dtc.1" || echo "-$option" >>"$scratch/missing"
done
[ -n "$options" ] || echo 'no option was found in the table' >>"$scratch/missing"
missing 'dtc(1) has each option'

for word in $(sed -n 's/.*\.words = "\(.*\)".*/\1/p' compiler/driver/command/options.c | tr '|' ' '); do
    grep -q "^\.It Fl .*\<$word\>" "$scratch/dtc.1" || echo "$word" >>"$scratch/missing"
done
missing 'dtc(1) has each word of an option'

for status in $(sed -n 's/^ *STATUS_[A-Z]* = \([0-9]*\),.*/\1/p' compiler/driver/command/command.h); do
    sed -n '/^\.Sh EXIT STATUS/,/^\.El/p' "$scratch/dtc.1" | grep -q "^\.It $status$" || echo "$status" >>"$scratch/missing"
done
missing 'dtc(1) has each exit status'

# FILES as patterns: what an author names stands for anything, a sum for its twelve digits.
sed -n '/^\.Sh FILES/,/^\.El/p' "$scratch/dtc.1" | sed -n 's/^\.It Pa //p; s/^\.Pa \(\..*\.json\).*/*\1/p' |
    sed 's/ Ns / /g; s/\<Ar sum\>/[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*/g; s/\<Ar [a-z]*/*/g; s/\<Pa //g; s/ //g' >"$scratch/patterns"
find fixtures/valid/*/expected fixtures/reference/*/expected -type f | sed 's/.*\/expected\//out\//' | sort -u |
    while IFS= read -r file; do
        is_there=
        while IFS= read -r pattern; do
            # shellcheck disable=SC2254 # a pattern
            case $file in $pattern) is_there=yes ;; esac
        done <"$scratch/patterns"
        [ -n "$is_there" ] || echo "$file" >>"$scratch/missing"
    done
missing 'dtc(1) has each file that is written'

# ---- dt(5) -----------------------------------------------------------------------------------------------------------

for kind in schema/kinds/*.yaml; do
    kind=$(basename "$kind" .yaml)
    grep -q "^\.Ss .*\<$kind\>" "$scratch/dt.5" || echo "$kind" >>"$scratch/missing"
done
missing 'dt(5) has each kind'

attributes_of() { # KIND
    sed -n '/^attributes:/,/^[a-z]*:$/s/^  "\{0,1\}\([a-z0-9_]*\)"\{0,1\}:$/\1/p' "schema/kinds/$1.yaml"
}

# The words of the services: each kind has its attributes there, all of them and no others.
for kind in schema/kinds/*.yaml; do
    kind=$(basename "$kind" .yaml)
    attributes_of "$kind" | sort >"$scratch/attributes"
    sed -n "/^\.Ss words of $kind\$/,/^\.El/s/^\.It Ar //p" man/dt.5 | sort >"$scratch/words"
    comm -3 "$scratch/attributes" "$scratch/words" | sed "s/^[[:blank:]]*/$kind./" >>"$scratch/missing"
done
missing 'dt(5) has the words of the services for each attribute'

sed -n 's/^BUILTIN(\([a-z]*\), [0-9]*, [0-9]*, "\([^"]*\)", .*/\2/p' compiler/semantics/builtins.def | sed 's/…/.../' |
    while IFS= read -r signature; do
        grep -qxF ".It Li $signature" "$scratch/dt.5" || echo "$signature" >>"$scratch/missing"
    done
missing 'dt(5) has each function'

for type in $(sed -n 's/^\([a-z0-9_]*\):$/\1/p' schema/types.yaml); do
    grep -q "^\.It Li $type Ta " "$scratch/dt.5" || echo "$type" >>"$scratch/missing"
done
missing 'dt(5) has each pattern type'

sed -n '/^These words are reserved/,/^\.Ed/p' "$scratch/dt.5" | sed -n 's/^\.Ic //p' | tr ' ' '\n' | sort >"$scratch/page"
sed -n 's/^KEYWORD([A-Z_]*, "\(.*\)").*/\1/p' compiler/syntax/token.def | sort >"$scratch/table"
diff "$scratch/page" "$scratch/table" >"$scratch/missing"
missing 'dt(5) has each reserved word'

for unit in $(sed -n 's/^UNIT(\([A-Za-z]*\),.*/\1/p' compiler/syntax/units.def); do
    grep -q "^\.It .*Ta Li .*\<$unit\>" "$scratch/dt.5" || echo "$unit" >>"$scratch/missing"
done
missing 'dt(5) has each unit'

for file in stdlib/*.dt; do
    grep -qE "^\.(It )?Pa (.* )?std/$(basename "$file")( |\$)" "$scratch/dt.5" || echo "std/$(basename "$file")" >>"$scratch/missing"
done
missing 'dt(5) has each file of the library'

# The number of an enumerator, as the page writes it: in MiB, in bytes, or with commas.
limit() { # WHAT FILE ENUMERATOR UNIT
    value=$(grep -oE "\<$3 = [0-9 *]+" "$2" | sed 's/.*= //')
    # shellcheck disable=SC2004 # the text of an expression, not a name
    value=$(($value))
    case $4 in
    MiB) value="$((value / 1024 / 1024)) MiB" ;;
    bytes) value="$value bytes" ;;
    *) value=$(echo "$value" | sed ':again; s/\([0-9]\)\([0-9]\{3\}\)\(,\|$\)/\1,\2\3/; t again') ;;
    esac
    grep -qxF ".It $1 Ta $value" "$scratch/dt.5" || echo "$1: $value" >>"$scratch/missing"
}
limit 'a source or a file that is read' compiler/base/source.h SOURCE_BYTES_MAX MiB
limit 'nested brackets, blocks, types' compiler/syntax/ast.h SYNTAX_DEPTH_MAX ''
limit 'operators that build on each other' compiler/syntax/ast.h SYNTAX_EXPR_HEIGHT_MAX ''
limit 'nested evaluations' compiler/semantics/evaluator.h EVALUATION_DEPTH_MAX ''
limit 'values of one build' compiler/semantics/evaluator.h EVALUATION_BYTES_MAX MiB
limit 'steps of evaluation' compiler/semantics/evaluator.h EVALUATION_STEPS_MAX ''
limit 'a string' compiler/semantics/evaluator.h STRING_BYTES_MAX MiB
limit 'items of a list' compiler/semantics/evaluator.h LIST_ITEMS_MAX ''
limit 'blocks of one build' compiler/semantics/evaluator.h BLOCKS_MAX ''
limit 'repetitions of one build' compiler/semantics/evaluator.h REPETITIONS_MAX ''
limit 'the name of a block' compiler/semantics/evaluator.h NAME_BYTES_MAX bytes
limit 'files of one build' compiler/semantics/evaluator.h FILES_MAX ''
limit 'nested lists and maps of a params file' compiler/base/yaml_read.h YAML_DEPTH_MAX ''
limit 'values of a params file' compiler/base/yaml_read.h YAML_NODES_MAX ''
limit 'texts of params files that are parsed' compiler/semantics/evaluator.h PARAM_TEXTS_MAX ''
limit 'bytes of all files that are written' emitters/emitter.h OUTPUT_TOTAL_BYTES_MAX MiB
limit 'instance types of all schema files' schema/instances.h ADDED_INSTANCES_MAX ''
missing 'dt(5) has the limits as they are'

# ---- dtc-collective(1) -----------------------------------------------------------------------------------------------

plain man/dtc-collective.1 >"$scratch/collective"

for option in $(grep -oE '"--[-a-z]+"' stdlib/node/collective/job.c stdlib/node/collective/parse.c | sed 's/.*"-\(.*\)"/\1/' | sort -u); do
    # One item may hold several: `.It Fl -rank Ar r , Fl -n Ar n`.
    grep -q -- "^\.It Fl .*$option\>\|^\.Fl $option\>" "$scratch/collective" || echo "-$option" >>"$scratch/missing"
done
missing 'dtc-collective(1) has each option'

for phase in $(grep -oE '\[PHASE_[A-Z]*\] = "[a-z]*"' stdlib/node/collective/job.c | sed 's/.*"\(.*\)"/\1/'); do
    grep -q "^\.It Cm $phase$" "$scratch/collective" || echo "$phase" >>"$scratch/missing"
done
missing 'dtc-collective(1) has each phase'

plain man/dtc-node.7 >"$scratch/node"
# A status of the preflight alone says so in the contract.
while read -r status scope; do
    page=collective
    [ "$scope" != preflight: ] || page=node
    sed -n '/^\.Sh EXIT STATUS/,/^\.El/p' "$scratch/$page" | grep -q "^\.It $status$" || echo "$page: $status" >>"$scratch/missing"
done <<EOF
$(sed -n 's/^ *NODE_EXIT_[A-Z]* = \([0-9]*\), *\/* *\([a-z]*:\{0,1\}\).*/\1 \2/p' stdlib/node/contract.h)
EOF
missing 'the pages have each exit status'

# ---- dtc-node(7) -----------------------------------------------------------------------------------------------------

# The rows of the contract as the C compiler sees them, NAME|TEXT a line; and the page with each text on one line.
tr '\n' ' ' <"$scratch/node" >"$scratch/node.line"
cat >"$scratch/rows.c" <<'EOF'
#include "stdlib/node/contract.h"
#define NODE_KEY(ID, name, form, repeat, unit, class, text) @name|class|text@ @ID=name@
#define NODE_CHECK(ID, id, want, class, text) @id|class|text@
NODE_KEYS(NODE_KEY) NODE_CHECKS(NODE_CHECK)
EOF
cc -E -P -I. "$scratch/rows.c" | tr '@' '\n' |
    sed -n 's/^ *"\([^"]*\)" *| *\([A-Z]*\) *| *"\([^"]*\)" *$/\1|\2|\3/p' >"$scratch/rows"
sed -n '/^Each check has one of two classes/,/^\.Sh/p' "$scratch/node" | tr ' ' '\n' >"$scratch/hardware"
[ -s "$scratch/rows" ] || echo 'no row was found in the contract' >>"$scratch/missing"
while IFS='|' read -r name class text; do
    named=IMAGE
    ! grep -qxF -- "$name" "$scratch/hardware" || named=HARDWARE
    [ "$class" != FIXED ] || class=HARDWARE
    [ "$class" = FACT ] || [ "$class" = $named ] || echo "$name is of the class $class" >>"$scratch/missing"
    grep -q "^\.It Li $name\( \|$\)" "$scratch/node" || echo "$name" >>"$scratch/missing"
    grep -qF -- "$text" "$scratch/node.line" || echo "$name: $text" >>"$scratch/missing"
done <"$scratch/rows"
missing 'dtc-node(7) has each key and check, and its class'

# A key that dtc writes is one that it names.
cc -E -P -I. "$scratch/rows.c" | tr '@' '\n' | sed -n 's/^ *\([A-Z0-9_]*\) *= *"\([^"]*\)" *$/\1 \2/p' >"$scratch/keys"
[ -s "$scratch/keys" ] || echo 'no key was found in the contract' >>"$scratch/missing"
while read -r id name; do
    by_hand=no
    ! awk -v name="$name" '$1 == ".It" { is_it = $3 == name } is_it && /^By hand\.$/ { found = 1 } END { exit !found }' \
        "$scratch/node" || by_hand=yes
    written=yes
    grep -q "\<KEY_$id\>" compiler/plan/model/node_record.c || written=no
    [ $written != $by_hand ] || echo "$name: dtc writes it: $written; dtc-node(7) says by hand: $by_hand" >>"$scratch/missing"
done <"$scratch/keys"
missing 'dtc-node(7) says which keys dtc does not write'

for option in $(grep -o 'word_is(arguments\[0\], "--[a-z]*"' stdlib/node/core/main.c | sed 's/.*"-\(.*\)"/\1/'); do
    grep -q -- "^\.It Fl $option\>" "$scratch/node" || echo "-$option" >>"$scratch/missing"
done
missing 'dtc-node(7) has each option'

# ---- explain ---------------------------------------------------------------------------------------------------------

# Each topic of standard input, one a line.
explained() { # WHAT
    while IFS= read -r topic; do
        "$dtc" explain "$topic" >"$scratch/page" 2>&1 && [ -s "$scratch/page" ] || echo "$topic" >>"$scratch/missing"
    done
    missing "dtc explain knows each $1"
}

explained code <<EOF
$(sed -n 's/^DIAG("\(DT[0-9]*\)".*/\1/p' compiler/base/diag/codes.def)
EOF
explained function <<EOF
$(sed -n 's/^BUILTIN(\([a-z]*\),.*/\1/p' compiler/semantics/builtins.def)
EOF
explained 'pattern type' <<EOF
$(sed -n 's/^\([a-z0-9_]*\):$/\1/p' schema/types.yaml)
EOF
explained 'number of the schema' <<EOF
$(sed -n 's/^\([a-z0-9_]*\):$/\1/p' schema/constants.yaml)
EOF
explained 'variable of jobs' <<EOF
$(sed -n -e 's/^VARIABLE(\([A-Z0-9_]*\),.*/\1/p' -e 's/^GIVEN(\([A-Z0-9_]*\),.*/\1/p' schema/variables.def)
EOF
explained 'literal of the outputs' <<EOF
$(sed -n 's/^WHY([A-Z_]*, "\([a-z_.]*\)",.*/\1/p' emitters/doc/constants.def)
EOF
for kind in schema/kinds/*.yaml; do
    kind=$(basename "$kind" .yaml)
    attributes_of "$kind" >"$scratch/attributes"
    "$dtc" explain "$kind" >"$scratch/kind" || echo "$kind" >>"$scratch/missing"
    while IFS= read -r attribute; do
        grep -q "^  $attribute : " "$scratch/kind" || echo "$kind has no $attribute" >>"$scratch/missing"
        "$dtc" explain "$kind.$attribute" >/dev/null 2>&1 || echo "$kind.$attribute" >>"$scratch/missing"
    done <"$scratch/attributes"
done
missing 'dtc explain knows each kind and attribute'

# ---- installation ----------------------------------------------------------------------------------------------------

if [ "$dtc" = build/dtc ]; then
    # Whatever has become of the tree: others run this program now.
    if MAKEFLAGS='' make -s -o build/generated/dtc_build.h install DESTDIR="$scratch/root" PREFIX=/usr PROGRAM=dtc-aws >"$scratch/install" 2>&1 &&
        "$scratch/root/usr/bin/dtc-aws" version >/dev/null && [ -e "$scratch/root/usr/share/man/man1/dtc-aws.1" ] &&
        [ -e "$scratch/root/usr/share/man/man5/dt.5" ] && [ -e "$scratch/root/usr/share/man/man1/dtc-collective.1" ] &&
        [ -e "$scratch/root/usr/share/man/man7/dtc-node.7" ] &&
        "$scratch/root/usr/bin/dtc-collective" parse fixtures/node/collective/nccl-unfloored.txt >>"$scratch/install"; then
        pass "make install PROGRAM=dtc-aws"
    else
        cat "$scratch/install"
        fail "make install PROGRAM=dtc-aws"
    fi
fi

finish
