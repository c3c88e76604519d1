# shellcheck shell=sh disable=SC2034
# With `on_fail = warn`, in place of the file of the target: what fails is said, and the node takes work all the same.
consequence='on_fail = warn: it takes work'

quarantine() {
    rm /run/dtc/failed
    exit 0
}

admit() { :; }
