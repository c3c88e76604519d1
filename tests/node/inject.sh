# shellcheck shell=bash
# How the faults of fixtures/node/faults.tsv get into a tree of tests/node/mkroot.sh, for scripts to source.

log() { # MESSAGE
    printf '3,9,9,-;%s\n' "$1" >>dev/kmsg
}

function_of() { # DRIVER NUMBER: the folder of one, the NUMBERth
    grep -l "^DRIVER=$1\$" sys/bus/pci/devices/*/uevent | sed -n "$2s/.uevent\$//p"
}

# Into the tree that is the working folder.
# shellcheck disable=SC2034 # the commands of the table read them
inject() { # COMMAND
    local gpu efa switch
    gpu=$(function_of nvidia 3)
    efa=$(function_of efa 5)
    switch=$(function_of nvidia-nvswitch 1)
    [ "$1" = - ] || eval "$1"
}
