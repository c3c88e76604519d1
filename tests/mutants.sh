#!/bin/bash
# Breaks emitters and rules in small ways, one at a time, and looks whether a test notices: mutants.sh BUILD N SEED
# FILE…, as `make mutants` calls it. BUILD is the variant MUTANTS of the Makefile, COMPILE in the environment is how it
# compiles.
#
# tests/mutants/mutants.awk makes the mutants: a condition the other way round, another name, index or letter, a
# statement less. A mutant is one source, compiled to a library that is loaded before libdtc.so and takes its functions'
# place. Of all mutants of the files N are tried, and with N=0 or N=all each one. The same SEED takes the same ones. N
# counts mutants that compile. What a mutant is named by, and so whether a seed takes it, is the text of its own line.
#
# The rule: a sample ends with no mutant that survived. `make mutants` alone is one such sample, always the same, and it
# is the one that has to be clean before a release. Whoever changes an emitter or a rule does the same with FILES set to
# what changed, and with another SEED now and then. A survivor is mended in the first of these ways that fits:
#
#   1. The code decides nothing: it goes.
#   2. What it decides is to be seen: a fixture, a case of fixtures/rules or a unit test shows it.
#   3. No output can show it: a row in tests/mutants/accepted.tsv says why.
#
# A test is a fixture, which golden.sh would run twice and this runs once. Or it is one of fixtures/rules, with its
# fault and with its clean twin. Or it is a unit or property test. Which tests run which line was written down by
# tests/mutants/reached.c: a mutant is held against those of its line, until one fails. What it prints:
#
#   survived  no test that runs the line fails
#   unreached no test runs the line
#   accepted  the mutant is in tests/mutants/accepted.tsv, with the reason why no test can or should notice it
#   the same  with -O2 the compiler makes the same program of the mutant as of the source: there is nothing to notice
#
# JOBS=1 tries one at a time; without it, as many as there are processors. OUTCOMES=FILE keeps how each ended, and
# AGAIN=FILE tries those again that survived according to such a file, in place of N. Fails where a mutant survived, or where
# accepted.tsv speaks of one that is no more.
set -u
cd "$(dirname "$0")/.." || exit 3
root=$PWD
build=$(realpath "$1") || exit 3
count=$2
seed=$3
shift 3
jobs=${JOBS:-$(nproc)}
cases=$build/cases
export LC_ALL=C NO_COLOR=1 CCACHE_DISABLE=1 LD_LIBRARY_PATH=$build DTC=$build/dtc.sh
compile="${COMPILE:?} -Werror=int-conversion -Werror=incompatible-pointer-types -O0 -g0 -shared -I."
as_text="$COMPILE -w -O2 -g0 -fno-sanitize-coverage=trace-pc -DNDEBUG -I. -S -o -"
memory=${TMPDIR:-/tmp}
[ ! -w /dev/shm ] || memory=/dev/shm
scratch=$(mktemp -d "$memory/dtc-mutants-XXXXXX") || exit 3
trap 'rm -rf "$scratch"' EXIT

# As fixtures call it. MUTANT is loaded into dtc alone, not into the shell that starts it.
cat >"$DTC" <<END
#!/bin/sh
core='--core $root/fixtures/core'
case " \$* " in *" --core "*) core= ;; esac
case \$1 in
build | check) command=\$1; shift; LD_PRELOAD=\${MUTANT:-} exec $build/dtc "\$command" \$core "\$@" ;;
esac
LD_PRELOAD=\${MUTANT:-} exec $build/dtc "\$@"
END
chmod +x "$DTC"

# ---- tests

header() { # FILE KEY
    sed -n "/^dt 1/q; s/^# $2: //p" "$1"
}

