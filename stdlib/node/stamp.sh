# shellcheck shell=sh
# The first stage's verdict says which core and which record it is of. The core itself has no room for a sum.
stamp() { # RECORD
    sed -i "s/,\"checks\":/,\"core\":\"sha256:$(sha256sum </opt/dtc/dtc-node | cut -c 1-64)\",\"record\":\"sha256:$(sha256sum <"$1" | cut -c 1-64)\"&/" /run/dtc/verdict.json
}
