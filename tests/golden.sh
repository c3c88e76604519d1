#!/bin/bash
# Compares what dtc writes and prints with fixtures/, byte for byte: golden.sh DTC [TEXT]. With TEXT, only fixtures
# with that text in their names. UPDATE=1 rewrites what is expected. The script finds fixtures by their names, and each
# is one test.
#
#   valid/CASE/main.dt, reference/NAME/infra.dt    built with `run` (further arguments, one line), params.json,
#                                                  params.yaml and facts.json, where they are there: expected/ is the
#                                                  whole output directory, `stdout` and `stderr` what was printed
#                                                  (absent: nothing on standard error). Built three times, from
#                                                  elsewhere and under other locales: same bytes.
#   start/NAME                                     the same for what `dtc init NAME` writes; params.json has the values that
#                                                  are to be filled in.
#   invalid/CODE-WHAT.dt                           checked from fixtures/invalid: .stderr beside it is what was printed
#                                                  and has the code in it. Each other code stands in a comment of the
#                                                  fixture: `# also: CODE …`. Built as well: no output may appear.
#   invalid/CODE-WHAT/run                          a script with $DTC, in a scratch copy of the folder: `stdout`,
#                                                  `stderr` and `status` are what came of it; the code occurs in one.
#   commands/WHAT/run                              the same for what has no code: bad usage, explain, instances, …
#
# Builds carry the stand-ins of fixtures/core/ in place of the programs by which nodes check themselves: what is expected
# then changes only where something else does. tests/core.sh holds the real ones.
#
# PART=2/4 runs the second quarter of them. Every code of codes.def has a fixture here.
#
# SANITIZED=1 is for a sanitized dtc, whose every start takes 25 ms: builds and checks share one (tests/support/serve.sh).
# Each fixture runs then as well, and its output is compared. Left out is what runs the same code again and proves something of the bytes alone, as it does for the plain
# dtc: other folders and locales, and that nothing is written after an error.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
update=${UPDATE:-}
only=${2:-}
part=${PART:-1/1}
sanitized=${SANITIZED:-}
locales='C.UTF-8 tr_TR.UTF-8'
[ -z "$sanitized" ] || locales=

# Codes that no fixture can show, and what shows them instead.
exempt='
DT0909 JSON is read from no file of an author yet: tests/unit/test_json.c
DT1898 dtc has to crash: tests/crash.sh
'

# Messages that name no way out, and why.
without_help='
DT0234 the message is the author'"'"'s own
'

scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
# For scripts, which say `$DTC build`.
cat >"$scratch/dtc" <<END
#!/bin/sh
case " \$* " in *" --core "*) exec "$dtc" "\$@" ;; esac
case \$1 in
build | check) command=\$1; shift; exec "$dtc" "\$command" --core "$root/fixtures/core" "\$@" ;;
esac
exec "$dtc" "\$@"
END
chmod +x "$scratch/dtc"
export LC_ALL=C NO_COLOR=1 DTC="$scratch/dtc"
serve_begin "$dtc" "$scratch" "$sanitized"

# There are a thousand fixtures, and any process takes as long as dtc. So the functions below start few: bash itself reads
# what was printed, and diff shows only what cmp has found.

# The stand-ins of the core stand in the build that a screen says to type next.
without_core() { # FILE
    local lines
    mapfile -t lines <"$1"
    case ${lines[*]} in *' --core '*) sed -i "s| --core $root/fixtures/core||" "$1" ;; esac
}

# Compares a file that was printed with what is expected (absent: empty). In update mode, makes them equal.
same_text() { # EXPECTED ACTUAL
    if [ -n "$update" ]; then
        if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
    elif [ -e "$1" ]; then
        cmp -s "$1" "$2" || diff -u "$1" "$2" >>"$scratch/difference"
    elif [ -s "$2" ]; then
        diff -u /dev/null "$2" >>"$scratch/difference"
    fi
}

# Builds in the working folder, as scripts do.
build() { # ARGUMENT…
    case " $* " in
    *' --core '*) ;;
    *) set -- --core "$root/fixtures/core" "$@" ;;
    esac
    serve "$scratch/stdout" "$scratch/stderr" build "$@"
}

