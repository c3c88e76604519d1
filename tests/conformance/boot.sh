#!/bin/bash
# Boots nodes from the whole user data that dtc writes, or that eksctl makes of dtc's file, with scripts of `setup` in it:
# boot.sh DTC. boot.py takes the message apart and runs the parts as cloud-init does, in an order that is cloud-init's. A
# healthy node, one whose hardware is at fault, one whose image is, and one whose setup fails: each on AWS Batch, in a group
# of eksctl and in one of a stack, with each `on_fail`.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
. tests/node/inject.sh
dtc=$(realpath "$1") || exit 3
type=p5.48xlarge
unshare --map-root-user --mount true 2>/dev/null || skip_all 'this machine gives no mount namespace'
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
[ "$(uname -m)" = x86_64 ] || skip_all "the cores of $type are for x86_64"
scratch=$(mktemp -d) || exit 3
end() {
    chmod -R u+rwx "$scratch"
    rm -rf "$scratch"
}
trap end EXIT

mkdir "$scratch/source" "$scratch/trees"
# What the check looks for is installed by the first script, so that the check has to come behind it.
cat >"$scratch/source/first.sh" <<'END'
#!/bin/bash
echo 'first script' >>/dev/console
touch /opt/installed
[ ! -e /dev/setup-fails ] || exit 3
END
cat >"$scratch/source/second.sh" <<'END'
#!/bin/bash
echo 'second script' >>/dev/console
END
cat >"$scratch/source/main.dt" <<'END'
dt 1

network lab {
  vpc     = "vpc-0123456789abcdef0"
  private = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  zones   = ["us-east-1a", "us-east-1b"]
}

cluster batch on batch {
  network = lab
  nodes plain {
    instance = "p5.48xlarge"
    count    = 2
    zone     = "us-east-1a"
    setup    = [script("first.sh"), script("second.sh")]
    validate { files = ["/opt/installed"] }
  }
  nodes quarantine like plain { validate { on_fail = quarantine } }
  nodes terminate like plain { validate { on_fail = terminate } }
}

cluster eks on eks {
  network = lab
  version = "1.36"
  nodes plain {
    instance = "p5.48xlarge"
    count    = 2
    zone     = "us-east-1a"
    setup    = [script("first.sh"), script("second.sh")]
    validate { files = ["/opt/installed"] }
  }
  nodes terminate like plain { validate { on_fail = terminate } }
  nodes stack like plain { group = stack }
  nodes stack-terminate like terminate { group = stack }
}
END
if ! (cd "$scratch/source" && "$dtc" build main.dt -o ../out) >"$scratch/said" 2>&1; then
    fail 'the source builds' '' "$scratch/said"
    finish
fi

tree() { # NAME FAULT: of fixtures/node/faults.tsv, or nothing
    cp -a "$scratch/trees/healthy" "$scratch/trees/$1" &&
        (cd "$scratch/trees/$1" && inject "$(awk -F '\t' -v kind="$2" '$1 == kind { print $3 }' "$OLDPWD/fixtures/node/faults.tsv")")
}

if ! {
    sh tests/node/mkroot.sh "$dtc" $type "$scratch/trees/healthy" &&
        tree hardware 'a GPU is off the bus' &&
        tree image 'the fabric manager does not run' &&
        tree setup '' &&
        mkdir -p "$scratch/trees/setup/dev" && touch "$scratch/trees/setup/dev/setup-fails"
} 2>"$scratch/said"; then
    fail 'there are trees' '' "$scratch/said"
    finish
fi

unshare --map-root-user --mount python3 -B tests/conformance/boot.py "$scratch/out" "$scratch/trees" "$scratch/instances" \
    >"$scratch/claims" 2>"$scratch/said"
result $? 'the nodes boot' '' "$scratch/said"
cat "$scratch/claims"
passed=$((passed + $(grep -c '^ok ' "$scratch/claims")))
failed=$((failed + $(grep -c '^not ok ' "$scratch/claims")))
finish
