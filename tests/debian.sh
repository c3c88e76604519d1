#!/bin/bash
# On a fresh Debian the two commands of README are all that is wanted: debian.sh RELEASE…, bookworm and trixie by default.
# Makes a bare root of each release with debootstrap, in which nothing but git and make is added, and clones the last
# commit into it. There it types `make demo` and `make check`, without the judges of the other tests. At the end it compares
# the nodes' core of the releases, byte by byte. It wants root, and half an hour for a release.
#
#   ROOTS=FOLDER  where the roots are made, and stay; made anew in a scratch folder by default
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
[ $# -gt 0 ] || set -- bookworm trixie
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
    skip "a fresh Debian, $*" 'it wants root and debootstrap'
    finish
fi
roots=${ROOTS:-}
if [ -z "$roots" ]; then
    roots=$(mktemp -d) || exit 3
    trap 'rm -rf "$roots"' EXIT
fi
mkdir -p "$roots"

# With mounts of its own, which end with the command.
inside() { # ROOT COMMAND
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --fork bash -c '
        mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" || exit 3
        exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "$1"' "$1" "$2"
}

evidence() {
    tail -n 40 "$log"
}

for release in "$@"; do
    root=$roots/$release
    log=$roots/$release.log
    about=$release
    if [ ! -e "$root/etc/debian_version" ]; then
        if ! debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" >"$log" 2>&1; then
            fail 'debootstrap makes a root'
            continue
        fi
    fi
    rm -rf "$root/root/dtc"
    git clone --quiet --no-hardlinks . "$root/root/dtc" || exit 3
    inside "$root" 'cd /root/dtc && make demo' >"$log" 2>&1
    result $? 'make demo'
    inside "$root" 'cd /root/dtc && make check' >"$log" 2>&1
    result $? "make check: $(tail -n 1 "$log")"
    grep '^skipped' "$log"
done

about=
for release in "$@"; do
    for core in "$roots/$1"/root/dtc/build/node/dtc-node.*; do
        [ "$release" = "$1" ] || claim "${core##*/} of $1 and $release has the same bytes" \
            cmp "$core" "$roots/$release/root/dtc/build/node/${core##*/}"
    done
done
finish
