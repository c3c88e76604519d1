#!/bin/bash
# Checks that no text of an author, a param or a file name gets out of its place: hostile.sh DTC. See hostile.py.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
dtc=$(realpath "$1") || exit 3
if [ -z "${SANDBOX:-}" ]; then
    if ! unshare --map-root-user --mount --net true 2>/dev/null; then
        echo "skipped: this machine gives no mount namespace, so scripts are read and not run"
        exec python3 -B tests/conformance/hostile.py "$dtc"
    fi
    SANDBOX=$(mktemp -d) || exit 3
    export SANDBOX
    unshare --map-root-user --mount --net bash "$0" "$dtc"
    status=$?
    rm -rf "$SANDBOX"
    exit $status
fi

# Only the sandbox can be written to, and it stands in for the folders that a node's scripts write to.
mount --bind "$SANDBOX" "$SANDBOX" || exit 3
while read -r _ _ _ _ place _; do
    case $place in
    "$SANDBOX" | /proc* | /sys* | /dev*) ;;
    *) mount -o remount,bind,ro "$place" || exit 3 ;;
    esac
done </proc/self/mountinfo
for place in run opt var etc mnt; do
    mkdir -p "$SANDBOX/$place/lib"
    [ ! -d "/$place" ] || mount --bind "$SANDBOX/$place" "/$place" || exit 3
done
[ ! -e /dev/console ] || mount --bind /dev/null /dev/console || exit 3
exec python3 -B tests/conformance/hostile.py "$dtc"
