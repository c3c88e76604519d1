#!/bin/bash
# Runs jobs with torchrun as their nodes would: torchrun.sh DTC. The containers of a multi-node job of AWS Batch, and the
# pods of an Indexed Job, are network namespaces with an address each. A stand-in for torchrun takes the options that
# torchrun takes, meets the other nodes over TCP where it is told to, and writes down what it was given.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
if [ -z "${INSIDE:-}" ]; then
    user=
    [ "$(id -u)" = 0 ] || user=--map-root-user
    # shellcheck disable=SC2086 # no word where it is empty
    if ! unshare $user --net --mount sh -c 'mkdir -p /run/netns && mount -t tmpfs none /run/netns &&
        ip link add probe type bridge && ip netns add probe' >/dev/null 2>&1; then
        skip_all 'this machine gives no network namespaces'
    fi
    export INSIDE=yes
    # shellcheck disable=SC2086
    exec unshare $user --net --mount bash "$0" "$dtc"
fi
mkdir -p /run/netns && mount -t tmpfs none /run/netns || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/bin"
cat >"$scratch/bin/torchrun" <<'END'
#!/usr/bin/env python3
"""Takes torchrun's options up to the program, meets the other nodes, and says who it is and what it was given."""
import os, socket, sys, time

options, words = {}, sys.argv[1:]
while words and words[0].startswith("-"):
    word = words.pop(0)
    options[word] = True if word in ("--standalone", "--no-python", "-m") else words.pop(0)
nodes, rank = int(options["--nnodes"]), int(options["--node-rank"])
place = options["--master-addr"], int(options["--master-port"])
met = set()
if rank == 0:
    server = socket.create_server(("", place[1]))
    server.settimeout(20)
    for _ in range(nodes - 1):
        peer, _ = server.accept()
        met.add(int(peer.recv(16)))
else:
    for _ in range(100):
        try:
            peer = socket.create_connection(place, 2)
            peer.sendall(str(rank).encode())
            break
        except OSError:
            time.sleep(0.1)
print("rank", rank, "of", nodes, "at", *place, "met", sorted(met))
print("options", {k: v for k, v in sorted(options.items()) if k in ("--nproc-per-node", "--max-restarts", "--rdzv-conf")})
print("words", words)
print("neuron", os.environ.get("NEURON_RT_ROOT_COMM_ID"), "provider", os.environ.get("FI_PROVIDER"))
END
chmod +x "$scratch/bin/torchrun"

# The container of a job, as lines of NUL-separated words: first its environment, then its command.
cat >"$scratch/read.py" <<'END'
import sys, yaml

class Loader(yaml.SafeLoader):
    pass

Loader.add_multi_constructor("!", lambda loader, suffix, node: "late " + suffix)

def container(document, name):
    for resource in (document.get("Resources") or {}).values():
        node = resource["Properties"].get("NodeProperties")
        if resource["Type"] == "AWS::Batch::JobDefinition" and node:
            yield node["NodeRangeProperties"][0]["Container"]
    if document.get("kind") == "Job":
        yield document["spec"]["template"]["spec"]["containers"][0]

out, path, number = sys.argv[1:4]
found = [c for d in yaml.load_all(open(path), Loader) for c in container(d, None)][int(number)]
env = [(e.get("Name") or e["name"], e.get("Value") or e.get("value")) for e in found.get("Environment") or found["env"]]
command = found.get("Command") or found["command"]
with open(out, "w") as file:
    for name, value in env:
        file.write(f"{name}={value}\0")
    file.write("\0")
    file.write("".join(word + "\0" for word in command))
END

mkdir "$scratch/batch" "$scratch/eks"
(cd fixtures/valid/batch-torchrun && "$dtc" build main.dt -o "$scratch/batch") >/dev/null 2>&1 || exit 3
(cd fixtures/valid/eks-jobs && "$dtc" build main.dt -o "$scratch/eks") >/dev/null 2>&1 || exit 3

# Nodes n0, n1, … with the addresses 10.1.0.1, 10.1.0.2, … and a way to everywhere.
ip link add hub type bridge && ip link set hub up && ip addr add 10.1.0.254/24 dev hub || exit 3
for i in 0 1 2 3; do
    ip netns add "n$i" && ip link add "port$i" type veth peer name eth0 netns "n$i" || exit 3
    ip link set "port$i" master hub up
    ip -n "n$i" addr add "10.1.0.$((i + 1))/24" dev eth0
    ip -n "n$i" link set eth0 up && ip -n "n$i" link set lo up
    ip -n "n$i" route add default via 10.1.0.254
