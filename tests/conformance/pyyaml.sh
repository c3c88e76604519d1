#!/bin/bash
# Reads each template in YAML with PyYAML, a YAML 1.1 reader, and compares it with the same build in JSON: pyyaml.sh
# DTC.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
exec python3 -B tests/conformance/pyyaml_json.py "$1"
