#!/bin/bash
# What `make dist` makes: dist.sh BUILD. It packs the programs of BUILD, which are built already, for this machine's
# architecture alone, and looks into both packages. The other architecture's dtc is tried where `make dist` has built it.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
build=$1
machine=$(uname -m)
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 TZ=UTC0

evidence() {
    cat "$scratch/log" 2>/dev/null
}

for tool in dpkg-deb dpkg-gencontrol dpkg-parsechangelog "$machine-linux-gnu-strip"; do
    command -v "$tool" >/dev/null 2>&1 || skip_all "$tool is not installed"
done
has_newest_entry() {
    [ "$(dpkg-parsechangelog -l debian/changelog -S Version)" = \
        "$(sed -n 's/^#define DTC_VERSION "\(.*\)"$/\1/p' compiler/base/version.h)" ]
}
claim 'the changelog begins with the version of version.h' has_newest_entry

# ---- both packages, for this machine ---------------------------------------------------------------------------------

if [ "$build" != build ]; then
    skip_all "$build is a variant, and packages have the plain build"
fi
if readelf -lW build/dtc | grep -q INTERP; then
    skip_all 'dtc is linked with shared libraries here'
fi

# A minute behind the newest entry of the changelog: lintian wants entries in order.
epoch=$(($(date -d "$(dpkg-parsechangelog -l debian/changelog -S Date)" +%s) + 60))
mkdir "$scratch/other" "$scratch/other/tmp"
packs() { # FOLDER
    PACK_LEVEL=1 SOURCE_DATE_EPOCH=$epoch bash debian/package.sh "$machine" "$1" >"$scratch/log" 2>&1
}
packs_otherwise() { # FOLDER
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 TMPDIR="$scratch/other/tmp" packs "$1")
}
claim 'the programs are packed' packs "$scratch/out"
claim 'they are packed with another umask, in another zone' packs_otherwise "$scratch/other/out"
claim 'that gives the same bytes' diff -r "$scratch/out" "$scratch/other/out"

version=$(sed -n 's/^#define DTC_BUILD "\(.*\)"$/\1/p' build/generated/dtc_build.h)
tarball=$(echo "$scratch"/out/*.tar.gz)
package=$(echo "$scratch"/out/*.deb)
architecture=$(dpkg-deb -f "$package" Architecture)
named() {
    [ "$(ls "$scratch/out")" = "$(printf '%s\n' "dtc-$version-linux-$machine.tar.gz" "dtc_${version}_$architecture.deb" | sort)" ]
}
claim 'both have the version in their names' named
mkdir "$scratch/tar" "$scratch/deb"
tar -xzf "$tarball" -C "$scratch/tar" && dpkg-deb -x "$package" "$scratch/deb" || exit 3
unpacked=$scratch/tar/dtc-$version-linux-$machine

says_version() { # WANTED COMMAND…
    local wanted=$1
    shift
    "$@" >"$scratch/log" 2>&1
    [ "$(sed 's/^dtc \([^ ]*\) .*/\1/' "$scratch/log")" = "$wanted" ]
}
claim 'dtc of the tarball says the same version' says_version "$version" "$unpacked/bin/dtc" version
claim 'dtc of the package says the same version' says_version "$(dpkg-deb -f "$package" Version)" "$scratch/deb/usr/bin/dtc" version

other=$([ "$machine" = aarch64 ] && echo x86_64 || echo aarch64)
lists() { # WANTED, below FOLDER
    (cd "$2" && find . -type f | cut -c 3- | sort) >"$scratch/log"
    [ "$(tr ' ' '\n' <<<"$1" | sort)" = "$(cat "$scratch/log")" ]
}
claim 'the tarball has the programs, the pages and the licences' lists "LICENSE README.md bin/dtc bin/dtc-collective \
libexec/dtc/dtc-collective.$other share/man/man1/dtc.1 share/man/man1/dtc-collective.1 share/man/man5/dt.5 \
share/man/man7/dtc-node.7 share/doc/dtc/copyright share/doc/dtc/libraries share/doc/dtc/GPL-2 share/doc/dtc/GPL-3 \
share/doc/dtc/LGPL-2.1 share/doc/dtc/LGPL-3" "$unpacked"
claim 'the package has them where Debian has them' lists "usr/bin/dtc usr/bin/dtc-collective \
usr/libexec/dtc/dtc-collective.$other usr/share/man/man1/dtc.1.gz usr/share/man/man1/dtc-collective.1.gz \
usr/share/man/man5/dt.5.gz usr/share/man/man7/dtc-node.7.gz usr/share/doc/dtc/copyright usr/share/doc/dtc/libraries.gz \
usr/share/doc/dtc/changelog.gz usr/share/lintian/overrides/dtc" "$scratch/deb"

