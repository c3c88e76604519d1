#!/bin/sh
# Runs the programs of `make bench` and checks that their results mean something: bench.sh BUILD. It measures no time.
# The replay gives dtc's own events to libyaml. It must produce dtc's bytes, and notice when it does not.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh

dtc=$(realpath "$1/dtc") || exit 3
replay=$(realpath "$1/tests/bench/replay") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/main.dt" <<'END'
dt 1

network lab { stack = "lab" }

for i in 1..3 {
  cluster "c${i}" on batch {
    network = lab

    nodes gpu {
      instance = "p5.48xlarge"
      count    = 0..16
    }
  }
}
END
# As many as `make bench` builds: more than some need more room than a build gives.
sed 's/1\.\.3 /1..1900 /' "$scratch/main.dt" >"$scratch/many.dt"
(cd "$scratch" && "$dtc" check many.dt >/dev/null)
result $? "1,900 clusters can be checked"
(cd "$scratch" && "$dtc" build main.dt -o out >/dev/null)
result $? "three clusters are built"
"$replay" "$scratch/out" >"$scratch/printed"
result $? "libyaml makes the same bytes of dtc's events"
grep -q '^[0-9]* ns, [1-9][0-9][0-9][0-9] events, ' "$scratch/printed"
result $? "all events are replayed"

sed 's/Type: AWS::EC2::PlacementGroup/Type:  AWS::EC2::PlacementGroup/' "$scratch/out/c2.cfn.yaml" >"$scratch/other"
mv "$scratch/other" "$scratch/out/c2.cfn.yaml"
! "$replay" "$scratch/out" >"$scratch/printed" 2>&1
result $? "other bytes are noticed"

"$1/tests/bench/empty"
result $? "the empty process ends well"

finish
