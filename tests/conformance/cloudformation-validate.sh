#!/bin/bash
# Runs AWS's own validator over every template that the fixtures expect: cloudformation-validate.sh DTC. There must be
# no finding, except those in the list below, with the reason. Then it runs over a template with mistakes, and leads
# the findings back to the source. README.md says how to get the validator; no test downloads anything.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
. tests/judges.sh

# As judge_explain() takes them.
# shellcheck disable=SC2016,SC2034
accepted='
fixtures/.* E3059 the validator knows the first block of a VPC only; these have more, by AWS::EC2::VPCCidrBlock
fixtures/reference/eks-p5-cb-nodegroup-cfn/.* E1152 the validator takes the default of a param for its value: empty for an id that need not be given, and a name for an image that SSM resolves
fixtures/valid/language-late/.* F3031.*LabReader the default of a list that need not be given is empty; the condition around it is not read
fixtures/valid/eks-identity/.* E1156 the validator takes the empty default of a param for its value; the condition around it is not read
fixtures/.* W3010 zones stand in the source by name, and cfn-lint is told so in Metadata, which the validator does not read
fixtures/valid/(eks-identity|pcs-groups)/.* W9002 the author gives a role by its ARN
fixtures/valid/(batch-nodes|eks-identity|pcs-groups|values-of-aws)/.* W9013 the author gives a role by its ARN
fixtures/valid/batch-late-access/.* I3042 the author writes the partition in the ARN of a key
fixtures/valid/batch-parts/.* I3013 the author leaves the retention of a queue to the service
fixtures/valid/raw-attributes/.* I9003 the author names no region
fixtures/.* I9001 says of each create-only property that a change of it replaces the resource
fixtures/.* I9040 the author gives tags; dtc adds none to what nobody pays for by itself
fixtures/.* I3011 dtc keeps nothing when a stack goes, unless the author writes `keep`
'

package=${CLOUDFORMATION_VALIDATE:-build/judges/node_modules/@aws/cloudformation-validate}
shopt -s nullglob
templates=(fixtures/*/*/expected/*.cfn.yaml fixtures/*/*/expected/*.cfn.json)
node --version >/dev/null 2>&1 || skip_all 'node is not installed'
[ -e "$package/index.js" ] ||
    skip_all "there is no $package: tests/conformance/README.md says how to get it"

judge_read "$1" node tests/conformance/cloudformation_validate.js "$package"
judge_explain
judge_templates
# The others are information.
judge_objections "$1" ':(FATAL|ERROR):'
finish
