#!/bin/bash
# Compares the documentation with the compiler and the tree: docs.sh DTC.
#
#   README.md     Each ```dt block becomes a file in a folder of its own. The file is infra.dt, or has the name behind
#                 the `dt`. A ```console block below it is typed there. The block shows what `$ dtc …`, `$ cat …`,
#                 `$ head …`, `$ sed …` and `$ ls …` print. A line `…` stands for any lines, and `…` in a line for any
#                 text. Other commands are not run. A block that no console block builds has to be without error and
#                 warning by itself. A ```sh block is typed as it stands, beside stand-ins. make wants targets that
#                 there are, and apt-get and aws want arguments that they take. The blocks above have built the stack.
#   man/*         Each literal block has a mark in the line before it, a comment of one of these forms:
#                     dt                 a complete file, without error and warning
#                     dt fails           a complete file that has an error
#                     dt expr            lines that are true
#                     console COMMAND    what the command prints, in the folder of the file before it
#                     shell              commands behind `$ `, typed beside stand-ins in the folder of the file before
#                                        it; a block begins where the one before it has ended
#                     shell new          the same in a folder of its own
#                     project            a project file, without error
#                     shell elsewhere    commands that want a cluster; they are not run
#
# CONTRIBUTING quotes build() as it is. Codes, paths and make targets that README, CONTRIBUTING and the pages name are there.
# A ```sh block of CONTRIBUTING.md is typed as those of README are.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1
mkdir "$scratch/bin" "$scratch/blocks"
ln -s "$dtc" "$scratch/bin/dtc"
export PATH="$scratch/bin:$PATH"

evidence() {
    cat "$scratch/report"
}

# A block without the commands of other tools that are not installed; says so of each.
without_missing() { # BLOCK PLACE
    local tool
    for tool in jq cfn-lint; do
        if grep -q "^\\\$ $tool " "$1" && ! command -v "$tool" >/dev/null 2>&1; then
            skip "$2" "$tool is not installed"
            sed -i "/^\\\$ $tool /d" "$1"
        fi
    done
}

# ---- the blocks ------------------------------------------------------------------------------------------------------

# Writes each block to NUMBER.dt or NUMBER.console. The first line says where it comes from. Then come the name of the
# file (dt) and what is to be done with it.
extract_readme() { # PAGE NUMBER
    awk -v folder="$scratch/blocks" -v number="$2" '
    /^```/ && !inside {
        split(substr($0, 4), words, " ")
        inside = 1
        file = ""
        if (words[1] == "dt" || words[1] == "console" || words[1] == "sh") {
            file = sprintf("%s/0-%d-%04d.%s", folder, number, FNR, words[1])
            print FILENAME ":" FNR " " (words[2] == "" ? "infra.dt" : words[2]) " complete" >file
        }
        next
    }
    /^```/ { inside = 0; if (file != "") close(file); next }
    inside && file != "" { print >file }' "$1"
}

