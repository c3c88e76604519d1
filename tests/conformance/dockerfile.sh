#!/bin/bash
# Runs a tool that knows Dockerfiles over each one that the fixtures expect: dockerfile.sh. There must be no finding.
# README.md says how to get the tool; no test downloads anything.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
package=${DOCKERFILE_UTILS:-build/judges/node_modules/dockerfile-utils}
node --version >/dev/null 2>&1 || skip_all 'node is not installed'
[ -e "$package/package.json" ] || skip_all "there is no $package: tests/conformance/README.md says how to get it"

judge() { # FILE
    node -e '
        const { validate } = require(require("path").resolve(process.argv[1]));
        const text = require("fs").readFileSync(process.argv[2], "utf8");
        const findings = validate(text);
        for (const finding of findings) {
            console.log(`${finding.range.start.line + 1}: ${finding.message}`);
        }
        process.exit(findings.length > 0 ? 1 : 0);' "$package" "$1"
}

printf 'FROM ubuntu:24.04\nENV A\n' >"$scratch/Dockerfile"
judge "$scratch/Dockerfile" >/dev/null
[ $? = 1 ]
result $? 'a mistake is found'
for file in fixtures/*/*/expected/*.Dockerfile; do
    if judge "$file" >"$scratch/report" 2>&1; then
        pass "$file"
    else
        fail "$file" 'is not right' "$scratch/report"
    fi
done
finish
