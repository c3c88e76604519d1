#!/bin/bash
# What stands in mpijob.sh for another user than root: `keys` is the folder of the keys that the operator mounts, and
# `port` the one of the workers' ssh servers, which this user may open. The key of all of them is the one that the
# launcher comes with.
#
# Status: 78 the image does not know the user.
#
# shellcheck disable=SC2154 # both stand above
id -un >/dev/null 2>&1 || {
    echo "mpirun: user $(id -u) has no name in /etc/passwd, and ssh needs one" >&2
    exit 78
}
# sshd runs by it whatever it starts.
case $(getent passwd "$(id -u)" 2>/dev/null | cut -d : -f 7) in
*/nologin | */false)
    echo "mpirun: user $(id -u) has no shell in /etc/passwd, and ssh needs one" >&2
    exit 78
    ;;
esac
if ! known=$(mktemp /tmp/known.XXXXXX) || ! key=$(cat "$keys/id_rsa.pub") || ! echo "worker $key" >"$known"; then
    echo "mpirun: the workers' key cannot be noted in /tmp, and ssh believes no other" >&2
    exit 73
fi
# Open MPI 4 reads the first, 5 the second.
OMPI_MCA_plm_rsh_agent="ssh -p $port -i $keys/id_rsa -o IdentitiesOnly=yes -o BatchMode=yes -o HostKeyAlias=worker \
-o UserKnownHostsFile=$known -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes -o LogLevel=ERROR"
export OMPI_MCA_plm_rsh_agent PRTE_MCA_plm_ssh_agent=$OMPI_MCA_plm_rsh_agent
