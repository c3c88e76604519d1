#!/bin/sh
# Builds inputs that ask for much, and measures what they take: limits.sh BUILD [long [LABEL]]. A short run compares
# the memory of small inputs with a small part of the limit. It measures no time.
set -u
cd "$(dirname "$0")/.." || exit 3

build=$1
length=${2:-short}
[ $# -lt 2 ] || shift
shift
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
"$build/tests/limits/limits" "$build/dtc" "$scratch" "$length" "$@"
