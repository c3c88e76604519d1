#!/bin/bash
# Compares the shell's check of a node (stdlib/node/dtc-node.sh) with the program: both give the same verdict on the
# same trees.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
core=build/node/dtc-node.$(uname -m)
python3 -c '' 2>/dev/null || skip_all 'python3 is not installed'
[ -x "$core" ] || skip_all 'there is no dtc-node for this machine'
trees=$(mktemp -d) || exit 3
trap 'rm -rf "$trees"' EXIT
for type in p4d.24xlarge p5.48xlarge p5en.48xlarge p6-b200.48xlarge p6-b300.48xlarge trn1.32xlarge trn2.48xlarge \
    hpc7g.16xlarge; do
    sh tests/node/mkroot.sh "$1" "$type" "$trees/$type" || exit 3
done
python3 -B tests/conformance/dtc_node_sh.py "$core" "$trees"
