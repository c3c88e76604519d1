# shellcheck shell=sh disable=SC2154
# What a node does behind the first stage of its check. It travels with the check where that has room, or as the last part
# of what second.sh fetches.
#
#   program     as device.sh has it; empty: no second stage travels
#   verdicts, textfile   as report.sh has them
#   every       as timer.sh has it; empty: nobody looks again
go_on() {
    [ ! -s verdict.json ] || stamp expect
    if [ -z "$program" ]; then
        say 'first stage only'
    elif [ "$status" = 0 ] && [ -s verdict.json ]; then
        ask_drivers
    fi
    [ -z "$verdicts$textfile" ] || systemd-run /bin/sh /opt/dtc/check report
    # On a node that fails it finds nothing to do, as watch() says.
    [ -z "$every" ] || systemd-run --unit=dtc-again --on-active="$every" --on-unit-active="$every" /bin/sh /opt/dtc/check again
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
