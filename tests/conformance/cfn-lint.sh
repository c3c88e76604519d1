#!/bin/bash
# Runs cfn-lint over every template that the fixtures expect: cfn-lint.sh DTC. There must be no error and no warning,
# except those in the list below. Then it runs over a template with mistakes, and leads the findings back to the
# source.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
. tests/judges.sh

# Findings that are cfn-lint's mistake: as judge_explain() takes them.
# shellcheck disable=SC2034
accepted='
fixtures/valid/.* E3030.*.p9[.]48xlarge. a type that is made up, and given by --schema
fixtures/valid/pcs-groups/.* E3030.*.INTERRUPTIBLE_CAPACITY_RESERVATION. a word of CloudFormation that is younger than this cfn-lint
fixtures/valid/instances-by-name/.* E3030.*.r9gd[.]large. a type that is younger than this cfn-lint
'

shopt -s nullglob
templates=(fixtures/*/*/expected/*.cfn.yaml fixtures/*/*/expected/*.cfn.json)
cfn-lint --version >/dev/null 2>&1 || skip_all 'cfn-lint is not installed'

judge_read "$1" cfn-lint --format parseable --
judge_explain
judge_templates
judge_objections "$1"
finish
