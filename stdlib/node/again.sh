# shellcheck shell=sh disable=SC2034,SC2154
# How a node looks at itself again while it is in use, for whoever then does something about it: Slurm's prolog and
# health check (prolog.sh), and the timer of AWS Batch and EKS (timer.sh). Both stages look, where the second one is
# there.
#
# stamp.sh stands beside it, and ask-again.sh, where there is a second stage. A look that finds a fault is taken twice;
# one that takes too long has no verdict and is only counted, until the third in a row.

# What is looked at beside work: no other program is started, and a disk that the work fills is no fault of the node.
beside_work() {
    sed -E '/^\??(gpu\.fabric|libfabric|peers) /d; s/^(\??mount [^ ]+ [^ ]+) .*/\1/' \
        /opt/dtc/expect >/run/dtc/expect.again
}

# Since boot, which nobody sets: a clock that is set back meanwhile would give a look all the time in the world.
seconds() {
    read -r up _ </proc/uptime
    echo "${up%.*}"
}

# In what is left of the time for both looks: slurmd ends a health check after a minute.
within() { # COMMAND…
    left=$((deadline - $(seconds)))
    timeout -k 1 $((left > 0 ? left : 1)) "$@"
}

# What a look says, a row for each class.
#   pass        nothing, or that another node is at fault
#   hardware    the machine is broken
#   once-good   what has passed since this node's boot fails now, which no image does
#   image       the rest: what was never right here, and the check itself, which was killed or understood nothing
classify() {
    class=image
    case $status in
    0 | 2) class=pass ;;
    1 | 3) class=hardware ;;
    124 | 137) [ ! -s /run/dtc/good ] || class=once-good ;;
    *) ! was_good || class=once-good found="$found it was right before" ;;
    esac
}

# Of the last look, as a line.
checks_that() { # fail|warn
    echo "$verdict$devices" | grep -o "\"[^\"]*\",\"s\":\"$1\",\"want\":\"[^\"]*\",\"got\":\"[^\"]*\"" |
        tr -d '"\134' | tr '\n' ';' | cut -c 1-200
}

# Sets `status`, what the look ended with; `class`, what that says; `found`, what failed; and `excuse`, why that does
# not count yet.
look_again() { # RECORD
    remember
    deadline=$(($(seconds) + 50))
    for turn in 1 2; do
        [ $turn = 1 ] || sleep 5
        devices=
        rm -f /run/dtc/verdict.json /run/dtc/device.json # of an earlier look
        verdict=$(within /opt/dtc/dtc-node --expect "$1")
        status=$?
        [ ! -s /run/dtc/verdict.json ] || stamp "$1"
        case $status in 124 | 137) break ;; esac
        [ ! -x /opt/dtc/dtc-collective ] || ask_again "$1"
        case $status in 0 | 2 | 124 | 137) break ;; esac
    done
    found=$(checks_that fail)
    classify
    slow=0 excuse=
    case $status in
    124 | 137)
        read -r slow 2>/dev/null </run/dtc/slow
        slow=$((slow + 1))
        if [ $slow -ge 3 ]; then
            found='3 looks in a row took too long'
        else
            excuse="look $slow that takes too long"
        fi
        ;;
    esac
    echo $slow >/run/dtc/slow
}

# Whether something else was said before: what is found every few minutes is said once.
is_news() { # TEXT
    read -r said 2>/dev/null </run/dtc/said
    [ "$said" != "$1" ] && printf '%s\n' "$1" >/run/dtc/said
}
