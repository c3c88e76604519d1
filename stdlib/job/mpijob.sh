#!/bin/bash
# Runs mpirun in the launcher of an MPIJob: bash -c THIS mpirun [ARGUMENT]...: the arguments go to mpirun as they are.
#
# The containers of the workers run by then, but the cluster may not know their names yet, and an ssh server takes its
# moment. So mpirun first starts a program that does nothing on each of them, until that succeeds.
#
# Status beside those of mpirun: 69 the image has no mpirun, 75 a worker does not answer.
#
# shellcheck disable=SC2154 # the next line becomes what is not set here
: "${settings:?}"
# What images of AWS have stands behind what this one says itself. An ssh server hands on nothing of a container's
# environment, so mpirun does.
export PATH=$PATH:/usr/local/bin:/opt/amazon/openmpi/bin LD_LIBRARY_PATH=${LD_LIBRARY_PATH-}

# By its whole path, mpirun looks for its parts in the same place on every node.
mpirun=$(command -v mpirun) || {
    echo "mpirun: the image has no mpirun" >&2
    exit 69
}
until said=$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout --kill-after=10 60 \
    "$mpirun" -np "$workers" -N 1 true 2>&1 </dev/null); do
    if [ "$SECONDS" -ge "$late" ]; then
        tail -n 20 <<<"$said" >&2
        echo "mpirun: of $workers workers one does not answer after $late seconds" >&2
        exit 75
    fi
    sleep 5
done
exec "$mpirun" "$@"