valid() { # FOLDER MAIN
    local name=${1#fixtures/} folder=$root/$1 main=$2 arguments='' params='' status other locale elsewhere
    : >"$scratch/difference"
    [ ! -e "$folder/run" ] || arguments=$(cat "$folder/run")
    [ ! -e "$folder/params.json" ] || params='--params params.json'
    [ ! -e "$folder/params.yaml" ] || params="$params --params params.yaml"
    [ ! -e "$folder/facts.json" ] || params="$params --facts facts.json"

    rm -rf "$scratch/work"
    mkdir -p "$scratch/work"
    cp -R "$folder/." "$scratch/work/"
    rm -rf "$scratch/work/expected" "$scratch/work/out"
    case $1 in fixtures/start/*)
        (cd "$scratch/work" && "$DTC" init "${1##*/}") >/dev/null 2>"$scratch/stderr" || {
            fail "$name" 'dtc init does not write it' "$scratch/stderr"
            return
        }
        ;;
    esac
    # `out`, not an absolute path: what is printed names it.
    cd "$scratch/work" || exit 3
    # shellcheck disable=SC2086
    build "$main" $arguments $params
    status=$?
    cd "$root" || exit 3
    without_core "$scratch/stdout"
    if [ "$status" != 0 ]; then
        fail "$name" "ended with status $status" "$scratch/stderr"
        return
    fi
    if [ -n "$update" ]; then
        rm -rf "$folder/expected"
        cp -R "$scratch/work/out" "$folder/expected"
    fi
    diff -ru "$folder/expected" "$scratch/work/out" >>"$scratch/difference" 2>&1
    same_text "$folder/stdout" "$scratch/stdout"
    same_text "$folder/stderr" "$scratch/stderr"
    if [ -s "$scratch/difference" ]; then
        fail "$name" "the output is another one than expected" "$scratch/difference"
        return
    fi

    elsewhere=${params//params./../work/params.}
    elsewhere=${elsewhere//facts.json/../work/facts.json}
    # Same bytes from another directory, under another locale, and over the files of the first build.
    for locale in $locales; do
        other=$scratch/other-$locale
        rm -rf "$other"
        mkdir -p "$other"
        # shellcheck disable=SC2086
        (cd "$other" && LC_ALL=$locale "$DTC" build "../work/$main" ${arguments//--schema /--schema ../work/} \
            $elsewhere \
            -o written >/dev/null 2>"$scratch/stderr") || {
            fail "$name" "did not build from another directory" "$scratch/stderr"
            return
        }
        # A source map names files as seen from the working directory, and plan.json has the map's sum.
        case $arguments in
        *--source-map*) set -- -x '*.map.json' -x plan.json ;;
        *) set -- ;;
        esac
        diff -ru "$@" "$scratch/work/out" "$other/written" >"$scratch/difference" 2>&1 || {
            fail "$name" "another directory or locale gives another output" "$scratch/difference"
            return
        }
    done
    cd "$scratch/work" || exit 3
    # shellcheck disable=SC2086
    build "$main" $arguments $params
    cd "$root" || exit 3
    if grep -q '^wrote ' "$scratch/stdout"; then
        fail "$name" "a second build writes other bytes" "$scratch/stdout"
        return
    fi
    pass "$name"
}

# One mistake has one message. A fixture that shows further codes names them, so that none comes in unseen.
says_others() { # FILE CODES
    local line code also=' '
    while IFS= read -r line; do
        case $line in '# also: '*) also="$also${line#\# also: } " ;; esac
    done <"$1"
    for code in $2; do
        case $also in *" $code "*) ;; *) return 1 ;; esac
    done
    for code in $also; do
        case $2 in *" $code "*) ;; *) return 1 ;; esac
    done
}

invalid_file() { # FILE
    local name=${1#fixtures/} base=${1##*/} code status line lines has_code='' others=' ' expected=0
    code=${base%%-*}
    : >"$scratch/difference"
    cd fixtures/invalid || exit 3
    serve "$scratch/stdout" "$scratch/stderr" check --core "$root/fixtures/core" "$base"
    status=$?
    cd "$root" || exit 3
    same_text "${1%.dt}.stderr" "$scratch/stderr"
    mapfile -t lines <"$scratch/stderr"
    for line in "${lines[@]}"; do
        case $line in error*) expected=1 ;; esac
        case $line in
        *"[$code]"*) has_code=yes ;;
        'error['* | 'warning['* | 'note['*) line=${line#*[} && others="$others${line%%]*} " ;;
        esac
    done
    if [ -s "$scratch/difference" ]; then
        fail "$name" "the messages are others than expected" "$scratch/difference"
    elif [ -z "$has_code" ]; then
        fail "$name" "$code does not occur" "$scratch/stderr"
    elif ! says_others "$1" "$others"; then
        fail "$name" "further codes are${others}and a line '# also: …' has to say so" "$scratch/stderr"
    elif [ -s "$scratch/stdout" ]; then
        fail "$name" "something is on standard output" "$scratch/stdout"
    elif [ "$status" != "$expected" ]; then
        fail "$name" "ended with status $status" "$scratch/stderr"
    elif [ "$status" = 1 ] && [ -z "$sanitized" ] && ! writes_nothing "$base"; then
        fail "$name" "wrote something in spite of an error"
    else
        pass "$name"
    fi
}

