#!/bin/bash
# The user data of each expected template as others read it: Python's email package the message, bash the parts.
set -u
cd "$(dirname "$0")/../.." || exit 3
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "skipped: PyYAML is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec python3 -B tests/conformance/user_data.py
