#!/bin/bash
# Runs cfn-lint over templates that the fixtures expect: cfn-lint.sh DTC. There must be no error and no warning, except
# those in the list below. Then it runs over a template with mistakes, and leads the findings back to the source.
#
# cfn-lint takes a tenth of a second for a template. So these are a sample, which has each place of each type of resource
# (sample.py), and all templates of fixtures with accepted findings. LONG=1 reads all of them, as `make conformance` does.
# cloudformation-validate.sh, which is quick, always does.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
. tests/judges.sh

# Findings that are cfn-lint's mistake: as judge_explain() takes them.
# shellcheck disable=SC2034
accepted='
fixtures/valid/schema-.* E3030.*.p9[.]48xlarge. a type that is made up, and given by --schema
fixtures/valid/pcs-groups/.* E3030.*.INTERRUPTIBLE_CAPACITY_RESERVATION. a word of CloudFormation that is younger than this cfn-lint
fixtures/valid/instances-by-name/.* E3030.*.r9gd[.]large. a type that is younger than this cfn-lint
'

shopt -s nullglob
templates=(fixtures/*/*/expected/*.cfn.yaml fixtures/*/*/expected/*.cfn.json)
cfn-lint --version >/dev/null 2>&1 || skip_all 'cfn-lint is not installed'
if [ -z "${LONG:-}" ] && python3 -c 'import yaml' 2>/dev/null; then
    mapfile -t excepted < <(awk 'NF { print $1 }' <<<"$accepted")
    all=${#templates[@]}
    mapfile -t templates < <(python3 -B tests/conformance/sample.py "${excepted[@]}")
    claim "${#templates[@]} of $all templates have each place of each type" [ ${#templates[@]} -gt 50 ]
fi

judge_read "$1" cfn-lint --format parseable --
judge_explain
judge_templates
judge_objections "$1"
finish
