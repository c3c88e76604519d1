#!/bin/bash
# Deploys what the fixtures expect against a local emulator of CloudFormation: deploy.sh DTC [FIXTURE…]. It runs the
# commands of plan.json with the AWS CLI, in their order, and then deletes everything again.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
command -v aws >/dev/null 2>&1 || skip_all "the AWS CLI is not installed"
command -v ssh-keygen >/dev/null 2>&1 || skip_all "ssh-keygen is not installed"
python3 -c '
from importlib.util import find_spec
exit(not all(map(find_spec, ("boto3", "moto.server", "yaml", "flask", "flask_cors"))))' 2>/dev/null ||
    skip_all "moto's server, boto3 or PyYAML is not installed"
python3 -c 'import moto; exit(int(moto.__version__.split(".")[0]) < 5)' || skip_all "moto is older than 5"
exec python3 -B tests/conformance/deploy.py "$@"
