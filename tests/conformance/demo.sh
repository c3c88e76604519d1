#!/bin/bash
# Types what `make demo` prints: demo.sh DTC. Its stacks are deployed against a local emulator of CloudFormation, one on the
# exports of the other, and the commands that it names run.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
command -v aws >/dev/null 2>&1 || skip_all "the AWS CLI is not installed"
python3 -c 'import boto3, moto.server, yaml' 2>/dev/null || skip_all "moto's server, boto3 or PyYAML is not installed"
python3 -c 'import moto; exit(int(moto.__version__.split(".")[0]) < 5)' || skip_all "moto is older than 5"
exec python3 -B tests/conformance/demo.py "$@"
