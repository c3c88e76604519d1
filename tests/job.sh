#!/bin/bash
# Runs stdlib/job/mpirun.sh as the nodes of a job. Each node is a process with an address of its own. Stand-ins replace
# what an image brings: `ssh` finds the "sshd" of an address and runs its ForceCommand, and `mpirun` writes down how it
# was called.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
bin=$scratch/bin
mkdir "$bin"

program() { # NAME, and its text on standard input
    { echo '#!/bin/bash'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

program aws <<'END'
echo "$*" >>"$WORLD/aws"
[ ! -e "$WORLD/empty" ] || { echo "ResourceNotFoundException" >&2; exit 254; }
echo private
END
program ssh-keygen <<'END'
while [ "$1" != -f ]; do shift; done
grep -q private "$2" && echo "ssh-ed25519 public"
END
program sshd <<'END'
[ "$1 $2 $3" = "-D -e -f" ] || exit 1
cp "$4" "$WORLD/sshd.$ADDRESS"
exec sleep 1000
END
program ssh <<'END'
[ "$1" != -n ] || { shift; exec </dev/null; }
[ "$1" = -F ] && [ -e "$2" ] || exit 255
host=$3
shift 3
[ -e "$WORLD/sshd.$host" ] || exit 255
export SSH_ORIGINAL_COMMAND="$*" SSH_CONNECTION="$ADDRESS 40000 $host 2222"
exec $(sed -n 's/^ForceCommand //p' "$WORLD/sshd.$host")
END
program getent.nobody <<'END'
echo nobody:x:65534:65534::/:/sbin/nologin
END
program mpirun <<'END'
printf '%s\n' "$@" >"$WORLD/arguments"
while [ $# -gt 0 ]; do
    [ "$1" != --hostfile ] || cp "$2" "$WORLD/hosts"
    shift
done
[ ! -e "$WORLD/hosts" ] || while read -r host _; do
    $OMPI_MCA_plm_rsh_agent "$host" 'echo "$ADDRESS has $PRIVATE"'
done <"$WORLD/hosts" >"$WORLD/reached"
[ ! -e "$WORLD/long" ] || exec sleep 1000
exit "$(cat "$WORLD/status")"
END

# A world of its own for each test.
world() { # STATUS OF MPIRUN
    WORLD=$(mktemp -d "$scratch/world.XXXXXX")
    mkdir "$WORLD/tmp"
    echo "$1" >"$WORLD/status"
}

# Runs node NUMBER of COUNT with the further arguments; its status and what it said are in the world.
node() { # NUMBER COUNT [ARGUMENT…]
    local number=$1 count=$2
    shift 2
    env -i PATH="${TOOLS:-$bin:$PATH}" WORLD="$WORLD" TMPDIR="$WORLD/tmp" ADDRESS="10.0.0.$((number + 1))" \
        PRIVATE="what is of node $number" AWS_BATCH_JOB_NODE_INDEX="$number" AWS_BATCH_JOB_NUM_NODES="$count" \
        AWS_BATCH_JOB_MAIN_NODE_INDEX=0 AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS=10.0.0.1 MPIRUN_WORKERS=8 \
        MPIRUN_KEY=arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:SshKey-a1b2c3 MPIRUN_PORT=2222 \
        MPIRUN_WAIT="${LIMIT:-60}" bash -c "${SCRIPT:-$(cat "$root/stdlib/job/mpirun.sh")}" mpirun "$@" \
        >"$WORLD/said.$number" 2>&1 &
    echo $! >"$WORLD/process.$number"
    wait $!
    echo $? >"$WORLD/ended.$number"
}

evidence() {
    head -n 20 "$WORLD"/said.* "$WORLD"/hosts "$WORLD"/arguments 2>/dev/null
}

holds() { # FILE TEXT
    [ "$(cat "$WORLD/$1")" = "$2" ]
}

says() { # FILE TEXT
    grep -qF -- "$2" "$WORLD/$1"
}

lacks() { # FILE
    [ ! -e "$WORLD/$1" ]
}

leaves_nothing() {
    [ -z "$(ls "$WORLD/tmp")" ]
}

# ---- two nodes

world 0
node 1 2 -x A program 'two  words' "\$HOME; 'quotes\"" '' last &
node 0 2 -x A program 'two  words' "\$HOME; 'quotes\"" '' last
wait
claim "two nodes of eight workers are in the host file" holds hosts "10.0.0.1 slots=8
10.0.0.2 slots=8"
claim "two nodes are 16 ranks, and the arguments arrive as they are" holds arguments "--hostfile
$(sed -n 2p "$WORLD/arguments")
-np
16
-N
8
-x
A
program
two  words
\$HOME; 'quotes\"

last"
claim "what mpirun starts on a node has that node's environment" holds reached \
    "10.0.0.1 has what is of node 0
10.0.0.2 has what is of node 1"
claim "the main node ends as mpirun does" holds ended.0 0
claim "a worker ends with it" holds ended.1 0
claim "the key is asked for in the region of its secret" says aws "--region cn-north-1"
claim "no key stays behind" leaves_nothing

world 9
node 1 2 program &
node 0 2 program
wait
claim "a failure of mpirun's is the main node's" holds ended.0 9
claim "and the workers'" holds ended.1 9

# ---- nodes that are not there

world 0
LIMIT=3
node 1 3 program &
node 0 3 program
wait
claim "a missing node ends the wait" holds ended.0 75
claim "the message counts and names it" says said.0 "of 3 nodes these are not there after 3 seconds: 2"
claim "nodes that had come hear of it" holds ended.1 75
claim "mpirun was not started" lacks arguments

world 0
node 1 2 program
claim "a worker does not wait for ever for the main node" holds ended.1 75
claim "and says whom it waited for" says said.1 "the main node, 10.0.0.1, does not answer"
LIMIT=

# ---- being stopped

world 0
touch "$WORLD/long"
node 1 2 program &
node 0 2 program &
until [ -e "$WORLD/reached" ]; do sleep 0.2; done
kill -TERM "$(cat "$WORLD/process.0")"
wait
claim "a main node that is stopped stops mpirun" holds ended.0 143
claim "and its workers" holds ended.1 143

# ---- one node

world 5
node 0 1 -x A program
claim "one node needs no ssh" holds arguments "--host
localhost:8
-np
8
-x
A
program"
claim "nor a key" lacks aws
claim "and ends as mpirun does" holds ended.0 5

# ---- what an image or a stack lacks

world 0
touch "$WORLD/empty"
node 0 2 program
claim "an empty secret has a status of its own" holds ended.0 77
claim "and the message says what was left out" says said.0 "was the step after the stack's, in plan.json, run?"
claim "nothing stays behind then either" leaves_nothing

for missing in aws sshd mpirun; do
    world 0
    mkdir "$WORLD/bin"
    for tool in bash cat cut mktemp mkdir mkfifo id rm rmdir sed sleep; do
        ln -s "$(command -v "$tool")" "$WORLD/bin/$tool"
    done
    cp "$bin"/* "$WORLD/bin"
    rm "$WORLD/bin/$missing"
    # Without the places where the script looks further, which this machine may fill.
    TOOLS=$WORLD/bin SCRIPT=$(sed '/^PATH=/d' "$root/stdlib/job/mpirun.sh") node 0 2 program
    claim "an image without $missing has a status of its own" holds ended.0 69
    claim "and the message names $missing" says said.0 "the image has no $missing"
done

# A user such as nobody may start nothing by ssh.
world 0
mkdir "$WORLD/bin"
cp "$bin"/* "$WORLD/bin"
mv "$WORLD/bin/getent.nobody" "$WORLD/bin/getent"
TOOLS=$WORLD/bin:$PATH SCRIPT=$(sed '/^PATH=/d' "$root/stdlib/job/mpirun.sh") node 0 2 program
claim "a user without a shell has a status of its own" holds ended.0 78
claim "and the message says so" says said.0 "has no shell in /etc/passwd"

# ---- the launcher of an MPIJob as another user than root

launcher() { # TOOLS
    env -i PATH="$1" bash -c "keys=$WORLD/keys port=2222
$(cat "$root/stdlib/job/mpijob-user.sh")
echo \"\$OMPI_MCA_plm_rsh_agent\" && [ \"\$OMPI_MCA_plm_rsh_agent\" = \"\$PRTE_MCA_plm_ssh_agent\" ]" >"$WORLD/said.0" 2>&1
    echo $? >"$WORLD/ended.0"
}
world 0
mkdir "$WORLD/keys" "$WORLD/bin"
echo "ecdsa-sha2-nistp521 public" >"$WORLD/keys/id_rsa.pub"
launcher "$PATH"
claim "mpirun comes with the key of the folder, to the port of the servers" says said.0 "ssh -p 2222 -i $WORLD/keys/id_rsa"
claim "in both of its versions" holds ended.0 0
known=$(sed -n 's/.*UserKnownHostsFile=\([^ ]*\) .*/\1/p' "$WORLD/said.0")
cp "$known" "$WORLD/known"
rm "$known"
claim "and knows the key of each worker" holds known "worker ecdsa-sha2-nistp521 public"
cp "$bin"/getent.nobody "$WORLD/bin/getent"
launcher "$WORLD/bin:$PATH"
claim "a user without a shell has a status of its own there too" holds ended.0 78

# ---- what a job may not set

sets_what_is_listed() {
    local listed
    listed=$(grep -o '^NAMES(SBATCH_VARIABLES, .*)$' "$root/schema/names.def" | grep -o '"[a-z_]*"' | tr -d '"' | sort)
    # The scripts in which nodes measure each other take no variables of the author's.
    diff <(grep -L '^drained=' "$root"/fixtures/valid/*/expected/*.sbatch |
        xargs grep -hoE '^[a-z_]+=' | tr -d = | sort -u) <(echo "$listed")
}
claim "the rule knows each variable that a script for sbatch sets" sets_what_is_listed

finish
