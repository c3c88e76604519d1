#!/bin/bash
# Runs mpirun over the nodes of an AWS Batch job: bash -c THIS mpirun [OPTION]... PROGRAM [ARGUMENT]...: the arguments
# go to mpirun as they are, behind the host file and the number of ranks.
#
# Every node starts an sshd of its own whose host key is the key of the cluster: who has it, and nobody else, comes in
# and is believed. A worker joins the main node and stays until it hears the outcome, which is then its own. Every wait
# ends: for nodes after MPIRUN_WAIT seconds, for a main node that is gone after two minutes.
#
# Status beside those of mpirun: 69 the image lacks a program, 75 a node is not there, 77 no key, 78 no such user.
set -euo pipefail
umask 077
PATH=$PATH:/usr/local/bin:/usr/sbin:/opt/amazon/openmpi/bin

node=${AWS_BATCH_JOB_NODE_INDEX:-0}
nodes=${AWS_BATCH_JOB_NUM_NODES:-1} # what the submission asked for
main=${AWS_BATCH_JOB_MAIN_NODE_INDEX:-0}
workers=${MPIRUN_WORKERS:?is how many ranks a node has}
limit=${MPIRUN_WAIT:?is how many seconds nodes may be late}
port=${MPIRUN_PORT:?is the port of their ssh servers}
dir=    # key, configuration and who is there
server= # sshd
client= # mpirun, or the worker's ssh

fail() { # STATUS MESSAGE
    echo "mpirun: node $node: $2" >&2
    exit "$1"
}

# Whatever ends the main node, its workers hear of it, and have ten seconds to leave.
leave() { # STATUS
    trap '' TERM INT
    [ -z "$client" ] || kill "$client" 2>/dev/null || true
    if [ -n "$server" ] && [ "$node" = "$main" ]; then
        echo "$1" >"$dir/outcome"
        exec 9<>"$dir/end" # opens the gate
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            rmdir "$dir/nodes" 2>/dev/null && break
            sleep 1
        done
    fi
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$dir" ] || rm -rf "$dir"
}
trap 'leave $?' EXIT
trap 'exit 143' TERM INT