# A case is a folder of `cases` with these files:
#
#   name      of the fixture or program
#   kind      `check`, `build`, `script` or `program`
#   command   the arguments of dtc, the script, or the program
#   work/     where it runs
#   said      what it prints without a mutant, and how it ends
#   plan.json what it builds: the sums of all files stand there
#   ms        how long it takes
#   reached   the places in the library that it runs through
add_case() { # NAME KIND COMMAND [FOLDER]
    local case=$cases/$((++cases_count))
    mkdir -p "$case/work"
    [ -z "${4:-}" ] || cp -R "$4/." "$case/work"
    echo "$1" >"$case/name"
    echo "$2" >"$case/kind"
    echo "$3" >"$case/command"
}

add_built() { # FOLDER MAIN
    local arguments='' file
    [ ! -e "$1/run" ] || arguments=$(cat "$1/run")
    for file in "$1"/params.json "$1"/params.yaml; do
        [ ! -e "$file" ] || arguments="$arguments --params ${file##*/}"
    done
    [ ! -e "$1/facts.json" ] || arguments="$arguments --facts facts.json"
    add_case "$1" build "build $2 --core $root/fixtures/core $arguments" "$1"
    rm -rf "$cases/$cases_count/work/expected"
}

add_rule() { # SOURCE FIXTURE
    local forms=$scratch/forms twin
    rm -rf "$forms"
    mkdir -p "$forms/literal-fault" "$forms/literal-clean"
    awk -v forms=literal -v folder="$forms" -f tests/support/rules.awk "$1"
    for twin in fault clean; do
        add_case "$2, $twin" check "check main.dt --core $root/fixtures/core $(header "$1" run)"
        [ ! -d "$2" ] || cp -R "$2/." "$cases/$cases_count/work"
        if ! cp "$forms/literal-$twin/main.dt" "$cases/$cases_count/work"; then
            echo "$2 has no $twin" >&2
            exit 3
        fi
    done
}

add_cases() {
    local folder file program
    cases_count=0
    for folder in fixtures/valid/*/ fixtures/reference/*/; do
        if [ -e "$folder/main.dt" ]; then add_built "${folder%/}" main.dt; else add_built "${folder%/}" infra.dt; fi
    done
    for file in fixtures/invalid/DT*.dt; do
        add_case "$file" check "check ${file##*/} --core $root/fixtures/core"
        rmdir "$cases/$cases_count/work"
        ln -s "$root/fixtures/invalid" "$cases/$cases_count/work"
    done
    for folder in fixtures/invalid/*/ fixtures/commands/*/; do
        add_case "${folder%/}" script "rm -f stdout stderr status; . ./run" "$folder"
    done
    for file in fixtures/rules/DT*; do
        if [ -d "$file" ]; then add_rule "$file/main.dt" "$file"; else add_rule "$file" "$file"; fi
    done
    add_case fixtures/origins.tsv script "cd $root && bash tests/origins.sh \$DTC"
    for program in "$build"/tests/unit/test_* "$build"/tests/property/test_*; do
        [ ! -x "$program" ] || add_case "${program#"$build/"}" program "$program"
    done
}

# Runs a case, with MUTANT if that is set, and leaves in SCRATCH what it said and built. Starting programs is what takes
# the time here.
run_case() { # NUMBER SCRATCH SECONDS
    local case=$cases/$1 kind command work=$cases/$1/work status
    read -r kind <"$case/kind"
    read -r command <"$case/command"
    case $kind in
    build)
        work=$2/work.$1
        if [ -e "$work" ]; then rm -rf "$work/out"; else cp -R "$case/work" "$work"; fi
        ;;
    script)
        rm -rf "$2/work"
        cp -R "$case/work" "$2/work"
        work=$2/work
        ;;
    program) work=$root ;;
    esac
    (
        ulimit -v 4000000 -t "$3"
        cd "$work" || exit
        # shellcheck disable=SC2086 # arguments
        case $kind in
        build | check) LD_PRELOAD=${MUTANT:-} exec "$build/dtc" $command ;;
        script) exec timeout -k 1 $((2 * $3)) sh -c "$command" ;;
        program) LD_PRELOAD=${MUTANT:-} exec "$command" >/dev/null ;;
        esac
    ) >"$2/said" 2>&1 </dev/null
    status=$?
    [ "$kind" != program ] || : >"$2/said"
    echo "status $status" >>"$2/said"
}

