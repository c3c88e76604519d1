# shellcheck shell=sh
# Unpacks the check of a node, which says what is expected of the node and what becomes of one that has something else,
# and starts it. For any POSIX shell. It is in clear text, and user data has little room, so that it does no more than
# that: check.sh travels compressed, behind the core; both are compressed when dtc is built.
#
# What an emitter writes, in this order; comments on lines of their own and indentation of these files do not travel:
#
#   #!/bin/sh
#   # dtc's version and the project's file: for whoever looks
#   quarantine-TARGET.sh      defines `quarantine`; quarantine-warn.sh unless `on_fail` says otherwise
#   this file
#   core=12345 check=2300     bytes of the core and of the check, which the stream begins with, the rest being the
#                             record; the check is check.sh and what it says that an emitter writes
#   preflight <<'END'         base64 of gzip of the stream
#   …
#   END
#
# Where both architectures travel the last four lines are the arms of a `case $(uname -m) in`. Where neither fits, or
# the script was cut off, the end is reached with nothing started, which is a failure; so is a stream that gzip finds
# damaged, by its sum. With `core = sh` the stream travels as it is, for people to read, behind `base64() { cat; }` and
# `gzip() { cat; }`, a line each.
#
# It runs at each boot where cloud-init does that (a boothook), else at the first. Leaves in /opt/dtc the core, the
# record and the check. A shutdown meanwhile is no failure.
# shellcheck disable=SC2154 # core and check are set behind
PATH=/usr/sbin:/usr/bin
umask 22

refuse() {
    trap - EXIT
    logger -st dtc-node no check
    quarantine
    exit 1
}
trap refuse EXIT
trap 'trap - EXIT;exit' TERM
mkdir -p /opt/dtc
cd /opt/dtc || exit

preflight() {
    base64 -d | gzip -dc >stream || exit
    # Not by head, which may read more than it writes.
    {
        dd bs="$core" count=1 >dtc-node &&
            dd bs="$check" count=1 >check &&
            cat >expect
    } <stream || exit
    chmod 755 dtc-node
    trap - EXIT TERM
    exec sh ./check
}
