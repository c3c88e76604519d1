#!/bin/bash
# The same source gives the same programs wherever it lies: it is built in two folders whose names differ in length, and
# what comes of it is compared byte by byte. Takes two whole builds.
set -u
cd "$(dirname "$0")/.." || exit 3

passed=0
failed=0
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
        echo "not ok the source builds in another folder"
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    fi
done

for program in dtc node/dtc-collective node/dtc-collective.x86_64 node/dtc-collective.aarch64 node/dtc-node.x86_64 \
    node/dtc-node.aarch64; do
    if cmp "${folders[0]}/build/$program" "${folders[1]}/build/$program"; then
        passed=$((passed + 1))
        echo "ok $program is the same in both folders"
    else
        failed=$((failed + 1))
        echo "not ok $program is another one in each folder"
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