# Whether two files are the same, without a program to compare them.
is_same() { # FILE FILE
    local one='' two=''
    IFS= read -r -d '' one <"$1"
    IFS= read -r -d '' two <"$2"
    [ "$one" = "$two" ]
}

# Whether all is as it was without a mutant.
is_as_before() { # NUMBER SCRATCH
    is_same "$cases/$1/said" "$2/said" || return 1
    [ ! -e "$cases/$1/plan.json" ] || is_same "$cases/$1/plan.json" "$2/work.$1/out/plan.json"
}

# What comes of each case without a mutant, which is to come of it each time; and which lines it runs.
learn_case() { # NUMBER SCRATCH
    local began
    began=$(date +%s%N)
    REACHED=$cases/$1/reached run_case "$1" "$2" 600
    echo $((($(date +%s%N) - began) / 1000000)) >"$cases/$1/ms"
    mv "$2/said" "$cases/$1/said"
    [ ! -e "$2/work.$1/out/plan.json" ] || cp "$2/work.$1/out/plan.json" "$cases/$1"
    [ ! -e "$cases/$1/reached" ] || sort -u -o "$cases/$1/reached" "$cases/$1/reached"
    if [ "$(cat "$cases/$1/kind")" = program ] && [ "$(cat "$cases/$1/said")" != 'status 0' ]; then
        echo "$(cat "$cases/$1/name") fails without a mutant, and is left out" >&2
        rm "$cases/$1/reached"
    fi
}