same_programs() {
    diff -r "$unpacked/bin" "$scratch/deb/usr/bin" >"$scratch/log" && diff -r "$unpacked/libexec" "$scratch/deb/usr/libexec" >"$scratch/log"
}
claim 'both have the same programs' same_programs
intact() {
    mkdir "$scratch/control" && dpkg-deb -e "$package" "$scratch/control" &&
        (cd "$scratch/deb" && md5sum -c "$scratch/control/md5sums") >"$scratch/log" 2>&1
}
claim 'the sums of the package are those of its files' intact
# Each line has the mode, the owner and the time, which is SOURCE_DATE_EPOCH.
uniform() { # LISTING OWNER
    [ -s "$1" ] && awk -v owner="$2" -v time="$(date -d "@$epoch" '+%Y-%m-%d %H:%M')" '
        $2 != owner || $4 " " $5 != time || $1 !~ /^(d|-)rw[x-]r-[x-]r-[x-]$/ { print; bad = 1 }
        END { exit bad }' "$1" >"$scratch/log"
}
tar -tvzf "$tarball" >"$scratch/tarball.list"
dpkg-deb -c "$package" >"$scratch/package.list"
claim 'the files of the tarball are of one time and of nobody' uniform "$scratch/tarball.list" 0/0
claim 'the files of the package are of one time and of root' uniform "$scratch/package.list" root/root

licensed() {
    local library
    for library in libc6-dev libfyaml-dev libjansson-dev libpcre2-dev nettle-dev zlib1g-dev; do
        grep -q "^==== $library\$" "$unpacked/share/doc/dtc/libraries" || return
    done
    dpkg-deb -f "$package" Built-Using >"$scratch/log"
    grep -q '^glibc (= [0-9].*), libfyaml (= [0-9].*), nettle (= [0-9].*)$' "$scratch/log"
}
claim 'both name the libraries that dtc is linked with' licensed

# ---- the program in them ---------------------------------------------------------------------------------------------

static() { # PROGRAM
    ! readelf -lW "$1" | grep -q INTERP && ! readelf -dW "$1" | grep -q '(NEEDED)'
}
stripped() { # PROGRAM
    ! readelf -SW "$1" | grep -q '\.debug_'
}
hardened() { # PROGRAM
    readelf -hW "$1" | grep -q 'Type: *DYN' && readelf -lW "$1" | grep -q GNU_RELRO &&
        readelf -lW "$1" | grep -q 'GNU_STACK .* RW ' && ! readelf -lW "$1" | grep -q ' RWE '
}
nameless() { # PROGRAM
    ! grep -qaF "$(pwd -P)/" "$1"
}
claim 'dtc is static' static "$unpacked/bin/dtc"
claim 'dtc is stripped' stripped "$unpacked/bin/dtc"
claim 'dtc is hardened' hardened "$unpacked/bin/dtc"
claim 'dtc does not name the folder that it was built in' nameless "$unpacked/bin/dtc"

