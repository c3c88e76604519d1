#!/bin/bash
# One training job on every target, by every launcher, on one node and on four, with GPUs, with Neuron devices and with
# neither: jobs.sh DTC. A cell builds, or says what jobs.tsv has for it. What is built is held against the judges that
# are installed: the schemas of Kubernetes, cfn-lint, shellcheck; README.md says where they come from.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
dtc=$PWD/$1
schemas=${KUBERNETES_SCHEMAS:-build/judges/kubernetes}
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# The same on every target, but for the lines that a target needs.
source_of() { # TARGET LAUNCHER WORKLOAD NODES TYPE CONTAINER
    local lines='' image='' workload=''
    case $1 in
    parallelcluster) lines='  head { instance = "m6i.xlarge" }' ;;
    pcs) lines='  ami = "ami-0123456789abcdef0"
  slurm { version = "25.05" }' ;;
    eks) lines='  version = "1.36"' ;;
    esac
    case $1.$5 in
    parallelcluster.trn1.*) lines+='
  ami = "ami-0123456789abcdef0"' ;; # its own image has no driver of Neuron
    esac
    [ "$6" = bare ] || image='  image = "public.ecr.aws/hpc-cloud/nccl-tests:v2"'
    [ "$3" = - ] || workload="  workload = $3"
    cat <<EOF
dt 1
network lab {
  vpc     = "vpc-0123456789abcdef0"
  public  = ["subnet-0123456789abcdef1", "subnet-0123456789abcdef3"]
  private = ["subnet-0123456789abcdef2", "subnet-0123456789abcdef4"]
  zones   = ["us-east-2b", "us-east-2c"]
}
cluster llm on $1 {
  network = lab
$lines
  nodes gpus { instance = "$5", count = 0..4, zone = "us-east-2b" }
}
job train on llm {
$image
$workload
  nodes    = $4
  launcher = $2
  command  = ["./train", "--epochs", "3"]
}
EOF
}

# What jobs.tsv says of a cell: the first row that fits.
expected() { # CELL
    local cells codes
    while IFS=$'\t' read -r cells codes; do
        # shellcheck disable=SC2053
        if [[ $1 == $cells ]]; then
            echo "$codes"
            return
        fi
    done < <(grep -v '^#' tests/conformance/jobs.tsv)
    echo -
}

cell() { # TARGET LAUNCHER WORKLOAD NODES TYPE CONTAINER
    local name="$1.$2.$3.$4.${5%%.*}.$6" said wanted
    mkdir "$scratch/$name"
    source_of "$@" >"$scratch/$name/infra.dt"
    (cd "$scratch/$name" && "$dtc" build -o out infra.dt) >"$scratch/$name/said" 2>&1
    said=$(grep -oE '^(error|warning)\[DT[0-9]{4}\]' "$scratch/$name/said" | grep -oE 'DT[0-9]{4}' | LC_ALL=C sort -u |
        paste -sd ' ')
    wanted=$(expected "$name")
    if [ "${said:--}" = "$wanted" ]; then
        pass "$name: $wanted"
    else
        fail "$name" "says ${said:-nothing}, and jobs.tsv has $wanted" "$scratch/$name/said"
    fi
}

for type in p5.48xlarge trn1.32xlarge hpc7a.96xlarge; do
    for nodes in 1 4; do
        for launcher in none mpirun torchrun srun; do
            cell batch $launcher - $nodes $type container
            for target in parallelcluster pcs; do
                cell $target $launcher - $nodes $type bare
                cell $target $launcher - $nodes $type container
            done
            for workload in indexed_job train_job mpi_job volcano_job; do
                cell eks $launcher $workload $nodes $type container
            done
        done
    done
done

shopt -s nullglob
for script in "$scratch"/*/out/*.sbatch; do
    name=${script#"$scratch/"}
    claim "bash reads $name" bash -n "$script"
    if command -v shellcheck >/dev/null; then
        claim "shellcheck has nothing to say of $name" shellcheck -S warning "$script"
    fi
done
command -v shellcheck >/dev/null || skip 'shellcheck is not installed: the scripts are held against bash -n alone'

manifests=("$scratch"/*/out/*.k8s.yaml)
if [ ! -f "$schemas/openapi.json" ]; then
    skip "$schemas has no schemas of Kubernetes: ${#manifests[@]} manifests"
elif ! python3 -c 'import jsonschema, yaml' 2>/dev/null; then
    skip "jsonschema and PyYAML for Python are not installed: ${#manifests[@]} manifests"
else
    python3 -B tests/conformance/kubernetes_schemas.py "$schemas" "${manifests[@]}" >"$scratch/judged"
    result $? "${#manifests[@]} manifests are right by the schemas of Kubernetes, Volcano and Kubeflow"
    grep -v ': ok$' "$scratch/judged" | sed 's/^/    /'
fi

templates=("$scratch"/*/out/*.cfn.yaml)
if cfn-lint --version >/dev/null 2>&1; then
    cfn-lint --format parseable -- "${templates[@]}" >"$scratch/linted" 2>&1
    result $? "cfn-lint has nothing to say of ${#templates[@]} templates"
    sed 's/^/    /' "$scratch/linted"
else
    skip "cfn-lint is not installed: ${#templates[@]} templates"
fi
finish
