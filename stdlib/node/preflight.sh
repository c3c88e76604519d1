# shellcheck shell=sh
# The check of a node before it takes work: unpacks the core that is built into dtc and what the compiler expects of this
# node, runs the one on the other, and keeps the node from work unless the verdict is that it passes. For any POSIX
# shell. Whatever goes wrong on the way, a tool that is missing or a script that was cut off, ends as a failure does.
#
# What an emitter writes, in this order; comments on lines of their own and indentation of these files do not travel:
#
#   #!/bin/sh
#   # dtc's version and the project's file: for whoever looks
#   limit=60                  seconds for the core in all; for devices that are late it waits 15 less, so that a last look
#                             with three programs of four seconds is over in time
#   quarantine-TARGET.sh      sets `consequence`, defines `quarantine` and `admit`; quarantine-warn.sh with `on_fail = warn`
#   this file
#   core=12345 sum=0123…      bytes of the core, which the stream begins with, the rest being the record; SHA-256 of both
#   preflight <<'END'         base64 of gzip of the stream
#   …
#   END
#
# Where both architectures travel the last four lines are the arms of a `case $(uname -m) in`. Where neither fits, the
# end is reached without a verdict, which is a failure. With `core = sh` the core is dtc-node.sh and travels as it is, for
# people to read, behind `base64() { cat; }` and `gzip() { cat; }`, a line each.
#
# Ends with 0 where the node may take work, else with 1. Leaves the core, the record and the verdict in /run/dtc for
# whoever looks, and /run/dtc/failed where the node may not; where that is there already, nothing is checked.
# shellcheck disable=SC2154 # limit, consequence, core and sum are set in front or behind
PATH=/usr/sbin:/usr/bin
umask 22

# TEXT
say() {
    logger -t dtc-node "$1"
    echo "dtc-node: $1" | tee -a /dev/console >&2
}

# WHY
refuse() {
    trap - EXIT
    say "$1; $consequence"
    echo "$1" >failed
    quarantine
    exit 1
}
trap 'refuse "no verdict"' EXIT
trap exit TERM
mkdir -p /run/dtc /opt/dtc
cd /run/dtc || exit

preflight() {
    [ ! -e failed ] || exit
    base64 -d | gzip -dc >stream
    [ "$(sha256sum <stream)" = "$sum  -" ] || refuse damaged
    tail -c +$((core+1)) stream >expect
    for file in ./dtc-node /opt/dtc/dtc-node; do
        head -c "$core" stream >$file
        chmod 755 $file
        timeout "$limit" $file --wait $((limit-15)) >verdict
        status=$?
        # Programs may not run there, as in the /run of Ubuntu.
        [ "$status" = 126 ] || break
    done
    # The checks that failed or warn, as the verdict has them.
    found=$(grep -o '"[^"]*","s":"[fw][^}]*' verdict)
    # A status alone is no verdict: the core leaves a file, too.
    [ "$status" = 0 ] && [ -s verdict.json ] || refuse "status $status $found"
    trap - EXIT
    say "passed $found"
    admit
}
