#!/bin/bash
# The same source gives the same programs in any folder. The script builds it in two folders whose names differ in
# length, and compares the results byte by byte. That takes two whole builds.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh

scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# Both are copied before either is built: somebody may go on working here. make takes no blanks in names.
folders=("$scratch/a" "$scratch/another-folder-of-the-same-source")
for folder in "${folders[@]}"; do
    mkdir -p "$folder/build"
    tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$folder"
    touch "$folder/build/deps.stamp" # they are there: this build has them
done
for folder in "${folders[@]}"; do
    if ! make -C "$folder" -j2 all >"$scratch/log" 2>&1; then
        tail -n 20 "$scratch/log"
        fail 'the source builds in another folder'
        finish
    fi
done

for program in dtc node/dtc-collective node/dtc-collective.x86_64 node/dtc-collective.aarch64 node/dtc-node.x86_64 \
    node/dtc-node.aarch64; do
    if cmp "${folders[0]}/build/$program" "${folders[1]}/build/$program"; then
        pass "$program is the same in both folders"
    else
        fail "$program is the same in both folders"
    fi
done

# Packages of them, where there is what packs.
if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-gencontrol >/dev/null 2>&1; then
    for folder in "${folders[@]}"; do
        bash "$folder/debian/package.sh" "$(uname -m)" "$folder/build/dist" >"$scratch/log" 2>&1 || cat "$scratch/log"
    done
    diff -r "${folders[0]}/build/dist" "${folders[1]}/build/dist"
    result $? 'the packages are the same in both folders'
else
    skip 'the packages are the same in both folders' 'dpkg-dev is not installed'
fi
finish
