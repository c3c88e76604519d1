#!/bin/sh
# Runs the benchmarks: run.sh BUILD. They use a scratch folder in the file system of the build, because the cost of
# files depends on the file system, and a user's files would be there.
set -u
cd "$(dirname "$0")/../.." || exit 3

scratch=$(mktemp -d "$1/bench-XXXXXX") || exit 3
memory=$(mktemp -d /dev/shm/dtc-bench-XXXXXX 2>/dev/null) || memory=
trap 'rm -rf "$scratch" ${memory:+"$memory"}' EXIT

# The check of a node, in its own milliseconds: the best of 20, since whatever else runs here only takes longer.
tree=$(realpath "$scratch")/tree
sh tests/node/mkroot.sh "$1/dtc" p5.48xlarge "$tree" || exit 3
best=$(for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    "build/node/dtc-node.$(uname -m)" --root "$tree" | sed -n 's/.*"ms":\([0-9]*\),.*/\1/p'
done | sort -n | head -n 1)
echo "dtc-node on a p5.48xlarge of 32 EFA and 8 GPUs: ${best:-no} ms, of at most 50"
[ "${best:-99}" -le 50 ] || exit 1

if "$1/tests/bench/bench" "$1" "$scratch/run" . ${memory:+"$memory"}; then
    exit 0
fi
tail -n 5 "$scratch"/run/*.err 2>/dev/null
exit 1