extract_page() { # PAGE
    awk -v folder="$scratch/blocks" '
    /^\.\\" grammar begins/ { mark = "shell elsewhere"; next }
    /^\.\\" / { mark = substr($0, 5); next }
    /^\.Bd -literal/ {
        inside = 1
        name = FILENAME
        gsub("/", "-", name)
        split(mark, words, " ")
        kind = words[1] ~ /^(dt|console|project)$/ ? words[1] : "none"
        if (words[1] == "shell")
            kind = words[2] == "" ? "shell" : words[2]
        file = sprintf("%s/1-%s-%04d.%s", folder, name, FNR, kind)
        if (kind == "dt")
            print FILENAME ":" FNR " infra.dt " (words[2] == "" ? "complete" : words[2]) >file
        else
            print FILENAME ":" FNR >file
        if (kind == "console")
            print "$ " substr(mark, 9) >file
        next
    }
    /^\.Ed/ { inside = 0; close(file); mark = ""; next }
    inside {
        gsub(/\\&/, "")
        gsub(/\\\(dq/, "\"")
        gsub(/\\\(aq/, "\047")
        gsub(/\\\(ga/, "`")
        gsub(/\\-/, "-")
        gsub(/\\e/, "\\")
        print >file
        next
    }
    { mark = "" }' "$1"
}

# What a block shows against what was printed; a line `…` matches any lines, a `…` in one any characters.
matches() { # EXPECTED ACTUAL
    awk '
    NR == FNR { expected[++count] = $0; next }
    { actual[++lines] = $0 }
    function like(shown, printed, parts, count, at, i) {
        count = split(shown, parts, "…")
        if (index(printed, parts[1]) != 1)
            return 0
        for (i = 2; i <= count; i++) {
            printed = substr(printed, length(parts[i - 1]) + 1)
            at = index(printed, parts[i])
            if (at == 0)
                return 0
            printed = substr(printed, at)
        }
        return parts[count] == "" || printed == parts[count]
    }
    function same(i, j, k) {
        for (; i <= count; i++) {
            if (expected[i] == "…" || expected[i] == "...") {
                if (i == count)
                    return 1
                for (k = j; k <= lines + 1; k++)
                    if (same(i + 1, k))
                        return 1
                return 0
            }
            if (j > lines || (expected[i] != actual[j] && !like(expected[i], actual[j])))
                return 0
            j++
        }
        return j == lines + 1
    }
    END { exit !same(1, 1) }' "$1" "$2"
}

# Runs one command of a console block; false where it prints something else than $scratch/shown.
check_command() { # COMMAND FOLDER
    case $1 in
    'dtc '* | 'cat '* | 'head '* | 'sed '* | 'ls '* | ls | 'diff '*) ;;
    *) return 0 ;;
    esac
    (cd "$2" && eval "$1") >"$scratch/actual" 2>&1 </dev/null
    matches "$scratch/shown" "$scratch/actual" && return 0
    {
        echo "$ $1"
        diff -u "$scratch/shown" "$scratch/actual"
    } >>"$scratch/report"
    return 1
}

type_console() { # BLOCK FOLDER
    local line command='' bad=0
    : >"$scratch/report"
    : >"$scratch/shown"
    while IFS= read -r line; do
        case $line in
        '$ '*)
            check_command "$command" "$2" || bad=1
            command=${line#'$ '}
            : >"$scratch/shown"
            ;;
        *) printf '%s\n' "$line" >>"$scratch/shown" ;;
        esac
    done <<<"$(tail -n +2 "$1")"
    check_command "$command" "$2" || bad=1
    return "$bad"
}

# The commands of README that are not dtc. One without a stand-in is not found, and fails.
mkdir "$scratch/stand-ins"
cat >"$scratch/stand-ins/make" <<END
#!/bin/sh
[ \$# -gt 0 ] || exit 0
for target; do grep -q "^\$target:" "$root/Makefile" || { echo "make: there is no \$target"; exit 2; }; done
END
cat >"$scratch/stand-ins/apt-get" <<'END'
#!/bin/sh
[ "$1 $2" = 'install -y' ] && [ $# -gt 2 ] || { echo "apt-get: $*"; exit 2; }
END
cat >"$scratch/stand-ins/aws" <<'END'
#!/bin/sh
[ "$1 $2 $3 $5 $7" = 'cloudformation describe-stacks --stack-name --region --query' ] && [ $# = 8 ] ||
    { echo "aws: $*"; exit 2; }
grep -qF -- "--stack-name $4 --region $6 " out/plan.json || { echo "aws: no stack of the build: $*"; exit 2; }
END
chmod +x "$scratch"/stand-ins/*
ln -s "$(command -v grep)" "$scratch/stand-ins/grep"

type_shell() { # BLOCK FOLDER
    tail -n +2 "$1" >"$scratch/typed"
    (cd "$2" && PATH=$scratch/stand-ins:$scratch/bin /bin/sh -eu "$scratch/typed") >"$scratch/report" 2>&1 </dev/null
}

# What the manual calls beside dtc: a deployment wants a template that is there, for a stack of the plan.
mkdir "$scratch/manual"
cat >"$scratch/manual/aws" <<END
#!/bin/sh
case "\$1 \$2" in
'ec2 describe-instance-types') cat "$root/fixtures/valid/schema-described/types.json" ;;
'cloudformation deploy')
    [ "\$3" = --template-file ] && [ -e "\$4" ] && [ "\$5" = --stack-name ] && grep -qF -- "--stack-name \$6 " plan.json ;;
*) false ;;
esac || { echo "aws: \$*"; exit 2; }
END
chmod +x "$scratch/manual/aws"

# The commands of a block of the manual, where the one before it has ended.
type_manual() { # BLOCK
    tail -n +2 "$1" | sed 's/^\$ //' >"$scratch/typed"
    echo "pwd >'$scratch/ended'" >>"$scratch/typed"
    (cd "$folder" && PATH=$scratch/manual:$PATH /bin/sh -eu "$scratch/typed") >"$scratch/report" 2>&1 </dev/null || return 1
    folder=$(cat "$scratch/ended")
}

# Writes a dt block into its folder as a file of its own.
write_source() { # BLOCK MODE FILE
    if [ "$2" = expr ]; then
        echo 'dt 1'
        tail -n +2 "$1" | awk 'NF { print "assert " $0 ", \"line " NR "\"" }'
    else
        # A reader pastes a block as it stands.
        tail -n +2 "$1"
    fi >"$3"
}

# A dt block that no console block has built.
settle() {
    [ -n "$pending" ] || return 0
    (cd "$folder" && dtc check --strict "$pending_file") >"$scratch/report" 2>&1
    status=$?
    case $pending_mode in
    fails) [ "$status" = 1 ] ;;
    *) [ "$status" = 0 ] ;;
    esac
    result $? "$pending"
    pending=''
}

extract_readme README.md 1
extract_readme CONTRIBUTING.md 2
for page in man/*.[15]; do
    extract_page "$page"
done
pending=''
folder=$scratch/start
mkdir "$folder"
for block in "$scratch"/blocks/*; do
    read -r place name mode <"$block"
    case $block in
    *.dt)
        settle
        folder=$scratch/${block##*/}.folder
        mkdir "$folder"
        ln -s "$root/fixtures" "$folder/fixtures"
        write_source "$block" "$mode" "$folder/$name"
        pending=$place
        pending_file=$name
        pending_mode=$mode
        ;;
    *.console)
        type_console "$block" "$folder"
        result $? "$place"
        grep -q '^\$ dtc \(build\|check\)' "$block" && pending=''
        ;;
    *.sh)
        settle
        type_shell "$block" "$folder"
        result $? "$place"
        ;;
    *.shell | *.new)
        settle
        case $block in *.new) folder=$scratch/${block##*/}.folder && mkdir "$folder" ;; esac
        without_missing "$block" "$place"
        type_manual "$block"
        result $? "$place"
        ;;
    *.project)
        settle
        mkdir "$scratch/${block##*/}.folder"
        tail -n +2 "$block" >"$scratch/${block##*/}.folder/.dtc.yaml"
        (cd "$scratch/${block##*/}.folder" && dtc lint .) >"$scratch/report" 2>&1
        result $? "$place"
        ;;
    *.elsewhere) ;;
    *)
        echo 'the line before this literal block has no mark that says how it is tested' >"$scratch/report"
        result 1 "$place"
        ;;
    esac
