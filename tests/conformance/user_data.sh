#!/bin/bash
# Reads the user data of each expected template as other programs do: Python's email package reads the message, and
# bash the parts.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
exec python3 -B tests/conformance/user_data.py
