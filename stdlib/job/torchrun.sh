#!/bin/bash
# Runs torchrun on a node of an AWS Batch job: bash -c THIS torchrun [OPTION]... PROGRAM [ARGUMENT]...: the arguments go to
# torchrun as they are, behind what it needs to find the other nodes. The nodes meet at the main node.
#
# Status 69: the image lacks torchrun.
set -euo pipefail
node=${AWS_BATCH_JOB_NODE_INDEX:?is the place of this node}
nodes=${AWS_BATCH_JOB_NUM_NODES:?is how many nodes there are}
main=${AWS_BATCH_JOB_MAIN_NODE_INDEX:-0}
port=${TORCHRUN_PORT:?is the port at which the nodes meet}
limit=${TORCHRUN_WAIT:?is how many seconds nodes may be late}

command -v torchrun >/dev/null || {
    echo "torchrun: node $node: the image has no torchrun" >&2
    exit 69
}

# Batch tells the main node's address to all others. It is the address by which the main node reaches the network:
# nothing is sent.
if [ "$node" = "$main" ]; then
    leader=$(python3 -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("192.0.2.1", 9))
print(s.getsockname()[0])')
else
    leader=${AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS:?is the address of the main node}
fi
# The processes of Neuron's runtime meet there too, at the next port. Others do not look at it.
export NEURON_RT_ROOT_COMM_ID=${NEURON_RT_ROOT_COMM_ID:-$leader:$((port + 1))}

# neuron_parallel_compile runs what it compiles.
exec ${TORCHRUN_UNDER:+"$TORCHRUN_UNDER"} torchrun --nnodes "$nodes" --node-rank "$node" --master-addr "$leader" \
    --master-port "$port" --rdzv-conf "timeout=$limit" "$@"
