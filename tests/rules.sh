#!/bin/bash
# Tries every rule with each way in which a fault comes into a file: rules.sh DTC [FIXTURE…]. Fixtures are found, never
# listed: fixtures/rules/CODE-WHAT.dt, or a folder of that name with main.dt and other files. If some are named, only these
# are run. In each, the word FAULT stands at one place. Comments above `dt 1` say what is written there:
#
#   # fault: TEXT         the expression at fault
#   # clean: TEXT         its clean twin, with which dtc has nothing to say
#   # type: TYPE          the type of a param for the value; `word` if one of the two is a bare word: a bool chooses then
#   # at: TEXT            the finding stands on the line that holds TEXT (`block`: on the head of the block around
#                         FAULT); without it, at the value
#   # not: FORM, REASON   a form that the value cannot take. It is tried all the same, and must not work
#   # run: ARGUMENTS      of `dtc check`
#
# The forms: literal; let; param, given with -p; like, where the file is base.dt and another copies all of its blocks;
# for, where the value is what the loop runs over; copies, where the block with the fault is there twice. Each is one
# test: the fault is found once, at its place, nothing else is said, and nothing at all of the clean twin. rules.awk
# makes the forms. It needs the layout of the fixtures: blocks of the file at the margin, two blanks a level, and
# references to other blocks on lines of their own.
#
# SANITIZED=1 is for a sanitized dtc, which takes 25 ms for each start. Then the fault is tried as a literal and in one of
# the other forms, the next one for each fixture: what a form adds is read and evaluated in the same way whatever the rule.
# The clean twin is tried as a literal and in forms that cannot be. In other forms the twin is read and evaluated as the
# fault is, so that it runs no new code. Leaks are looked for in literals alone, since that takes a third of the time.
#
# A literal starts a plain dtc itself. All others share a start: see tests/support/serve.sh.
set -u
shopt -s extglob
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
. tests/support/serve.sh
root=$PWD
dtc=$(realpath "$1") || exit 3

