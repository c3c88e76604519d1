#!/bin/bash
# What the programs are built like: hardening.sh BUILD. A program of somebody's own flags may be otherwise, so this is about
# the plain build alone.
set -u
cd "$(dirname "$0")/.." || exit 3

build=$1
passed=0
failed=0
skipped=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

claim() { # STATUS TEXT
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok $2"
    else
        failed=$((failed + 1))
        echo "not ok $2"
    fi
}

if ! command -v readelf >/dev/null 2>&1; then
    echo "skipped: readelf is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

has() { # PATTERN FILE: greps the whole, so that the writer is never cut off
    grep -E "$1" "$2" >/dev/null
}

hardened() { # PROGRAM
    local program=$build/$1
    readelf -hW "$program" >"$scratch/head"
    readelf -lW "$program" >"$scratch/segments"
    readelf -dW "$program" >"$scratch/dynamic"
    has '^ +Type: +DYN' "$scratch/head"
    claim $? "$1 can be loaded at any address"
    has ' GNU_RELRO ' "$scratch/segments"
    claim $? "$1: what is set up at the start cannot be written later"
    # Where there is no lazy binding, as in a static program, there is nothing to switch off.
    has 'Flags:.* NOW|\(BIND_NOW\)' "$scratch/dynamic" || ! has '\((JMPREL|NEEDED)\)' "$scratch/dynamic"
    claim $? "$1: all names are bound at the start"
    has ' GNU_STACK .* RW +0x' "$scratch/segments"
    claim $? "$1: the stack holds no code"
    ! has ' RWE ' "$scratch/segments"
    claim $? "$1: nothing can be written and run"
    grep -aF "$(pwd -P)/" "$program" >/dev/null
    [ $? = 1 ]
    claim $? "$1 does not name the folder that it was built in"
}

hardened dtc
hardened node/dtc-collective
hardened node/dtc-collective.x86_64
hardened node/dtc-collective.aarch64

# In the objects, since the C library brings both into a static program anyway.
for object in compiler/driver/diag_text.o stdlib/node/collective/wire.o; do
    readelf -sW "$build/obj/$object" >"$scratch/symbols"
    has ' __stack_chk_fail$' "$scratch/symbols"
    claim $? "$object protects its stack"
done
readelf -sW "$build/obj/compiler/base/str.o" >"$scratch/symbols"
has ' __[a-z]+_chk$' "$scratch/symbols"
claim $? "compiler/base/str.o checks the bounds of what it copies"

# libyaml is of the tests: a name that none of its own programs could miss.
readelf -sW "$build/dtc" >"$scratch/symbols"
readelf -dW "$build/dtc" >"$scratch/dynamic"
! has ' yaml_parser_initialize$' "$scratch/symbols" && ! has 'NEEDED.*libyaml' "$scratch/dynamic"
claim $? "dtc holds no libyaml, which it does not call"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
