#!/bin/bash
# Looks in what a build writes for the variables without which data would go over TCP: fallback.sh DTC. Each launcher on each
# target, and each workload of EKS, on NVIDIA GPUs and on Neuron devices. The rows of GIVEN in schema/variables.def say
# which variables. Scripts of Slurm run as bash runs them, up to a stand-in for srun and mpirun that prints what it was given.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# ---- stand-ins of Slurm ----------------------------------------------------------------------------------------------

mkdir "$scratch/bin"
for tool in srun mpirun; do
    # shellcheck disable=SC2016 # for the stand-in
    printf '#!/bin/sh\n[ "$SLURM_EXPORT_ENV" != NONE ] && env\n' >"$scratch/bin/$tool"
done
cat >"$scratch/bin/scontrol" <<'END'
#!/bin/sh
case "$*" in
*hostnames*) echo node-1 ;;
*) echo 'NodeName=node-1 NodeAddr=10.0.0.5 Port=6818' ;;
esac
END
chmod +x "$scratch"/bin/*

# ---- what reaches the processes --------------------------------------------------------------------------------------

# Prints what is wanted on the places of ACCELERATOR, and what the file of a stack or of Kubernetes gives: NAME=VALUE.
cat >"$scratch/variables.py" <<'END'
import re, sys, yaml


class Loader(yaml.SafeLoader):
    pass


Loader.add_multi_constructor("!", lambda loader, tag, node: tag if isinstance(node, yaml.ScalarNode) else [tag])


def wanted(accelerator):
    rows = re.findall(r'^GIVEN\((\w+), "([^"]*)", ([^,]*),', open("schema/variables.def").read(), re.M)
    other = {"NVIDIA": "NEURON", "NEURON": "NVIDIA"}[accelerator]
    return [f"{name}={value}" for name, value, places in rows if other not in places]


def maps(value):
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from maps(item)


def pairs(container, list_key, name, value):
    return [f"{item[name]}={item.get(value)}" for item in container.get(list_key, []) if name in item]


def words_of(container):
    words = container.get("Command") or (container.get("command") or []) + (container.get("args") or [])
    return [word for word in words if isinstance(word, str)]


# Each container with the devices of a job, and what it has. mpirun hands on what stands behind -x, wherever it is.
def containers(path):
    found, forwarded, has_mpirun = [], None, False
    for document in yaml.load_all(open(path), Loader):
        for value in maps(document):
            words = words_of(value)
            env = pairs(value, "Environment", "Name", "Value") + pairs(value, "env", "name", "value")
            if any("mpirun" in word for word in words):
                has_mpirun = True
                forwarded = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "-x"]
            limits = (value.get("resources") or {}).get("limits") or {} if isinstance(value.get("resources"), dict) else {}
            if env or "vpc.amazonaws.com/efa" in limits:
                found.append(env)
    return found, forwarded if has_mpirun else None


if sys.argv[1] == "wanted":
    print("\n".join(wanted(sys.argv[2])))
else:
    found, forwarded = containers(sys.argv[3])
    assert found, "no container has an environment"
    for env in found:
        for row in wanted(sys.argv[2]):
            assert row in env, f"{row} is not in {env}"
    for row in wanted(sys.argv[2]) if forwarded is not None else []:
        assert row.split("=")[0] in forwarded, f"mpirun does not hand on {row}: {forwarded}"
END

# Runs the script of a job as its first node would, after `sbatch --export=NONE`.
script_gives() { # ACCELERATOR FILE
    local row
    env -i PATH="$scratch/bin:$PATH" HOME="$scratch" SLURM_JOB_ID=7 SLURM_JOB_NODELIST='node-[1-2]' SLURM_NODEID=0 \
        SLURM_JOB_NUM_NODES=2 SLURM_CPUS_PER_TASK=8 SLURM_EXPORT_ENV=NONE \
        bash "$2" >"$scratch/given" 2>"$scratch/stderr" || return 1
    while IFS= read -r row; do
        grep -qxF -- "$row" "$scratch/given" || { echo "no $row" >>"$scratch/stderr"; return 1; }
    done < <(python3 "$scratch/variables.py" wanted "$1")
    [ "$1" = NVIDIA ] || grep -q '^NEURON_RT_ROOT_COMM_ID=10\.0\.0\.5:' "$scratch/given"
}

evidence() {
    cat "$scratch/stderr"
    cat "$scratch/main.dt"
}

# ---- each target, type and launcher ----------------------------------------------------------------------------------

source_of() { # TARGET TYPE ATTRIBUTES
    local ami='' image='image = "public.ecr.aws/hpc-cloud/nccl-tests:latest"' zone=''
    case $1 in parallelcluster | pcs) image= ;; esac
    [ "$1" != eks ] || zone=', zone = "us-east-1a"'
    echo 'dt 1'
    echo 'network lab { zones = ["us-east-1a", "us-east-1b"] }'
    echo "cluster gpus on $1 {"
    echo '  network = lab'
    case $1 in
    eks) printf '  version = "1.36"\n  nodes system { instance = "m6i.xlarge", count = 2 }\n' ;;
    parallelcluster)
        echo '  head { instance = "m6i.2xlarge" }'
        [[ $2 != trn* ]] || echo '  ami = "ami-0123456789abcdef0"' # its own image has no driver of Neuron
        ;;
    pcs)
        echo '  slurm { version = "26.05" }'
        ami=', ami = "ami-0123456789abcdef0"'
        ;;
    esac
    echo "  nodes gpu { instance = \"$2\", count = 0..4${zone:-, zone = \"us-east-1a\"}$ami }"
    printf '}\njob train on gpus {\n  %s\n  nodes = 2\n  group = gpu\n  command = ["train.py"]\n  %s\n}\n' "$image" "$3"
}

try() { # TARGET TYPE ACCELERATOR ATTRIBUTES
    local file status=1
    about="$1, $2, $4"
    rm -rf "$scratch/out"
    source_of "$1" "$2" "$4" >"$scratch/main.dt"
    if ! "$dtc" build -o "$scratch/out" "$scratch/main.dt" >/dev/null 2>"$scratch/stderr"; then
        fail 'it builds'
        return
    fi
    case $1 in
    batch) file=$scratch/out/gpus.cfn.yaml ;;
    eks) file=$scratch/out/train.k8s.yaml ;;
    *) file=$scratch/out/train.sbatch ;;
    esac
    case $1 in
    batch | eks) python3 "$scratch/variables.py" given "$3" "$file" 2>"$scratch/stderr" && status=0 ;;
    *) script_gives "$3" "$file" && status=0 ;;
    esac
    result "$status" 'what keeps the data on EFA reaches the processes'
}

while read -r type accelerator; do
    for target in batch parallelcluster pcs eks; do
        for launcher in none mpirun torchrun srun; do
            case $target in
            batch) workloads= ;;
            eks) workloads='indexed_job train_job mpi_job volcano_job' ;;
            *) workloads= ;;
            esac
            for workload in ${workloads:--}; do
                attributes="launcher = $launcher"
                [ "$workload" = - ] || attributes="$attributes, workload = $workload"
                source_of "$target" "$type" "$attributes" >"$scratch/main.dt"
                # What a target does not take is no case.
                "$dtc" check "$scratch/main.dt" >/dev/null 2>&1 && try "$target" "$type" "$accelerator" "$attributes"
            done
        done
    done
done <<END
p5.48xlarge NVIDIA
trn1.32xlarge NEURON
END
about=
claim 'each launcher on each target is a case' [ "$passed" -ge 36 ]
finish