# cases/lines/FILE: a line of the source, a blank, the number of a case that runs it.
learn() {
    local lane number
    rm -rf "$cases"
    add_cases
    echo "$cases_count tests: which lines does each run?"
    for ((lane = 1; lane <= jobs; lane++)); do
        mkdir -p "$scratch/learn.$lane"
        for ((number = lane; number <= cases_count; number += jobs)); do
            learn_case "$number" "$scratch/learn.$lane"
        done &
    done
    wait
    sort -u -m "$cases"/*/reached >"$cases/addresses"
    addr2line -e "$build/libdtc.so" <"$cases/addresses" | sed 's/ (discriminator.*//; s|^\./||; s|^'"$root"'/||' \
        >"$cases/places"
    paste -d ' ' "$cases/addresses" "$cases/places" >"$cases/place_of"
    mkdir -p "$cases/lines"
    (cd "$cases" && awk '
        FILENAME == "place_of" { place[$1] = $2; next }
        FNR == 1 { number = FILENAME; split(number, parts, "/"); number = parts[2] }
        $1 in place {
            split(place[$1], parts, ":")
            if (!((place[$1], number) in seen)) {
                seen[place[$1], number] = 1
                gsub("/", "_", parts[1])
                print parts[1], parts[2], number
            }
        }' place_of ./*/reached) |
        sort -k 1,1 -k 2,2n -k 3,3n | awk -v folder="$cases/lines" '
            $1 != file { close(folder "/" file); file = $1 }
            { print $2, $3 >(folder "/" file) }'
    for ((number = 1; number <= cases_count; number++)); do
        echo "$number $(cat "$cases/$number/ms")"
    done >"$cases/milliseconds"
    touch "$cases/stamp"
}

# ---- mutants

# The tests that run the last block that begins on the line or above it, in its function, or else its first block. Of a
# table outside functions, the tests of the file.
cases_of() { # FILE LINE START
    local lines=$cases/lines/${1//\//_}
    [ -e "$lines" ] || return 0
    awk -v line="$2" -v start="$3" '
        start == 0 { found[$2] = 1; next }
        $1 < start { next }
        $1 > line && last > 0 && $1 != last { exit }
        $1 != last { split("", found); last = $1 }
        { found[$2] = 1 }
        END { for (number in found) { print number } }' "$lines" | sort -n
}

# The mutants of all files that are tried, in the order of the files.
choose() { # FILE…
    local file
    for file; do
        awk -v name="$file" -f tests/mutants/mutants.awk "$file"
    done >"$scratch/all"
    if [ -n "${AGAIN:-}" ]; then
        awk -F '\t' '
            FILENAME == ARGV[1] { if ($1 == "survived" || $1 == "unreached") survived[$2, $3, $4, $5] = 1; next }
            ($1, $7, $8, $9) in survived' "$AGAIN" "$scratch/all"
        return
    fi
    awk -F '\t' -v seed="$seed" '
        BEGIN { for (i = 1; i < 256; i++) { code[sprintf("%c", i)] = i } }
        {
            text = seed " " $1 " " $7 " " $8 " " $9
            key = 7
            for (i = 1; i <= length(text); i++) {
                key = (key * 131 + code[substr(text, i, 1)]) % 1000000007
            }
            print (key * 48271) % 2147483647 "\t" NR
        }' "$scratch/all" | sort -n >"$scratch/order"
    if [ "$count" = all ] || [ "$count" = 0 ]; then
        cat "$scratch/all"
        return
    fi
    take
    awk -F '\t' 'FILENAME == ARGV[1] { is_chosen[$1] = 1; next } FNR in is_chosen' "$scratch/taken" "$scratch/all"
}

# Writes into `taken` where the first COUNT mutants of the order that compile stand among all, and into `broken` how many
# do not.
take() {
    local left=$count begin=1 number
    while [ "$left" -gt 0 ]; do
        sed -n "$begin,$((begin + left - 1))p" "$scratch/order" >"$scratch/batch"
        [ -s "$scratch/batch" ] || break
        begin=$((begin + left))
        for ((number = 1; number <= jobs; number++)); do
            compiling "$number" >"$scratch/compiling.$number" &
        done
        wait
        cat "$scratch"/compiling.* >>"$scratch/taken"
        left=$((count - $(wc -l <"$scratch/taken")))
    done
    echo $((begin - 1 - $(wc -l <"$scratch/taken"))) >"$scratch/broken"
}

# Of every JOBSth mutant of the batch, those that compile.
compiling() { # NUMBER
    local own=$scratch/compile.$1 at file offset length text
    mkdir -p "$own"
    while IFS=$'\001' read -r at file offset length text; do
        mutated "$file" "$offset" "$length" "$text" >"$own/mutant.c"
        if $compile -fsyntax-only "$own/mutant.c" >/dev/null 2>&1; then
            echo "$at"
        fi
    done < <(awk -F '\t' -v OFS='\001' -v jobs="$jobs" -v lane="$(($1 - 1))" '
        FILENAME == ARGV[1] { if (FNR % jobs == lane) is_mine[$2] = 1; next }
        FNR in is_mine { print FNR, $1, $4, $5, $6 }' "$scratch/batch" "$scratch/all")
}

mutated() { # FILE OFFSET LENGTH TEXT
    head -c "$2" "$1"
    printf '%s' "$4"
    tail -c "+$(($2 + $3 + 1))" "$1"
}

is_accepted() { # FILE FUNCTION CHANGE SOURCE
    awk -F '\t' -v key="$1	$2	${3//\\/\\\\}	${4//\\/\\\\}" '
        $1 "\t" $2 "\t" $3 "\t" $4 == key { found = 1 }
        END { exit !found }' tests/mutants/accepted.tsv
}

# Whether there is nothing to notice. A line that is gone does not count.
is_equivalent() { # SCRATCH FILE
    $as_text "$1/mutant.c" >"$1/mutant.s" 2>/dev/null
    cp "$2" "$1/mutant.c"
    $as_text "$1/mutant.c" >"$1/source.s" 2>/dev/null && cmp -s "$1/mutant.s" "$1/source.s"
}

# Prints how the mutant ended.
try() { # SCRATCH FILE LINE START OFFSET LENGTH TEXT
    local number numbers ms mutant=$1/mutant.so
    mutated "$2" "$5" "$6" "$7" >"$1/mutant.c"
    rm -f "$mutant"
    $compile -o "$mutant" "$1/mutant.c" >/dev/null 2>&1 || { echo invalid; return; }
    numbers=$(cases_of "$2" "$3" "$4")
    if [ -z "$numbers" ]; then
        if is_equivalent "$1" "$2"; then echo same; else echo unreached; fi
        return
    fi
    # What noticed the last mutants of the file goes first, then what is quick.
    touch "$1/killers"
    for number in $(printf '%s\n' "$numbers" | awk '
        FILENAME == ARGV[1] { rank[$1] = FNR; next }
        FILENAME == ARGV[2] { ms[$1] = $2; next }
        { print ($1 in rank ? -rank[$1] : ms[$1]), $1 }' "$1/killers" "$cases/milliseconds" - |
        sort -n -s -k 1,1 | cut -d ' ' -f 2); do
        read -r ms <"$cases/$number/ms"
        MUTANT=$mutant run_case "$number" "$1" $((5 + ms / 100))
        if ! is_as_before "$number" "$1"; then
            echo "$number" >>"$1/killers"
            echo "killed $(cat "$cases/$number/name")"
            return
        fi
    done
    if is_equivalent "$1" "$2"; then echo same; else echo survived; fi
}

# Tries every JOBSth mutant of the list.
lane() { # NUMBER
    local own=$scratch/lane.$1 i=0 last='' file line start offset length text function change source outcome
    mkdir -p "$own"
    # `read` would take two tabs for one.
    while IFS=$'\001' read -r file line start offset length text function change source; do
        i=$((i + 1))
        [ $((i % jobs)) = $(($1 - 1)) ] || continue
        [ "$file" = "$last" ] || : >"$own/killers"
        last=$file
        if is_accepted "$file" "$function" "$change" "$source"; then
            outcome=accepted
        else
            outcome=$(try "$own" "$file" "$line" "$start" "$offset" "$length" "$text" 2>/dev/null)
        fi
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$outcome" "$file" "$function" "$change" "$source" "$line" >>"$scratch/outcomes"
        case $outcome in
        survived | unreached) printf '%-9s %s:%s: %s: %s\n    %s\n' "$outcome" "$file" "$line" "$function" "$change" "$source" ;;
        *) [ -z "${VERBOSE:-}" ] || printf '%s %s:%s: %s\n' "$outcome" "$file" "$line" "$change" ;;
        esac
    done < <(tr '\t' '\001' <"$scratch/chosen")
}

if [ ! -e "$cases/stamp" ] || [ -n "$(find "$build/libdtc.so" "$build/tests" fixtures -newer "$cases/stamp" -print -quit)" ]; then
    learn
fi
: >"$scratch/taken"
echo 0 >"$scratch/broken"
choose "$@" >"$scratch/chosen"
for ((number = 1; number <= jobs; number++)); do
    lane "$number" &
done
wait
[ -z "${OUTCOMES:-}" ] || cp "$scratch/outcomes" "$OUTCOMES"

awk -F '\t' '
    FILENAME == ARGV[1] { exists[$1 "\t" $7 "\t" $8 "\t" $9] = is_read[$1] = 1; next }
    /^#/ || $1 == "" { next }
    $1 in is_read && !($1 "\t" $2 "\t" $3 "\t" $4 in exists) {
        print "accepted.tsv: no such mutant: " $1 ": " $2 ": " $3
        stale = 1
    }
    END { exit stale }' "$scratch/all" tests/mutants/accepted.tsv
stale=$?
sed 's/^\([a-z]*\).*/\1/' "$scratch/outcomes" | sort | uniq -c | awk -v of="$(wc -l <"$scratch/all")" \
    -v broken="$(cat "$scratch/broken")" '
    { n[$2] = $1 }
    END {
        printf "%d killed, %d survived, %d unreached, %d accepted, %d the same; of %d. Beside these %d did not compile\n",
            n["killed"], n["survived"], n["unreached"], n["accepted"], n["same"], of, n["invalid"] + broken
        exit n["survived"] + n["unreached"] > 0
    }' && [ "$stale" = 0 ]
