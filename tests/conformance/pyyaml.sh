#!/bin/bash
# What PyYAML, a YAML 1.1 reader, makes of each template in YAML is what the same build says in JSON: pyyaml.sh DTC.
set -u
cd "$(dirname "$0")/../.." || exit 3
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "skipped: PyYAML is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
exec python3 -B tests/conformance/pyyaml_json.py "$1"
