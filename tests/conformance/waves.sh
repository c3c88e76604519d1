#!/bin/bash
# Takes a program through its waves: waves.sh DTC. The AWS CLI deploys the network against a local emulator. The output
# of describe-stacks goes back to dtc as it is, and dtc then writes the files that waited.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
command -v aws >/dev/null 2>&1 || skip_all "the AWS CLI is not installed"
python3 -c 'import boto3, moto.server, yaml' 2>/dev/null || skip_all "moto's server, boto3 or PyYAML is not installed"
python3 -c 'import moto; exit(int(moto.__version__.split(".")[0]) < 5)' || skip_all "moto is older than 5"
exec python3 -B tests/conformance/waves.py "$@"
