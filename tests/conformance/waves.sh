#!/bin/bash
# Takes a program through its waves: the network is deployed with the AWS CLI against a local emulator, what
# describe-stacks prints is given back as it is, and the files that waited are written: waves.sh DTC.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
command -v aws >/dev/null 2>&1 || skip_all "the AWS CLI is not installed"
python3 -c 'import boto3, moto.server, yaml' 2>/dev/null || skip_all "moto's server, boto3 or PyYAML is not installed"
python3 -c 'import moto; exit(int(moto.__version__.split(".")[0]) < 5)' || skip_all "moto is older than 5"
exec python3 -B tests/conformance/waves.py "$@"
