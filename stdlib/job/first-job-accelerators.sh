#!/bin/sh
# The end of a first job on AWS Batch whose accelerators are measured, too. FIRST_JOB_LAUNCHER is the text of mpirun.sh, by
# which the nodes come together, and FIRST_JOB_ACCELERATORS that of accelerators.sh, which the main node runs then. Every
# node ends as that does: a node that is named stands in the log of the main node.
#
# shellcheck disable=SC2154 # what stands above it has the program
"$program" run "$@" || exit
PATH=$PATH:/usr/sbin:/opt/amazon/openmpi/bin
for tool in bash mpirun ssh sshd ssh-keygen; do
    if ! command -v "$tool" >/dev/null; then
        echo "the image has no $tool: nothing is measured between accelerators"
        exit 0
    fi
done
# The first mpirun is this one, which is called with --hostfile FILE -np NUMBER -N NUMBER PROGRAM. For all others it is gone.
place=${program%/*}
# shellcheck disable=SC2016 # of the script
printf '#!/bin/bash\nPATH=${PATH#*:} exec bash -c "$FIRST_JOB_ACCELERATORS" accelerators "$2" "$7"\n' >"$place/mpirun"
chmod 700 "$place/mpirun"
export PATH="$place:$PATH"
exec bash -c "$FIRST_JOB_LAUNCHER" mpirun "$program"