done
settle

# ---- what is named ---------------------------------------------------------------------------------------------------

awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' CONTRIBUTING.md >"$scratch/quoted"
sed -n '/^Build build(/,/^}/p' compiler/driver/chain.c >"$scratch/chain"
diff -u "$scratch/quoted" "$scratch/chain" >"$scratch/report" && [ -s "$scratch/chain" ]
result $? 'CONTRIBUTING quotes build()'

: >"$scratch/report"
for code in $(grep -ohE 'DT[0-9]{4}' README.md CONTRIBUTING.md man/*.[15] | sort -u); do
    dtc explain "$code" >/dev/null 2>&1 || echo "there is no $code" >>"$scratch/report"
done
[ ! -s "$scratch/report" ]
result $? 'codes that README, CONTRIBUTING and the pages name'

: >"$scratch/report"
# shellcheck disable=SC2016 # backquotes of Markdown
for path in $(grep -ohE '`(compiler|debian|emitters|schema|stdlib|tests|fixtures|man)/[A-Za-z0-9_./-]*`' README.md CONTRIBUTING.md | tr -d '`' |
    sort -u) LICENSE; do
    [ -e "$path" ] || echo "there is no $path" >>"$scratch/report"
done
for target in $(grep -ohE '(^|`)make [a-z_-]+' README.md CONTRIBUTING.md | sed 's/.*make //' | sort -u); do
    grep -q "^$target:" Makefile || echo "there is no target $target" >>"$scratch/report"
done
[ ! -s "$scratch/report" ]
result $? 'paths and targets that README and CONTRIBUTING name'

# What a tool leaves beside the sources is easily added with them.
git -c core.quotePath=off ls-files 2>/dev/null | sed 's|/.*||' | sort -u | grep -vxE '\.(ci|clang-format|editorconfig|gitignore|pre-commit-hooks\.yaml)|CONTRIBUTING\.md|LICENSE|Makefile|README\.md|compiler|debian|emitters|fixtures|man|schema|stdlib|tests' >"$scratch/report"
[ ! -s "$scratch/report" ]
result $? 'the top folder holds nothing else'

finish
