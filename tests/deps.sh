#!/bin/sh
# Makes sure that the packages in the arguments are installed. It installs missing ones if that needs no question: as
# root, or with a sudo that wants no password. Otherwise it prints the line to type and fails.
set -u

missing=
if command -v dpkg-query >/dev/null 2>&1; then
    for package in "$@"; do
        status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | head -n 1)
        [ "$status" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || exit 0
else
    # Not Debian: names of packages differ, so only see whether what they bring is there.
    for tool in cc pkg-config x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc x86_64-linux-gnu-gcc-12 aarch64-linux-gnu-gcc-12; do
        command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
    done
    for module in yaml-0.1 libfyaml jansson libpcre2-8 nettle zlib cmocka; do
        pkg-config --exists "$module" 2>/dev/null || missing="$missing $module"
    done
    [ -n "$missing" ] || exit 0
    echo "dtc needs these, and this system has no dpkg to install them with:$missing" >&2
    exit 1
fi

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "missing packages; type:" >&2
    echo "  sudo apt-get install$missing" >&2
    exit 1
fi

# shellcheck disable=SC2086 # both hold several words, or none
install_missing() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

echo "installing:$missing"
# The lists may be absent, or too old for what the mirror still has.
# shellcheck disable=SC2086
install_missing >/dev/null 2>&1 || { $as_root apt-get update -qq && install_missing >/dev/null; } || {
    echo "apt-get failed; type:" >&2
    echo "  sudo apt-get update && sudo apt-get install$missing" >&2
    exit 1
}
