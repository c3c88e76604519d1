#!/bin/bash
# No text of an author, a param or a file name gets out of its place: hostile.sh DTC. See hostile.py.
set -u
cd "$(dirname "$0")/../.." || exit 3
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "skipped: PyYAML is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec python3 -B tests/conformance/hostile.py "$1"
