# shellcheck shell=sh
# The first stage's verdict says which core and which record it is of. The core itself has no room for a sum.
stamp() { # RECORD
    sed -i "s/,\"checks\":/,\"core\":\"sha256:$(sha256sum </opt/dtc/dtc-node | cut -c 1-64)\",\"record\":\"sha256:$(sha256sum <"$1" | cut -c 1-64)\"&/" \
        /run/dtc/verdict.json
}

# Checks of the last look that ended so, a line each.
ended() { # pass|fail
    grep -oh "\"id\":\"[^\"]*\",\"s\":\"$1\",\"want\":\"[^\"]*\"" /run/dtc/verdict.json /run/dtc/device.json 2>/dev/null |
        sed 's/"s":"....",//'
}

# What has passed since this node's boot. It came with an image that is good, so that what fails of it later is this
# node's, whatever its class.
remember() {
    ended pass >>/run/dtc/good
    sort -u -o /run/dtc/good /run/dtc/good
}

# Whether something fails that has passed before. What hangs on more than this node does not count: where a server is
# away, it is away for all nodes.
was_good() {
    [ -s /run/dtc/good ] && ended fail | grep -vE '"(clock|lnet|mount|peers)"' | grep -qxFf /run/dtc/good
}