done

# Runs what `read.py` left, as node NUMBER, with further variables.
run() { # NUMBER [NAME=VALUE…]
    local number=$1 word words=() env=() is_env=yes
    shift
    while IFS= read -r -d '' word; do
        if [ -n "$is_env" ] && [ -z "$word" ]; then
            is_env=
        elif [ -n "$is_env" ]; then
            env+=("$word")
        else
            words+=("$word")
        fi
    done <"$scratch/container"
    # As the kubelet does: $(NAME) is a variable, and $$(NAME) is none.
    for word in "${!words[@]}"; do
        words[word]=${words[word]//\$(JOB_COMPLETION_INDEX)/$number}
        words[word]=${words[word]//\$\$(/\$(}
    done
    # shellcheck disable=SC2016 # for the other bash
    ip netns exec "n$number" unshare --mount bash -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$scratch/hosts" \
        env -i PATH="$scratch/bin:$PATH" "${env[@]}" "$@" "${words[@]}" >"$scratch/said.$number" 2>&1
    echo $? >"$scratch/ended.$number"
}

evidence() {
    head -n 12 "$scratch"/said.* "$scratch"/ended.*
}

said() { # NUMBER LINE
    grep -qxF -- "$2" "$scratch/said.$1"
}

# ---- AWS Batch: four nodes with GPUs, of which the first one finds its own address

cp /etc/hosts "$scratch/hosts"
batch() { # NUMBER NODES
    local variables=("AWS_BATCH_JOB_NODE_INDEX=$1" "AWS_BATCH_JOB_NUM_NODES=$2" AWS_BATCH_JOB_MAIN_NODE_INDEX=0)
    [ "$1" = 0 ] || variables+=(AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS=10.1.0.1)
    run "$1" "${variables[@]}"
}
about='AWS Batch'
python3 "$scratch/read.py" "$scratch/container" "$scratch/batch/train.cfn.yaml" 0 || exit 3
for i in 3 2 1 0; do batch $i 4 & done
wait
claim 'four nodes meet at the address of the main node, at the port of the source' \
    said 0 'rank 0 of 4 at 10.1.0.1 29600 met [1, 2, 3]'
claim 'a worker has its own rank' said 2 'rank 2 of 4 at 10.1.0.1 29600 met []'
claim "torchrun's options are there" \
    said 1 "options {'--max-restarts': '2', '--nproc-per-node': '8', '--rdzv-conf': 'timeout=1800'}"
claim 'the command arrives word by word' said 1 "words ['train.py', '--data', 'late Ref']"
claim 'no process falls back to TCP' said 3 'neuron 10.1.0.1:29601 provider efa'

python3 "$scratch/read.py" "$scratch/container" "$scratch/batch/train.cfn.yaml" 1 || exit 3
for i in 1 0; do batch $i 2 & done
wait
claim "the processes of Neuron's runtime meet behind torchrun's port" said 1 'neuron 10.1.0.1:29501 provider efa'
claim 'a module is run as one' said 0 "words ['bert']"

mv "$scratch/bin/torchrun" "$scratch/torchrun"
batch 0 2
mv "$scratch/torchrun" "$scratch/bin/torchrun"
claim 'an image without torchrun is told by the status' [ "$(cat "$scratch/ended.0")" = 69 ]

# ---- EKS: the pods of an Indexed Job, which the headless service names

about='Indexed Job'
for i in 0 1 2 3; do echo "10.1.0.$((i + 1)) pretrain-$i.pretrain"; done >>"$scratch/hosts"
python3 "$scratch/read.py" "$scratch/container" "$scratch/eks/pretrain.k8s.yaml" 0 || exit 3
for i in 3 2 1 0; do run $i & done
wait
claim 'four pods meet at the name of the first one' \
    said 0 'rank 0 of 4 at pretrain-0.pretrain 29500 met [1, 2, 3]'
claim 'the index of a pod is its rank' said 3 'rank 3 of 4 at pretrain-0.pretrain 29500 met []'
claim "the author's \$(HOME) is the author's" said 2 "words ['train.py', '--config', 'it\\'s \$(HOME) \"x\".yaml']"
claim 'no process falls back to TCP' said 1 'neuron None provider efa'
finish
