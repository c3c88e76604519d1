#!/bin/bash
# Scratch space: the instance's own NVMe disks as one file system. At every boot, since a stop empties them: then it is
# made anew. After a restart it is there still and is only mounted.
: "${mount_point:?}"
. /run/dtc/fail.sh
set -E
trap 'fail "scratch: status $? of $BASH_COMMAND"' ERR

# By their model: a number such as nvme1n1 may be any disk's, a volume's with data on it too.
disks() {
    local link
    for link in /dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*; do
        case $link in
        *-part* | *'*') ;;
        *) readlink -f "$link" ;;
        esac
    done | sort -u
}

has_mdadm() {
    local try
    for try in 1 2 3 4 5; do
        command -v mdadm >/dev/null && return
        sleep $((try * try - 1))
        if command -v dnf >/dev/null; then
            dnf --assumeyes --quiet install mdadm
        elif command -v yum >/dev/null; then
            yum --assumeyes --quiet install mdadm
        else
            apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends mdadm
        fi
    done
    command -v mdadm >/dev/null
}

# The array that the disks are in already.
array() {
    lsblk --noheadings --list --paths --output NAME,TYPE "$1" | awk '$2 == "raid0" { print $1; exit }'
}

if mountpoint --quiet "$mount_point"; then
    exit 0
fi
udevadm settle || true
mapfile -t found < <(disks)
[ "${#found[@]}" -gt 0 ] || fail 'scratch: this instance has no NVMe disks of its own'
device=${found[0]}
if [ "${#found[@]}" -gt 1 ]; then
    has_mdadm || fail 'scratch: mdadm could not be installed'
    device=$(array "${found[0]}")
    if [ -z "$device" ]; then
        device=/dev/md/scratch
        mdadm --assemble "$device" "${found[@]}" ||
            mdadm --create "$device" --run --level=0 --raid-devices="${#found[@]}" "${found[@]}"
        udevadm settle || true
    fi
fi
if ! blkid -p -n xfs "$device" >/dev/null; then
    mkfs.xfs -f -K -q "$device"
fi
mkdir -p "$mount_point"
mount -t xfs -o noatime,nodev,nosuid "$device" "$mount_point"
chmod 1777 "$mount_point"
