#!/bin/bash
# Runs cfn-lint over a cluster for each family in fixtures/matrix.tsv, with a job of two nodes: families.sh DTC. The
# cluster has the last type of the family, in the first way that the table says is built.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
cfn-lint --version >/dev/null 2>&1 || skip_all 'cfn-lint is not installed'
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

source_of() { # TYPE CAPACITY IMAGE
    local capacity=$2 ami=
    case $2 in
    reservation | capacity_block) capacity="$2(\"cr-0123456789abcdef0\")" ;;
    esac
    [ "$3" != own ] || ami='ami = "ami-0123456789abcdef0"'
    cat <<END
dt 1
network lab { vpc = "vpc-0123456789abcdef0", private = ["subnet-0123456789abcdef0"] }
cluster llm on batch {
  network = lab
  $ami
  nodes x { instance = "$1", count = 0..9, capacity = $capacity }
}
job train on llm { image = "public.ecr.aws/hpc-cloud/nccl-tests:latest", nodes = 2 }
END
}

# Of the first row that is built, `*` stands for a reservation and for the service's image.
families=$(grep -v '^#' fixtures/matrix.tsv | tail -n +2 | cut -f 1 | sed 's/[.].*//' | sort -u)
for family in $families; do
    type=$(awk -v family="$family" 'index($1, family ".") == 1 { sub(":.*", "", $1); print $1 }' \
        "schema/instances/$family.yaml" | tail -n 1)
    IFS=$'\t' read -r capacity image < <(awk -F '\t' -v family="$family" \
        'index($1, family ".") == 1 && $5 == "-" { print $2 "\t" $4; exit }' fixtures/matrix.tsv)
    if [ -z "$capacity" ]; then
        skip "$type" 'it is built with an `allow` alone'
        continue
    fi
    [ "$capacity" != '*' ] || capacity=reservation
    mkdir -p "$scratch/$type"
    source_of "$type" "$capacity" "$image" >"$scratch/$type.dt"
    if ! "$dtc" build "$scratch/$type.dt" -o "$scratch/$type" >/dev/null 2>"$scratch/errors"; then
        fail "$type" 'does not build' "$scratch/errors"
    fi
done

findings=$(cfn-lint --format parseable -- "$scratch"/*/*.cfn.yaml 2>&1)
for template in "$scratch"/*/*.cfn.yaml; do
    type=$(basename "$(dirname "$template")")
    if grep -F "$template:" <<<"$findings"; then
        fail "$type"
    else
        pass "$type"
    fi
done
others=$(grep -v -F "$scratch/" <<<"$findings" | grep .)
[ -z "$others" ] || fail cfn-lint "$others"
finish