# What sshd runs for whoever comes in: `join NODE`, or a command of mpirun, in the environment of this container, which
# sshd does not hand on.
write_session() {
    export -p >"$dir/environment"
    cat >"$dir/session" <<'END'
dir=${0%/*}
. "$dir/environment"
case $SSH_ORIGINAL_COMMAND in
"join "*)
    name=${SSH_ORIGINAL_COMMAND#join }
    read -r address _ own _ <<<"$SSH_CONNECTION"
    echo "$own" >"$dir/own.$name" && mv "$dir/own.$name" "$dir/own"
    echo "$address" >"$dir/node.$name" && mv "$dir/node.$name" "$dir/nodes/$name"
    : <"$dir/end" # until the gate opens
    cat "$dir/outcome"
    rm -f "$dir/nodes/$name"
    ;;
*) exec /bin/bash -c "$SSH_ORIGINAL_COMMAND" ;;
esac
END
}

fetch_key() {
    local region
    region=$(cut -d : -f 4 <<<"${MPIRUN_KEY:?}") # arn:PARTITION:secretsmanager:REGION:ACCOUNT:...
    AWS_MAX_ATTEMPTS=5 aws secretsmanager get-secret-value --region "$region" --secret-id "$MPIRUN_KEY" \
        --query SecretString --output text >"$dir/key" ||
        fail 77 "cannot read the key: was the step after the stack's, in plan.json, run?"
    ssh-keygen -y -P '' -f "$dir/key" >"$dir/key.pub" || fail 77 "the secret holds no private key"
    echo "node $(cat "$dir/key.pub")" >"$dir/known_hosts"
}

start_sshd() {
    local program
    for program in aws ssh sshd ssh-keygen; do
        command -v "$program" >/dev/null || fail 69 "the image has no $program, and jobs of several nodes need one"
    done
    id -un >/dev/null 2>&1 || fail 78 "user $(id -u) has no name in /etc/passwd, and ssh needs one"
    # sshd runs by it whatever it starts.
    case $(getent passwd "$(id -u)" 2>/dev/null | cut -d : -f 7) in
    */nologin | */false) fail 78 "user $(id -u) has no shell in /etc/passwd, and ssh needs one" ;;
    esac
    dir=$(mktemp -d)
    mkdir "$dir/nodes"
    mkfifo "$dir/end"
    fetch_key
    write_session
    printf '%s\n' "Port $port" "HostKey $dir/key" "AuthorizedKeysFile $dir/key.pub" "ForceCommand /bin/bash $dir/session" \
        'PermitRootLogin prohibit-password' 'PasswordAuthentication no' 'StrictModes no' 'UsePAM no' \
        'MaxStartups 1000' 'PidFile none' 'LogLevel ERROR' >"$dir/sshd_config"
    printf '%s\n' "Port $port" "IdentityFile $dir/key" 'IdentitiesOnly yes' 'BatchMode yes' 'HostKeyAlias node' \
        "UserKnownHostsFile $dir/known_hosts" 'GlobalKnownHostsFile /dev/null' 'StrictHostKeyChecking yes' \
        'ConnectTimeout 10' 'ServerAliveInterval 15' 'ServerAliveCountMax 8' 'LogLevel ERROR' >"$dir/ssh_config"
    [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
    "$(command -v sshd)" -D -e -f "$dir/sshd_config" &
    server=$!
    sleep 1
    kill -0 "$server" 2>/dev/null || fail 69 "sshd does not start"
}

# A connection that breaks is made again: until the main node is up, and then for as long as it may be away.
run_worker() {
    local address=${AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS:?} deadline=$((SECONDS + limit)) since
    while [ "$SECONDS" -lt "$deadline" ]; do
        since=$SECONDS
        ssh -n -F "$dir/ssh_config" "$address" "join $node" >"$dir/heard" &
        client=$!
        wait "$client" || true
        [ ! -s "$dir/heard" ] || exit "$(cat "$dir/heard")"
        [ $((SECONDS - since)) -lt 60 ] || deadline=$((SECONDS + 120))
        sleep 2
    done
    fail 75 "the main node, $address, does not answer"
}

# Sets `absent` to the nodes that have not joined.
look_around() {
    local i
    absent=
    for ((i = 0; i < nodes; i++)); do
        [ "$i" = "$main" ] || [ -e "$dir/nodes/$i" ] || absent="$absent $i"
    done
}

write_hosts() {
    local deadline=$((SECONDS + limit)) i
    while look_around && [ -n "$absent" ]; do
        [ "$SECONDS" -lt "$deadline" ] || fail 75 "of $nodes nodes these are not there after $limit seconds:$absent"
        sleep 1
    done
    for ((i = 0; i < nodes; i++)); do
        if [ "$i" = "$main" ]; then cat "$dir/own"; else cat "$dir/nodes/$i"; fi
    done | sed "s/\$/ slots=$workers/" >"$dir/hosts"
    cat "$dir/hosts"
}

run_main() {
    local status=0 again=yes
    write_hosts
    # Open MPI 4 reads the first, 5 the second.
    export OMPI_MCA_plm_rsh_agent="ssh -F $dir/ssh_config" PRTE_MCA_plm_ssh_agent="ssh -F $dir/ssh_config"
    "$mpirun" --hostfile "$dir/hosts" -np $((nodes * workers)) -N "$workers" "$@" </dev/null &
    client=$!
    trap 'again=yes; kill "$client" 2>/dev/null' TERM INT
    while [ -n "$again" ]; do # a signal ends a wait before its time
        again=
        status=0
        wait "$client" || status=$?
    done
    client=
    exit "$status"
}

# By its whole path, mpirun looks for its parts in the same place on every node.
mpirun=$(command -v mpirun) || fail 69 "the image has no mpirun"
if [ "$nodes" = 1 ]; then
    exec "$mpirun" --host "localhost:$workers" -np "$workers" "$@"
fi
start_sshd
if [ "$node" = "$main" ]; then
    run_main "$@"
fi
run_worker
