#!/bin/bash
# The user data of each expected template as others read it: Python's email package the message, bash the parts.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
exec python3 -B tests/conformance/user_data.py
