#!/bin/bash
# cfn-lint over every template that the fixtures expect: no error and no warning, but for what is listed below.
set -u
cd "$(dirname "$0")/../.." || exit 3

# Findings that are cfn-lint's mistake: code, what else stands on the line (an extended regular expression without
# blanks), why.
accepted='
E1029 Outputs/FromFile/Value a text of the author with a literal ${AWS::Region} in it, which stays as it is
E3030 .p9[.]48xlarge. a type that is made up, and given by --schema
'

shopt -s nullglob
templates=(fixtures/*/*/expected/*.cfn.yaml fixtures/*/*/expected/*.cfn.json)
if ! command -v cfn-lint >/dev/null 2>&1 || ! cfn-lint --version >/dev/null 2>&1; then
    echo "skipped: cfn-lint is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
if [ "${#templates[@]}" = 0 ]; then
    echo "skipped: no fixture expects a template"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

findings=$(cfn-lint --format parseable -- "${templates[@]}" 2>&1)
while read -r code pattern _; do
    [ -n "$code" ] || continue
    findings=$(grep -v -E ":$code:.*$pattern|$pattern.*:$code:" <<<"$findings")
done <<<"$accepted"

passed=0
failed=0
for template in "${templates[@]}"; do
    if grep -F "$template:" <<<"$findings"; then
        failed=$((failed + 1))
        echo "not ok $template"
    else
        passed=$((passed + 1))
        echo "ok $template"
    fi
done
# What stands in no file: cfn-lint itself failed.
others=$(grep -v '^fixtures/' <<<"$findings" | grep .)
if [ -n "$others" ]; then
    failed=$((failed + 1))
    echo "not ok cfn-lint: $others"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
