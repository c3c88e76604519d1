#!/bin/bash
# What travels to a node, in bytes, and the most that it may be: size.sh [CORES [DTC]]. Fails if a row has more. The last
# line sums up. `preflight` is the core and the longest record of the fixtures, in one gzip stream. `wrapper` is the shell
# around this stream, without the lines that say what it is. It is the longest in the user data of the fixtures. `message`
# is the whole user data of a node.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
cores=${1:-build/node}
dtc=$(realpath "${2:-build/dtc}") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

row() { # WHAT BYTES LIMIT
    claim "$1: $2 of $3 bytes" [ "$2" -le "$3" ]
}

# The records in the templates and scripts that the fixtures expect, a file each. One line of user data has the number
# of the core's bytes. The lines from `preflight` to END are the stream of the core and the record. If the core is the
# script, it stands there as it is and is no stream.
records() {
    local number=0 text
    find fixtures/ -type f -path '*/expected/*' -exec grep -l '^ *core=[0-9]* check=' {} + | while IFS= read -r file; do
        awk '/^ *core=[0-9]+ check=/ { split($1, part, "="); start = part[2]; split($2, part, "="); start += part[2] }
             /^ *END$/ && text != "" { if (text ~ /^H4sI/) print start, text; text = "" }
             inside && !/END$/ { text = text $1 }
             { inside = /preflight <<.END.$/ || (inside && !/END$/) }' "$file"
    done | sort -u | while read -r start text; do
        number=$((number + 1))
        echo "$text" | base64 -d | gzip -dc | tail -c +$((start + 1)) >"$scratch/$number.record"
    done
}

records
if [ ! -e "$scratch/1.record" ]; then
    fail 'the fixtures have no record'
    finish
fi
for file in "$cores"/dtc-node.x86_64 "$cores"/dtc-node.aarch64; do
    most=0
    for record in "$scratch"/*.record; do
        bytes=$(cat "$file" "$record" | gzip -9n | wc -c)
        [ "$bytes" -le "$most" ] || most=$bytes longest=$record
    done
    row "preflight ${file##*.}" "$most" 7600
done
echo "of $(find "$scratch" -name '*.record' | wc -l) records the longest has $(wc -c <"$longest") bytes"

# The bytes of the longest wrapper, and whose it is; cores have numbers of five digits, stand-ins shorter ones.
longest_wrapper() {
    find fixtures/ -type f -path '*/expected/*.yaml' -exec grep -l 'preflight <<' {} + | while IFS= read -r file; do
        sed 's/^ *//' "$file" | awk -v file="$file" '
            $0 == "#!/bin/sh" { bytes = 0 }
            end != "" { if ($0 == end) { print bytes + length($0) + 1, file; end = "" } next }
            /^#/ { next }
            { sub(/^core=[0-9]+ /, "core=10000 "); bytes += length($0) + 1 }
            /^preflight <</ { end = $0; gsub(/^[^<]*<<.|.$/, "", end) }'
    done | sort -n | tail -n 1
}

read -r bytes file < <(longest_wrapper)
row wrapper "${bytes:-999999}" 700 # without one in the fixtures it fails
echo "the longest wrapper is of $file"

# Whole user data, on each target and architecture, as a build counts it: beside a script of 1,500 bytes, of which none
# can be compressed away. On EKS dtc counts what EKS and eksctl say of a cluster, more than the 2,000 bytes that are asked
# for. With `artifacts` nothing gives way, and scripts may be fetched.
mkdir "$scratch/source"
{ echo '#!/bin/bash' && seq 9999 | sha256sum | sed 's/ .*//' && seq 1 2000 | sha512sum | sed 's/ .*//'; } >"$scratch/source/setup.sh"
while [ "$(wc -c <"$scratch/source/setup.sh")" -lt 1500 ]; do
    sha256sum <"$scratch/source/setup.sh" | sed 's/ .*/\n/; s/^/#/' | head -n 1 >>"$scratch/source/setup.sh"
done
truncate -s 1499 "$scratch/source/setup.sh" && echo >>"$scratch/source/setup.sh"
group='count = 2, zone = "us-east-1a", setup = [script("setup.sh")], validate { on_fail = terminate }'
cat >"$scratch/source/main.dt" <<END
dt 1
network lab {
  vpc     = "vpc-0123456789abcdef0"
  private = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  zones   = ["us-east-1a", "us-east-1b"]
}
cluster eks on eks {
  network   = lab
  version   = "1.36"
  artifacts = "s3://lab-artifacts/dtc/"
  nodes managed      { instance = "p5.48xlarge", $group }
  nodes managed-arm  { instance = "hpc7g.16xlarge", $group }
  nodes eksctl       like managed { group = eksctl }
  nodes eksctl-arm   like managed-arm { group = eksctl }
  nodes template     like managed { launch_template = own }
  nodes template-arm like managed-arm { launch_template = own }
  nodes stack        like managed { group = stack }
  nodes stack-arm    like managed-arm { group = stack }
}
cluster batch on batch {
  network   = lab
  artifacts = "s3://lab-artifacts/dtc/"
  nodes gpu { instance = "p5.48xlarge", $group }
  nodes arm { instance = "hpc7g.16xlarge", $group }
}
END
sed '/artifacts/d' "$scratch/source/main.dt" >"$scratch/source/eks.dt"
sed '/^cluster eks/,/^}/d; s/{ on_fail = terminate }/{}/' "$scratch/source/eks.dt" >"$scratch/source/batch.dt"

# The whole of a group's user data; with the check, of what EKS counts more than 2,000 bytes of NodeConfig that much less.
message_of() { # SAID GROUP
    sed -n "s/^$2: \([0-9]*\) bytes of user data, of 16384:.* .validate. [0-9]*,.*/\1/p" "$1"
}

build() { # SOURCE SAID
    (cd "$scratch/source" && "$dtc" build "$1" -o "../$1.out") >"$scratch/$2" 2>&1
}

build main.dt said
for group in eks.managed eks.managed-arm eks.eksctl eks.eksctl-arm eks.template eks.template-arm eks.stack eks.stack-arm \
    batch.gpu batch.arm; do
    bytes=$(message_of "$scratch/said" $group)
    most=16384
    case $group in batch.*) most=15400 ;; esac # AWS Batch adds a part of its own
    row "message $group" "${bytes:-999999}" $most # without one the check was left out
done
build batch.dt alone
for group in batch.gpu batch.arm; do
    bytes=$(message_of "$scratch/alone" $group)
    row "message $group without artifacts" "${bytes:-999999}" 15400
done
build eks.dt alone
for group in eks.managed eks.managed-arm eks.eksctl eks.eksctl-arm eks.template eks.template-arm eks.stack eks.stack-arm; do
    bytes=$(message_of "$scratch/alone" $group)
    row "message $group without artifacts, NodeConfig of 2,000 bytes, setup script of 1,500" "${bytes:-999999}" 16384
done
cat "$scratch/source/setup.sh" "$scratch/source/setup.sh" >"$scratch/source/large.sh"
sed 's/setup\.sh/large.sh/' "$scratch/source/eks.dt" >"$scratch/source/large.dt"
build large.dt large
claim 'what has no room is refused' grep -q '^error\[DT0520\]: 1[67][0-9]* bytes of user data, and EC2 takes 16384' "$scratch/large"
claim 'and the way out is named' grep -qF 'or give the cluster `artifacts = "s3://…"`' "$scratch/large"

finish