# Builds what is wrong over a folder where one file lies, and looks whether it lies there alone, as it was.
writes_nothing() { # FILE
    local folder=$scratch/untouched found text=''
    if [ ! -d "$folder" ]; then
        mkdir "$folder"
        echo before >"$folder/plan.json"
    fi
    cd fixtures/invalid || exit 3
    "$dtc" build --core "$root/fixtures/core" "$1" -o "$folder" >/dev/null 2>&1
    cd "$root" || exit 3
    shopt -s dotglob
    found=("$folder"/*)
    shopt -u dotglob
    if [ "${found[*]}" = "$folder/plan.json" ]; then
        mapfile -t text <"$folder/plan.json"
    fi
    [ "${text[*]}" = before ] || {
        rm -rf "$folder"
        return 1
    }
}

invalid_folder() { # FOLDER
    local name=${1#fixtures/} code=${1##*/}
    code=${code%%-*}
    : >"$scratch/difference"
    rm -rf "$scratch/work"
    cp -R "$1" "$scratch/work"
    (cd "$scratch/work" && rm -f stdout stderr status && exec sh ./run >"$scratch/stdout" 2>"$scratch/stderr")
    echo $? >"$scratch/status"
    without_core "$scratch/stdout"
    same_text "$1/stdout" "$scratch/stdout"
    same_text "$1/stderr" "$scratch/stderr"
    same_text "$1/status" "$scratch/status"
    if [ -s "$scratch/difference" ]; then
        fail "$name" "something else came of it than expected" "$scratch/difference"
    elif [ "${code#DT}" != "$code" ] && ! grep -q "$code" "$scratch/stdout" "$scratch/stderr"; then
        fail "$name" "$code does not occur"
    else
        pass "$name"
    fi
}

# Fixtures are dealt out to the parts in turn.
count=0
is_of_part() {
    count=$((count + 1))
    [ $((count % ${part#*/})) = $((${part%/*} - 1)) ]
}

for folder in fixtures/valid/*"$only"*/ fixtures/reference/*"$only"*/; do
    [ -d "$folder" ] && is_of_part || continue
    folder=${folder%/}
    if [ -e "$folder/main.dt" ]; then
        valid "$folder" main.dt
    elif [ -e "$folder/infra.dt" ]; then
        valid "$folder" infra.dt
    else
        fail "$folder" "has neither main.dt nor infra.dt"
    fi
done
for folder in stdlib/start/*"$only"*/; do
    [ -d "$folder" ] && is_of_part || continue
    folder=${folder%/}
    [ -z "$update" ] || mkdir -p "fixtures/start/${folder##*/}"
    valid "fixtures/start/${folder##*/}" infra.dt
done
for file in fixtures/invalid/*"$only"*.dt; do # "DT0301" chooses as well as "unknown-type"
    case $file in fixtures/invalid/DT*) [ ! -e "$file" ] || ! is_of_part || invalid_file "$file" ;; esac
done
for folder in fixtures/invalid/*"$only"*/ fixtures/commands/*"$only"*/; do
    [ -d "$folder" ] && is_of_part || continue
    folder=${folder%/}
    if [ -e "$folder/run" ]; then
        invalid_folder "$folder"
    else
        fail "$folder" "has no run"
    fi
done

# A message without a fixture does not exist.
if [ "${part%/*}" = 1 ] && [ -z "$sanitized" ]; then
    for code in $(sed -n 's/^DIAG("\(DT[0-9]*\)".*/\1/p' compiler/base/diag/codes.def); do
        case $exempt in *"$code"*) continue ;; esac
        set -- fixtures/invalid/"$code"-*
        [ -e "$1" ] || set -- fixtures/foreign/"$code"-*
        [ -e "$1" ] || fail "$code" "no fixture shows it"
    done
fi
# Nor does a message without a way out: `help:` stands below each that a fixture shows.
if [ "${part%/*}" = 1 ] && [ -z "$sanitized" ]; then
    find fixtures -name '*.stderr' -o -name stderr | sort | xargs awk -v exempt="$without_help" '
        function judge() { if (code != "" && !has_help && !index(exempt, code)) print code " in " file; code = "" }
        FNR == 1 { judge(); file = FILENAME }
        /^(error|warning)\[DT[0-9]*\]/ { judge(); code = substr($1, index($1, "[") + 1, 6); has_help = 0 }
        /^ *= help: / { has_help = 1 }
        END { judge() }' >"$scratch/helpless"
    while read -r line; do fail "help" "none for $line"; done <"$scratch/helpless"
fi
# What git does not carry would be missing elsewhere.
if git rev-parse --git-dir >/dev/null 2>&1; then
    ignored=$(git ls-files --others --ignored --exclude-standard -- fixtures)
    [ -z "$ignored" ] || fail fixtures "git ignores: $ignored"
fi

finish
