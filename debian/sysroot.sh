#!/bin/sh
# Unpacks what the other architecture's dtc is compiled and linked against: sysroot.sh MACHINE FOLDER PACKAGE…
#
# The packages are Debian's own, of the release that this machine runs. apt keeps lists, cache and state below FOLDER, so
# that the machine itself knows no second architecture and has no package more than before. FOLDER/var/lib/dpkg/status
# lists what is there, for `dpkg-query --admindir`.
set -eu
machine=$1
folder=$2
shift 2
case $machine in
aarch64) architecture=arm64 ;;
x86_64) architecture=amd64 ;;
*)
    echo "there is no dtc for $machine" >&2
    exit 2
    ;;
esac
[ ! -e "$folder/complete" ] || exit 0
command -v apt-get >/dev/null 2>&1 || {
    echo "this takes Debian's libraries of $architecture, and this system has no apt-get" >&2
    exit 1
}
echo "unpacking libraries of $architecture into $folder"

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/var/lib/dpkg/info" "$folder/var/lib/dpkg/updates"
folder=$(cd "$folder" && pwd)
private_apt() { # ARGUMENT…
    apt-get -qq -o APT::Architecture=$architecture -o APT::Architectures=$architecture -o APT::Sandbox::User=root \
        -o Dir::State="$folder/apt" -o Dir::State::lists="$folder/apt/lists" -o Dir::State::status=/dev/null \
        -o Dir::Cache="$folder/apt" "$@"
}
# A list that one of the machine's other sources lacks is no fault: the download says what is missing.
private_apt update || true
(cd "$folder/apt/archives" && private_apt download "$@" >/dev/null)
for package in "$folder"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
    {
        dpkg-deb -f "$package"
        printf 'Status: install ok installed\n\n'
    } >>"$folder/var/lib/dpkg/status"
done
rm -rf "$folder/apt"
touch "$folder/complete"