# Codes without a case here, and why. The thing at fault is no value, so that it cannot come through a name.
# fixtures/invalid shows each.
without_a_case="
DT0338  what is too much is an \`allow\`
DT0339  two blocks have one name, each of its own kind
DT0343  a cluster has no block for nodes
DT0465  the resource stands in a file in use
DT1920  it is about a Dockerfile, of which infra.dt has the path
DT1921  it is about a Dockerfile, of which infra.dt has the path
DT1922  it is about a Dockerfile, of which infra.dt has the path
DT1923  it is about a Dockerfile, of which infra.dt has the path
DT1924  it is about a Dockerfile, of which infra.dt has the path
DT1925  it is about a Dockerfile, of which infra.dt has the path
DT1926  it is about a Dockerfile, of which infra.dt has the path
DT1927  it is about a Dockerfile, of which infra.dt has the path
DT1928  it is about a Dockerfile, of which infra.dt has the path
DT1929  it is about a Dockerfile, of which infra.dt has the path
DT1930  it is about a Dockerfile, of which infra.dt has the path
DT1931  it is about a Dockerfile, of which infra.dt has the path
DT1932  it is about a Dockerfile, of which infra.dt has the path
DT1933  it is about a Dockerfile, of which infra.dt has the path
DT1934  it is about a Dockerfile, of which infra.dt has the path
DT1935  it is about a Dockerfile, of which infra.dt has the path
DT1936  it is about a Dockerfile, of which infra.dt has the path
DT1937  it is about a Dockerfile, of which infra.dt has the path
DT1938  it is about a Dockerfile, of which infra.dt has the path
DT1939  it is about a Dockerfile, of which infra.dt has the path
DT1891  it is about a Dockerfile, of which infra.dt has the path
DT1892  it is about a Dockerfile, of which infra.dt has the path
DT1893  it is about a Dockerfile, of which infra.dt has the path
DT1894  it is about a Dockerfile, of which infra.dt has the path
DT1913  it is about a Dockerfile, of which infra.dt has the path
DT1914  it is about a Dockerfile, of which infra.dt has the path
DT1940  it is about a Dockerfile, of which infra.dt has the path
DT1320  what is at fault is a late param, which only the fault uses
DT1338  what is at fault is a param that may be null, whatever its value
DT1345  what is at fault is a name behind \`like\`
DT1375  what is at fault is the name of a block
DT1414  what is at fault is the path of a patch
DT1421  what is at fault is a resource, which no param holds
DT1875  what is at fault is a resource, which no param holds
DT1808  what is at fault is a key that is not there
DT1395  there are too many blocks
DT1399  what is at fault is a reference in a circle of them
DT1400  what is at fault is a reference to a block
DT1401  what is at fault is a reference to a block
DT1402  there are too many jobs, in a list that no param holds
DT1549  what is at fault is a reference to a block
DT1596  what is at fault is a reference to a block
DT1551  what is at fault is a reference to a block
DT1552  what is at fault is a list of blocks
DT1572  the image stands in a file in use
DT1583  what is at fault is a block inside of another
DT1584  there are too many blocks
DT0502  there are too many blocks, in a template that is too large for a case
DT0503  there are too many blocks, in a template that is too large for a case
DT0541  what is at fault is the name of a group
DT1651  a block with the name of another one is found before
DT1964  what is at fault stands in a request of the AWS CLI
DT1965  what is at fault stands in a request of the AWS CLI
DT1966  what is at fault stands in a request of the AWS CLI
DT1608  what is at fault stands in a template of CloudFormation
DT1896  what is at fault stands in a template of CloudFormation
DT1609  what is at fault stands in a template of CloudFormation
DT1610  what is at fault stands in a template of CloudFormation
DT1611  what is at fault stands in a template of CloudFormation
DT1612  what is at fault stands in a template of CloudFormation
DT1613  what is at fault stands in a template of CloudFormation
DT1614  what is at fault stands in a template of CloudFormation
DT1615  infra.dt may be an example
DT1616  what is at fault stands in a template of CloudFormation
DT1618  what is at fault stands in a template of CloudFormation
DT1619  what is at fault stands in a template of CloudFormation
DT1620  what is at fault stands in a template of CloudFormation
DT1621  what is at fault stands in a template of CloudFormation
DT1622  what is at fault stands in a template of CloudFormation
DT1623  what is at fault stands in a template of CloudFormation
DT1624  what is at fault stands in a template of CloudFormation
DT1731  there are too many entries, in a list that no param holds
DT1732  what is at fault stands in a template of CloudFormation
DT1733  what is at fault stands in a template of CloudFormation
DT1734  what is at fault stands in a template of CloudFormation
DT1786  what is at fault stands in a template of CloudFormation
DT1787  what is at fault stands in a template of CloudFormation
DT1788  what is at fault stands in two objects of one file
DT1735  what is at fault stands in a template of CloudFormation
DT1823  what is at fault stands in a template of CloudFormation
DT1826  what is at fault stands in a template of CloudFormation
DT1825  what is at fault stands in a template of CloudFormation
DT1839  what is at fault stands in a template of CloudFormation
DT1798  what is at fault stands in a template of CloudFormation
DT1799  what is at fault stands in a template of CloudFormation
DT1800  what is at fault stands in a template of CloudFormation
DT1801  what is at fault is the key of an entry, which no param holds
DT1803  what is at fault stands in a template of CloudFormation
DT1824  what is at fault stands in a template of CloudFormation
DT1736  what is at fault stands in a template of CloudFormation
DT1625  what is at fault stands in a template of CloudFormation
DT1627  what is at fault stands in a template of CloudFormation
DT1628  what is at fault stands in a template of CloudFormation
DT1630  what is at fault stands in a file of ParallelCluster
DT1631  what is at fault stands in a file of ParallelCluster
DT1632  what is at fault stands in a file of ParallelCluster
DT1633  what is at fault stands in a file of ParallelCluster
DT1634  what is at fault stands in a file of ParallelCluster
DT1635  what is at fault stands in a file of ParallelCluster
DT1636  what is at fault stands in a file of ParallelCluster
DT1637  what is at fault stands in a file of ParallelCluster
DT1638  what is at fault stands in a file of ParallelCluster
DT1654  what is at fault stands in two objects of one file
DT1656  what is at fault stands in two objects of one file
DT1659  what is at fault stands in two objects of one file
DT1660  what is at fault stands in two objects of one file
DT1664  what is at fault stands in two files
DT1666  what is at fault stands in two files
DT1695  what is at fault stands in a file of eksctl
DT1696  what is at fault is an image that is missing
DT1703  what is at fault stands in two objects of one file
DT1704  what is at fault is a word that is missing
DT1705  what is at fault stands in a template of CloudFormation
DT1706  what is at fault stands in a template of CloudFormation
DT1707  what is at fault stands in a template of CloudFormation
DT1715  what is at fault stands in a template of CloudFormation
DT1729  what is at fault stands in a template of CloudFormation
DT1740  what is at fault stands in a file of eksctl
DT1744  what is at fault stands in a file of ParallelCluster
DT1746  what is at fault stands in a file of ParallelCluster
DT1753  what is at fault stands in a template of CloudFormation
DT1757  what is at fault stands in a file of Kubernetes
DT1759  what is at fault stands in a file of Kubernetes
DT1763  what is at fault stands in a file of Kubernetes
DT1772  infra.dt has no identities of pods of eksctl's
DT1806  what is at fault stands in two objects of one file
DT1809  what is at fault stands in two objects of one file
DT1944  what is at fault is a key of a map
DT1956  what is at fault stands in two objects of one file
DT1942  what is at fault stands in user data, or in a file of eksctl
DT1975  what is at fault stands in two objects of one file
DT1976  what is at fault stands in two objects of one file
DT1977  what is at fault stands in two objects of one file
DT1979  what is at fault is a key of an item, and stands twice
DT1989  what is at fault stands in two objects of one file
DT1792  what is at fault stands in a file of eksctl
DT1830  what is at fault stands in a file of eksctl
DT1832  what is at fault stands in a file of eksctl
DT1773  each role of infra.dt may read the scripts of its nodes
DT1766  what is at fault stands in a template of CloudFormation
DT1769  what is at fault stands in a template of CloudFormation
DT1774  what is at fault stands in a template of CloudFormation
DT1776  what is at fault stands in a template of CloudFormation
DT1777  what is at fault stands in a template of CloudFormation
DT1778  what is at fault stands in a template of CloudFormation
DT1779  what is at fault stands in a template of CloudFormation
DT1780  what is at fault stands in a template of CloudFormation
DT1793  what is at fault stands in a template of CloudFormation
DT1819  what is at fault stands in a template of CloudFormation
DT1820  what is at fault stands in a template of CloudFormation
DT1842  dtc writes such a text in quotes
DT1845  what is at fault stands in a template of CloudFormation
DT1846  what is at fault stands in a template of CloudFormation
DT1851  what is at fault stands in user data, or in a file of eksctl
DT1852  what is at fault stands in user data
DT1847  what is at fault stands in a template of CloudFormation
DT1843  what is at fault stands in a file of ParallelCluster
DT1887  what is at fault stands in a file of Kubernetes
DT1844  what is at fault stands in a file of ParallelCluster
DT1990  what is at fault stands in a template of CloudFormation
DT1991  what is at fault is the key of an entry, which no param holds
DT1992  what is at fault is the key of an entry, which no param holds
DT1993  what is at fault is an entry that is missing
DT1994  what is at fault is a value of another type, which a param of its type does not hold
DT1996  what is at fault stands in a template of CloudFormation
DT1997  what is at fault stands in a template of CloudFormation
DT2024  what is at fault is an entry that is missing
DT2025  what is at fault is the key of an entry, which no param holds
DT2026  what is at fault is a type of resource
DT2027  what is at fault stands in a file of ParallelCluster
DT2000  what is at fault stands in a batch script
DT2001  what is at fault stands in a batch script
DT2005  what is at fault stands in a script
DT2002  what is at fault stands in a Dockerfile
DT2003  what is at fault stands in a Dockerfile
DT2004  what is at fault stands in a Dockerfile
DT1987  what is at fault is a bucket that no policy names
DT1988  it is about a file of HyperPod beside a request
DT1900  what is at fault stands in a batch script
DT1901  what is at fault stands in a batch script
DT1902  what is at fault stands in a batch script
DT1903  what is at fault stands in a batch script
DT1904  what is at fault stands in a batch script
DT1905  what is at fault stands in a batch script
DT1906  what is at fault stands in a batch script
DT1907  what is at fault stands in a batch script
DT1908  what is at fault stands in a batch script
DT1909  what is at fault stands in a batch script
DT1910  what is at fault stands in a batch script
DT1911  what is at fault stands in a batch script
DT1941  what is at fault stands in a batch script
DT1971  what is at fault stands in a batch script
DT1972  what is at fault stands in a script
DT1973  what is at fault stands in a script
DT1974  what is at fault stands in a script
DT2015  what is at fault stands in a script
DT2017  what is at fault stands in a batch script
DT2019  what is at fault stands in a batch script
DT2021  what is at fault stands in a batch script
DT2022  what is at fault stands in a batch script
DT2036  what is at fault stands in a Dockerfile
DT2037  what is at fault stands in a script
DT2038  what is at fault stands in a template of CloudFormation
DT2039  what is at fault stands in a template of CloudFormation
DT2040  what is at fault stands in a template of CloudFormation
DT2041  what is at fault stands in a template of CloudFormation
DT2042  what is at fault stands in a batch script
DT2043  what is at fault stands in a batch script
"

every_form='literal let param like for copies'
others=(let param like for copies)
declared=0
sampled=0
scratch=$(mktemp -d) || exit 3
trap 'serve_end; rm -rf "$scratch"' EXIT
work=$scratch/work
export LC_ALL=C NO_COLOR=1

# A process takes as long as dtc does, and there are two thousand checks. So what follows reads files with `mapfile` and
# `read`, starts dtc alone, and returns texts in `reply`.

# What the comments above `dt 1` say.
read_headers() { # FILE
    local line
    headers=() reasons=()
    while IFS= read -r line; do
        case $line in
        'dt 1'*) return ;;
        '# not: '*) line=${line#\# not: } && reasons[${line%%, *}]=${line#*, } ;;
        '# '[a-z]*': '*) line=${line#\# } && headers[${line%%: *}]=${line#*: } ;;
        esac
    done <"$1"
}

# The value as the command line takes it: texts without quotes, lists of them without brackets.
argument() { # TEXT
    reply=$1
    case $1 in
    \"*\" | \[*)
        reply=${reply#\[} reply=${reply%\]} reply=${reply//\"/} reply=${reply//, /,}
        ;;
    esac
}

# Checks the fixture in one form; leaves what dtc said in `stderr`, `has_stdout` and `status`.
check_form() { # FORM fault|clean
    local value=${headers[$2]} arguments=()
    if [ "$1" = param ]; then
        if [ "${headers[type]}" = word ]; then
            value=false
            [ "$2" = clean ] || value=true
        fi
        argument "$value"
        [ "$value" = null ] || arguments=(-p "fault=$reply")
    fi
    cd "$work/$1-$2" || exit 3
    # shellcheck disable=SC2206 # words
    arguments=(check main.dt --core "$root/fixtures/core" ${headers[run]:-} "${arguments[@]}")
    if [ "$1" = literal ] && [ -z "${SANITIZED:-}" ]; then
        "$dtc" "${arguments[@]}" >"$scratch/stdout" 2>"$scratch/stderr"
    else
        [ "$1" = literal ] || local serve_leaks=
        serve "$scratch/stdout" "$scratch/stderr" "${arguments[@]}"
    fi
    status=$?
    cd "$root" || exit 3
    mapfile -t stderr <"$scratch/stderr"
    has_stdout=
    [ ! -s "$scratch/stdout" ] || has_stdout=yes
}

# The column where the fault begins, and the first behind it, on the line that ends in `#here`.
columns() { # FORM SOURCE
    local line where=$1 length=${#headers[fault]}
    [ -z "${headers[at]:-}" ] || where=elsewhere
    [ "${headers[type]}" != word ] || where=${where/#@(let|param|for)/elsewhere}
    case $where in
    elsewhere) first=1 behind=9999 ;;
    let) first=13 behind=$((13 + length)) ;;
    param) first=7 behind=8 ;;
    for) first=15 behind=$((15 + length)) ;;
    *)
        while IFS= read -r line; do
            case $line in \#*) ;; *FAULT*) line=${line%%FAULT*} && break ;; esac
        done <"$2"
        first=$((${#line} + 1)) behind=$((${#line} + 1 + length))
        ;;
    esac
}

# Says in `reply` what is wrong with the outcome of a fault; nothing where all is well.
judge_fault() { # CODE FORM SOURCE
    local found=0 severity='' place='' file line column first behind text lines
    for text in "${stderr[@]}"; do
        case $text in
        'error['* | 'warning['* | 'note['*)
            found=$((found + 1))
            case $text in *"[$1]"*) severity=${severity:-${text%%\[*}} ;; esac
            ;;
        *' --> '*) place=${place:-${text#*--> }} ;;
        esac
    done
    reply=
    if [ -z "$severity" ]; then
        reply="$1 is not found"
    elif [ "$found" != 1 ]; then
        reply="$found findings for one fault"
    elif [ "$severity" = error ] && [ "$status" != 1 ] || [ "$severity" != error ] && [ "$status" != 0 ]; then
        reply="$severity, and ended with status $status"
    elif [ -n "$has_stdout" ]; then
        reply="something is on standard output"
    fi
    [ -z "$reply" ] || return
    file=${place%%:*}
    line=${place#*:}
    column=${line#*:}
    line=${line%%:*}
    columns "$2" "$3"
    lines=()
    [ ! -e "$work/$2-fault/$file" ] || mapfile -t -O 1 lines <"$work/$2-fault/$file"
    case ${lines[line]:-} in
    *'#here')
        if [ "$column" -lt "$first" ] || [ "$column" -ge "$behind" ]; then
            reply="found in column $column, and the value stands in $first to $((behind - 1))"
        fi
        ;;
    *)
        reply="found at ${place:-no place}, and expected on the line that ends in #here:
$(cd "$work/$2-fault" && grep -n -H '#here$' -- *.dt)"
        ;;
    esac
}

one_form() { # NAME FORM SOURCE
    local reason=${reasons[$2]:-} wrong
    check_form "$2" fault
    judge_fault "${1%%-*}" "$2" "$3"
    wrong=$reply
    if [ -z "$wrong" ] && [[ -z ${SANITIZED:-} || $2 = literal || -n $reason ]]; then
        check_form "$2" clean
        if [ "$status" != 0 ] || [ ${#stderr[@]} != 0 ] || [ -n "$has_stdout" ]; then
            wrong="the clean twin is not clean"
        fi
    fi
    if [ -n "$reason" ] && [ -z "$wrong" ]; then
        fail "rules/$1, $2" "said to be impossible ($reason), and it works"
    elif [ -n "$reason" ]; then
        declared=$((declared + 1))
        pass "rules/$1, $2: not possible: $reason"
    elif [ -n "$wrong" ]; then
        cat "$scratch/stdout" "$scratch/stderr" >"$scratch/said"
        fail "rules/$1, $2" "$wrong" "$scratch/said"
    else
        pass "rules/$1, $2"
    fi
}

one_fixture() { # FIXTURE
    local name=${1##*/} source=$1 forms=$every_form form key folder
    local -A headers reasons
    [ ! -d "$1" ] || source=$1/main.dt
    read_headers "$source"
    for key in fault clean type; do
        if [ -z "${headers[$key]:-}" ]; then
            fail "$1" "says no \`$key\`"
            return
        fi
    done
    if [ "$(sed -n '/^dt 1/,$ p' "$source" | grep -c FAULT)" != 1 ]; then
        fail "$1" 'FAULT must stand at one place'
        return
    fi
    rm -rf "$work"
    if [ -n "${SANITIZED:-}" ]; then
        forms="literal ${others[sampled % ${#others[@]}]}"
        sampled=$((sampled + 1))
    fi
    for form in $forms; do
        set -- "$@" "$work/$form-fault" "$work/$form-clean"
    done
    mkdir -p "${@:2}"
    if [ -d "$1" ]; then
        for folder in "${@:2}"; do
            cp -R "$1/." "$folder/"
        done
    fi
    if ! awk -v forms="$forms" -v folder="$work" -f tests/support/rules.awk "$source" 2>"$scratch/stderr"; then
        fail "$1" 'it has no forms' "$scratch/stderr"
        return
    fi
    for form in $forms; do
        one_form "${name%.dt}" "$form" "$source"
    done
}

serve_begin "$dtc" "$scratch" yes
shift
if [ $# != 0 ]; then
    for fixture; do
        one_fixture "$fixture"
    done
    finish
fi

for fixture in fixtures/rules/DT*; do
    [ -e "$fixture" ] && one_fixture "$fixture"
done

# A rule without a fixture holds for literals, as far as is known. So each DT03xx and each code that a rule reports
# has one, or a reason why not.
codes=$(awk -F '[",() ]+' '
    FILENAME ~ /diag\/codes\.def$/ { if (/^DIAG\("/) code[$5] = $2; next }
    { for (rest = $0; match(rest, /DIAG\([a-z0-9_]+\)/); rest = substr(rest, RSTART + RLENGTH))
          print code[substr(rest, RSTART + 5, RLENGTH - 6)] }
    END { for (name in code) if (code[name] ~ /^DT03/) print code[name] }
' compiler/base/diag/codes.def compiler/plan/rules/*.c compiler/plan/rules/*/*.c | sort -u)
for code in $codes; do
    set -- fixtures/rules/"$code"-*
    case $without_a_case in
    *"$code  "[a-z]*)
        if [ -e "$1" ]; then
            fail "$code" 'has a fixture now: take it out of the list'
        fi
        ;;
    *)
        if [ ! -e "$1" ]; then
            fail "$code" 'no fixture of fixtures/rules has it'
        fi
        ;;
    esac
done

echo "$declared forms are not possible, for the reasons that the fixtures give"
finish
