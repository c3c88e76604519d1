#!/bin/bash
# The shell's check of a node (stdlib/node/dtc-node.sh) against the program: the same verdict on the same trees.
set -u
cd "$(dirname "$0")/../.." || exit 3
core=build/node/dtc-node.$(uname -m)
if ! python3 -c '' 2>/dev/null || [ ! -x "$core" ]; then
    echo "skipped: no python3, or no dtc-node for this machine"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
trees=$(mktemp -d) || exit 3
trap 'rm -rf "$trees"' EXIT
for type in p4d.24xlarge p5.48xlarge p5en.48xlarge p6-b200.48xlarge p6-b300.48xlarge trn1.32xlarge trn2.48xlarge \
    hpc7g.16xlarge; do
    sh tests/node/mkroot.sh "$1" "$type" "$trees/$type" || exit 3
done
python3 -B tests/conformance/dtc_node_sh.py "$core" "$trees"
