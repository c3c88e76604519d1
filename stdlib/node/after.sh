# shellcheck shell=sh disable=SC2034,SC2154
# What a node does behind the first stage of its check. It travels with the check where that has room, or as the last
# part of what second.sh fetches.
#
#   program     as device.sh has it; empty: no second stage travels
#   verdicts, textfile   as report.sh has them
#   every       as timer.sh has it; empty: nobody looks again
go_on() {
    [ ! -s verdict.json ] || stamp expect
    if [ -z "$program" ]; then
        say 'drivers not asked'
    elif [ "$status$mild" != 1 ]; then
        # Whatever the first stage says but for hardware at fault, the node may take work.
        ask_drivers
    fi
    # Who starts the agent by hand has it checked again.
    ! was_good || image=
    remember
    [ -z "$verdicts$textfile" ] || systemd-run /bin/sh /opt/dtc/check report
    # On a node that fails it finds nothing to do, as watch() says. second.sh has started it already.
    [ -z "$every" ] || [ "$second" ] ||
        systemd-run --unit=dtc-again --on-active="$every" --on-unit-active="$every" /bin/sh /opt/dtc/check again
}

# Units of its own: nothing of the check follows.
case $1 in
again)
    watch
    exit
    ;;
report)
    report
    exit
    ;;
esac
