#!/bin/bash
# cfn-lint over every template that the fixtures expect: no error and no warning, but for what is listed below.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/claims.sh

# Findings that are cfn-lint's mistake: code, what else stands on the line (an extended regular expression without
# blanks), why.
accepted='
E1029 Outputs/FromFile/Value a text of the author with a literal ${AWS::Region} in it, which stays as it is
E3030 .p9[.]48xlarge. a type that is made up, and given by --schema
'

shopt -s nullglob
templates=(fixtures/*/*/expected/*.cfn.yaml fixtures/*/*/expected/*.cfn.json)
cfn-lint --version >/dev/null 2>&1 || skip_all 'cfn-lint is not installed'

findings=$(cfn-lint --format parseable -- "${templates[@]}" 2>&1)
while read -r code pattern _; do
    [ -n "$code" ] || continue
    findings=$(grep -v -E ":$code:.*$pattern|$pattern.*:$code:" <<<"$findings")
done <<<"$accepted"

for template in "${templates[@]}"; do
    if grep -F "$template:" <<<"$findings"; then
        fail "$template"
    else
        pass "$template"
    fi
done
# What stands in no file: cfn-lint itself failed.
others=$(grep -v '^fixtures/' <<<"$findings" | grep .)
[ -z "$others" ] || fail cfn-lint "$others"
finish
