#!/bin/bash
# Packs the programs of one architecture, as `make install` lays them out: package.sh MACHINE FOLDER. It writes
#
#   FOLDER/dtc-VERSION-linux-MACHINE.tar.gz
#   FOLDER/dtc_VERSION_ARCHITECTURE.deb
#
# The same commit gives the same bytes, wherever it lies and whoever packs it: names are sorted, owners are 0, and each
# file is as old as the commit (SOURCE_DATE_EPOCH, if it is set). The programs have been built: `make dist` does both.
# PACK_LEVEL=1 is for tests: it compresses worse, in a fifth of the time.
# shellcheck disable=SC2016 # `${…}` in formats is for dpkg-query
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC0
umask 022

machine=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
case $machine in
x86_64) architecture=amd64 ;;
aarch64) architecture=arm64 ;;
*)
    echo "there is no dtc for $machine" >&2
    exit 2
    ;;
esac
cross=
root=
build=build
if [ "$machine" != "$(uname -m)" ]; then
    cross=$machine
    root=build/sysroot/$machine
    build=build/$machine
fi
sh compiler/base/version.sh tagged >/dev/null
# What the program was built with: the tree may have changed since.
version=$(sed -n 's/^#define DTC_BUILD "\(.*\)"$/\1/p' "$build/generated/dtc_build.h")
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    # Without git, as old as the last release.
    SOURCE_DATE_EPOCH=$(date -d "$(dpkg-parsechangelog -l debian/changelog -S Date)" +%s)
    [ ! -e .git ] || SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
fi
export SOURCE_DATE_EPOCH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The static libraries that are linked in, and the C library. The licences of the first want their sources to be kept.
kept=(libc6-dev libfyaml-dev nettle-dev)
linked=("${kept[@]}" libjansson-dev libpcre2-dev zlib1g-dev)
sources() { # FORMAT PACKAGE…
    local format=$1
    shift
    dpkg-query --admindir="$root/var/lib/dpkg" -W -f "$format" "${@/%/:$architecture}"
}

install_programs() { # DESTDIR PREFIX
    MAKEFLAGS='' make -s -o "$build/generated/dtc_build.h" install CROSS="$cross" DESTDIR="$1" PREFIX="$2" PROGRAM=dtc >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        return 1
    }
    # Debug information is three quarters of the programs.
    "$machine-linux-gnu-strip" --remove-section=.comment "$1$2"/bin/*
}

refuse_shared() { # PROGRAM
    if readelf -lW "$1" | grep INTERP >/dev/null; then
        echo "$1 is linked with shared libraries: the static ones are not there, or LINK=dynamic" >&2
        return 1
    fi
}

# What the licences of the libraries ask for: their notices, and which versions they are.
print_notices() {
    local package
    echo 'dtc is linked with these static libraries. Below are their versions and their notices, as Debian has them.'
    echo
    sources '${source:Package} ${source:Version}\n' "${linked[@]}"
    for package in "${linked[@]}"; do
        printf '\n==== %s\n\n' "$package"
        cat "$root/usr/share/doc/$package/copyright"
    done
}

set_times() { # FOLDER
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# A snapshot has an entry of its own above those of the releases.
print_changelog() {
    if [ "$version" != "$(dpkg-parsechangelog -l debian/changelog -S Version)" ]; then
        printf 'dtc (%s) unstable; urgency=medium\n\n  * A snapshot of the source.\n\n -- %s  %s\n\n' "$version" \
            "$(dpkg-parsechangelog -l debian/changelog -S Maintainer)" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
    fi
    cat debian/changelog
}

pack_tarball() {
    local name=dtc-$version-linux-$machine
    local folder=$scratch/$name licence
    install_programs "$folder" ''
    refuse_shared "$folder/bin/dtc"
    install -d "$folder/share/doc/dtc"
    install -m 644 LICENSE README.md "$folder/"
    install -m 644 debian/copyright "$folder/share/doc/dtc/"
    print_notices >"$folder/share/doc/dtc/libraries"
    # Other systems than Debian have no folder of common licences.
    for licence in GPL-2 GPL-3 LGPL-2.1 LGPL-3; do
        install -m 644 "/usr/share/common-licenses/$licence" "$folder/share/doc/dtc/"
    done
    set_times "$folder"
    tar -c -C "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner "$name" |
        gzip "-${PACK_LEVEL:-9}n" >"$out/$name.tar.gz"
}

pack_debian() {
    local folder=$scratch/debian libc
    install_programs "$folder" /usr
    find "$folder/usr/share/man" -type f -exec gzip -9n {} +
    install -d "$folder/usr/share/doc/dtc" "$folder/usr/share/lintian/overrides" "$folder/DEBIAN"
    install -m 644 debian/copyright "$folder/usr/share/doc/dtc/"
    install -m 644 debian/dtc.lintian-overrides "$folder/usr/share/lintian/overrides/dtc"
    print_notices | gzip -9n >"$folder/usr/share/doc/dtc/libraries.gz"
    print_changelog >"$scratch/changelog"
    gzip -9n <"$scratch/changelog" >"$folder/usr/share/doc/dtc/changelog.gz"
    # dtc is static. dtc-collective loads the libfabric that a node has, so it has to use the node's C library.
    libc=$(readelf -VW "$folder/usr/bin/dtc-collective" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
    (cd "$folder" && find usr -type f | sort | xargs md5sum) >"$folder/DEBIAN/md5sums"
    DEB_HOST_ARCH=$architecture dpkg-gencontrol -pdtc -cdebian/control -l"$scratch/changelog" -f"$scratch/files" \
        -T"$scratch/none" -P"$folder" -O"$folder/DEBIAN/control" -V"libc:Depends=libc6 (>= $libc)" \
        -V"libraries:Built-Using=$(sources '${source:Package} (= ${source:Version}), ' "${kept[@]}")" 2>"$scratch/log" || {
        cat "$scratch/log" >&2
        return 1
    }
    set_times "$folder"
    dpkg-deb --root-owner-group -Zxz "-z${PACK_LEVEL:-6}" --threads-max=1 --build "$folder" "$out/dtc_${version}_$architecture.deb" >/dev/null
}

pack_tarball
pack_debian
