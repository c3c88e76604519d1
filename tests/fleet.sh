#!/bin/bash
# Fleets of 64 nodes with one at fault, a tenth of them, and all of them, on what dtc writes for each target: fleet.sh DTC.
# What becomes of an instance is what its own bootstrap does with dtc's own core, on a tree of tests/node/mkroot.sh with faults
# of fixtures/node/faults.tsv. tests/fleet/services.py plays who starts and ends instances; Slurm is a real one. dtc-node(7)
# has the table that comes out.
#
#   EVERY=1    each node of a fleet is started, and looks at itself, instead of one of each kind, and eight of Slurm
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
unshare --map-root-user --mount true 2>/dev/null || skip_all 'this machine gives no mount namespace'
dtc=$(realpath "$1")
seed=17
type=p5.48xlarge
hardware_kinds=5
image_kind='the fabric manager does not run'
scratch=$(mktemp -d) || exit 3
out=$scratch/out
trees=$scratch/trees
core=$PWD/build/node/dtc-node.$(uname -m)
. tests/node/inject.sh
. tests/fleet/slurm.sh
. tests/fleet/throttle.sh
end_all() {
    end_slurm
    chmod -R u+rwx "$scratch"
    rm -rf "$scratch"
}
trap end_all EXIT
export LC_ALL=C PROCESSES=3

# The faults of the type that the first stage fails, in an order that follows from the seed.
kinds() {
    local kind other how settings first rest
    while IFS=$'\t' read -r kind other how settings first rest; do
        if [ "$other $settings" = "$type -" ] && [[ $first = fail\ * ]]; then
            printf '%s\t%s\t%s\n' "$(printf %s "$seed $kind" | cksum | cut -d ' ' -f 1)" "$kind" "$how"
        fi
    done <fixtures/node/faults.tsv | sort -n
}

# A tree for the healthy node, for the first of the faults that are of the hardware, as the core says, and for one that is of
# the image.
make_trees() {
    local number=0 of_hardware=0 of_image=0 kind how tree
    mkdir "$trees"
    sh tests/node/mkroot.sh "$dtc" $type "$trees/healthy" || return 1
    mkdir -p "$trees/healthy/sys/devices/virtual/dmi/id"
    printf '%s\thealthy\t-\n' "$trees/healthy" >"$trees/kinds"
    while IFS=$'\t' read -r _ kind how; do
        [ "$kind" = "$image_kind" ] || [ $of_hardware -lt $hardware_kinds ] || continue
        tree=$trees/$((number += 1))
        cp -a "$trees/healthy" "$tree"
        (cd "$tree" && inject "$how")
        "$core" --root "$tree" --expect "$scratch/plain.record" >/dev/null
        case $? in
        1) of_hardware=$((of_hardware + 1)) && printf '%s\thardware\t%s\n' "$tree" "$kind" ;;
        4) [ "$kind" != "$image_kind" ] || { of_image=1 && printf '%s\timage\t%s\n' "$tree" "$kind"; } ;;
        esac >>"$trees/kinds"
    done < <(kinds)
    [ $of_hardware = $hardware_kinds ] && [ $of_image = 1 ]
}

# The record that a script for nodes carries.
record_of() { # SCRIPT
    sed '1,/preflight <</d; /^ *END$/,$d' "$1" | base64 -di | gzip -dc |
        tail -c +$((1 + $(sed -n 's/^ *core=\([0-9]*\) check=/\1 + /p' "$1" | head -n 1)))
}

# Without what only a node that boots looks at, or starts.
record_of_node() { # SCRIPT FILE
    record_of "$1" | grep -v '^libfabric ' >"$2"
    [ -s "$2" ]
}

tree_named() { # healthy|hardware|image
    sed -n "s/\t$1\t.*//p" "$trees/kinds"
}

# Claims that another program has printed.
count_claims() { # FILE
    local line
    while IFS= read -r line; do
        case $line in
        'ok '*) passed=$((passed + 1)) ;;
        'not ok '*) failed=$((failed + 1)) ;;
        row* | said*) continue ;;
        esac
        printf '%s\n' "$line"
    done <"$1"
}

if ! "$dtc" build tests/fleet/infra.dt -o "$out" >"$scratch/said" 2>&1 ||
    ! record_of_node "$out"/parallelcluster.plain-node-*.sh "$scratch/plain.record" ||
    ! record_of_node "$out"/written.terminate-node-*.sh "$scratch/written.record"; then
    fail 'tests/fleet/infra.dt builds' '' "$scratch/said"
    finish
fi
if ! make_trees 2>"$scratch/said"; then
    fail 'there are trees with faults' '' "$scratch/said"
    finish
fi
healthy=$(tree_named healthy)
image=$(tree_named image)
readarray -t hardware < <(tree_named hardware)

unshare --map-root-user --mount python3 -B tests/fleet/fleet.py "$out" "$trees" "$scratch/instances" >"$scratch/rows" 2>"$scratch/said"
result $? 'the fleets start'
cat "$scratch/said"
count_claims "$scratch/rows"
slurm_fleet
throttled_fleet

# ---- what dtc-node(7) says of them

sed -n '/^\.Ss A fleet/,/^\.S[sh] [^A]/p' man/dtc-node.7 | sed 's/\\&//g; s/\\-/-/g' >"$scratch/page"
slurm_runs >/dev/null || sed -i '/^\.It Slurm /d; /^dtc: /d' "$scratch/page"
sed -n 's/^row\t//p' "$scratch/rows" | sed 's/\t/ Ta /g; s/^/.It /' >"$scratch/found"
grep '^\.It .* Ta ' "$scratch/page" | grep -v '^\.It Em ' | diff - "$scratch/found" >"$scratch/difference"
result $? 'dtc-node(7) has the table'
[ ! -s "$scratch/difference" ] || cat "$scratch/difference"

is_said() { # PATTERN, in which ... is anything
    local text
    while IFS= read -r text; do
        # shellcheck disable=SC2053 # a pattern
        [[ $text != ${1//.../*} ]] || return 0
    done < <(sed -n 's/^said\t[^\t]*\t[^\t]*\t//p' "$scratch/rows")
    return 1
}

lines=0
while IFS= read -r line; do
    claim "dtc-node(7): a node says: $line" is_said "$line"
    lines=$((lines + 1))
done < <(sed -n '/^\.Bd/,/^\.Ed/p' "$scratch/page" | grep -v '^\.')
claim 'dtc-node(7) has what nodes say' [ $lines -ge 3 ]
finish