# A build and a lint in a folder of its own, with what is printed.
works() { # FOLDER COMMAND…
    local folder=$1
    shift
    mkdir "$folder" || return
    (
        cd "$folder" || exit 1
        "$@" build -o out "$root/fixtures/valid/batch-access/main.dt" >build.log 2>&1 || exit 1
        "$@" lint out >lint.log 2>&1 || exit 1
        printf 'Resources:\n  T:\n    Type: AWS::EC2::LaunchTemplate\n    Properties:\n      LaunchTemplateData:\n        MetadataOptions:\n          HttpTokens: optional\n' >faulty.yaml
        "$@" lint --strict faulty.yaml >faulty.log 2>&1
        [ $? = 1 ] && grep -q DT1600 faulty.log
    ) || { cat "$folder"/*.log >"$scratch/log" && false; }
}
# Nothing of the machine is there: no library, no loader, no /proc.
alone() {
    mkdir "$scratch/alone" && cp "$unpacked/bin/dtc" "$scratch/alone/" &&
        says_version "$version" chroot "$scratch/alone" /dtc version
}
claim 'dtc of the tarball builds a fixture and lints it' works "$scratch/native" "$unpacked/bin/dtc"
if [ "$(id -u)" = 0 ] && chroot / true 2>/dev/null; then
    claim 'it runs where there is no other file' alone
else
    skip 'it runs where there is no other file' 'chroot wants root'
fi

# ---- Debian's own tools ----------------------------------------------------------------------------------------------

accepted_by_lintian() {
    lintian --allow-root --fail-on error,warning "$package" >"$scratch/log" 2>&1
}
if command -v lintian >/dev/null 2>&1; then
    claim 'lintian accepts the package' accepted_by_lintian
else
    skip 'lintian accepts the package' 'lintian is not installed'
fi

# A system that has nothing but a C library and the packages in the arguments.
system_with() { # FOLDER PACKAGE…
    local folder=$1 name
    shift
    mkdir -p "$folder/var/lib/dpkg/info" "$folder/var/lib/dpkg/updates" || return
    for name in libc6 "$@"; do
        printf 'Package: %s\nStatus: install ok installed\nArchitecture: %s\nMaintainer: a <a@example.org>\nVersion: 9\nDescription: a\n\n' \
            "$name" "$architecture"
    done >"$folder/var/lib/dpkg/status"
    touch "$folder/var/lib/dpkg/available"
    for name in libc6 "$@"; do
        echo /. >"$folder/var/lib/dpkg/info/$name.list"
    done
}
installs() { # FOLDER
    dpkg --root="$1" --force-not-root --log=/dev/null -i "$package" >"$scratch/log" 2>&1
}
conflicts() { # FOLDER
    ! installs "$1" && grep -q 'device-tree-compiler' "$scratch/log" && [ ! -e "$1/usr/bin/dtc" ]
}
removes() { # FOLDER
    dpkg --root="$1" --force-not-root --log=/dev/null -r dtc >"$scratch/log" 2>&1 && [ ! -e "$1/usr/bin/dtc" ]
}
if [ "$(id -u)" = 0 ]; then
    system_with "$scratch/system" && system_with "$scratch/taken" device-tree-compiler || exit 3
    claim 'dpkg installs the package' installs "$scratch/system"
    claim 'the installed dtc runs' says_version "$version" "$scratch/system/usr/bin/dtc" version
    claim 'dpkg removes it' removes "$scratch/system"
    claim "beside Debian's other dtc it is refused" conflicts "$scratch/taken"
else
    skip 'dpkg installs the package' 'dpkg wants root'
fi

# ---- the other architecture ------------------------------------------------------------------------------------------

foreign=build/$other/dtc
if [ ! -x "$foreign" ] || [ build/libdtc.a -nt "$foreign" ]; then
    skip "dtc for $other" 'make dist has not built it since'
elif ! command -v "qemu-$other-static" >/dev/null 2>&1; then
    skip "dtc for $other" "qemu-$other-static is not installed"
else
    foreign=$(realpath "$foreign")
    claim "dtc for $other is hardened" hardened "$foreign"
    claim "dtc for $other is static" static "$foreign"
    claim "dtc for $other builds a fixture and lints it" works "$scratch/foreign" "qemu-$other-static" "$foreign"
    claim 'all that it writes and says is the same' diff -r "$scratch/native" "$scratch/foreign"
fi
finish
