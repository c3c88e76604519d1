# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# What follows the first stage of a node's check and has no room in user data: a script that nodes fetch from the
# cluster's `artifacts`, which device.sh, report.sh, timer.sh and after.sh are the parts of. `second`, its URL, and
# `sum` and `every` are set in front of this. Where it cannot be fetched, five times, the first stage's verdict stands,
# and each later look tries again.

# Its sum is compared each time.
fetch() {
    file=/opt/dtc/second
    [ "$(sha256sum <$file)" = "$sum  -" ] || {
        timeout 60 aws s3 cp --only-show-errors "$second" $file.$$
        # Else nothing of it stays, nor of what was cut off.
        { [ "$(sha256sum <$file.$$)" = "$sum  -" ] && mv $file.$$ $file; } || ! rm -f $file.$$*
    }
}

deepen() {
    systemd-run --unit=dtc-again --on-active="$every" --on-unit-active="$every" /bin/sh /opt/dtc/check again
    has_aws
    for try in 1 2 3 4 5; do
        if fetch; then
            . /opt/dtc/second
            go_on
            return
        fi
        sleep $((try * 5))
    done
    say 'no second stage: it cannot be fetched'
}

# Units that it has started.
case $1 in
again | report)
    has_aws
    fetch && . /opt/dtc/second
    exit
    ;;
esac
