# shellcheck shell=bash
# Puts what stands above it, which is fail.sh, where the parts below find it, at every boot.
[ -e /run/dtc/fail.sh ] || install -D "$0" /run/dtc/fail.sh
