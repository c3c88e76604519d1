#!/bin/bash
# Checks how the programs are compiled and linked: hardening.sh BUILD. Somebody's own flags may change that, so it
# looks at the plain build only.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh

build=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

command -v readelf >/dev/null 2>&1 || skip_all 'readelf is not installed'

has() { # PATTERN FILE: greps the whole, so that the writer is never cut off
    grep -E "$1" "$2" >/dev/null
}

hardened() { # PROGRAM
    local program=$build/$1
    readelf -hW "$program" >"$scratch/head"
    readelf -lW "$program" >"$scratch/segments"
    readelf -dW "$program" >"$scratch/dynamic"
    has '^ +Type: +DYN' "$scratch/head"
    result $? "$1 can be loaded at any address"
    has ' GNU_RELRO ' "$scratch/segments"
    result $? "$1: what is set up at the start cannot be written later"
    # Where there is no lazy binding, as in a static program, there is nothing to switch off.
    has 'Flags:.* NOW|\(BIND_NOW\)' "$scratch/dynamic" || ! has '\((JMPREL|NEEDED)\)' "$scratch/dynamic"
    result $? "$1: all names are bound at the start"
    has ' GNU_STACK .* RW +0x' "$scratch/segments"
    result $? "$1: the stack holds no code"
    ! has ' RWE ' "$scratch/segments"
    result $? "$1: nothing can be written and run"
    grep -aF "$(pwd -P)/" "$program" >/dev/null
    [ $? = 1 ]
    result $? "$1 does not name the folder that it was built in"
}

hardened dtc
hardened node/dtc-collective
hardened node/dtc-collective.x86_64
hardened node/dtc-collective.aarch64

# In the objects, since the C library brings both into a static program anyway.
for object in compiler/driver/render/diag_text.o stdlib/node/collective/wire.o; do
    readelf -sW "$build/obj/$object" >"$scratch/symbols"
    has ' __stack_chk_fail$' "$scratch/symbols"
    result $? "$object protects its stack"
done
readelf -sW "$build/obj/compiler/base/str.o" >"$scratch/symbols"
has ' __[a-z]+_chk$' "$scratch/symbols"
result $? "compiler/base/str.o checks the bounds of what it copies"

# libyaml is of the tests: a name that none of its own programs could miss.
readelf -sW "$build/dtc" >"$scratch/symbols"
readelf -dW "$build/dtc" >"$scratch/dynamic"
! has ' yaml_parser_initialize$' "$scratch/symbols" && ! has 'NEEDED.*libyaml' "$scratch/dynamic"
result $? "dtc holds no libyaml, which it does not call"

finish
