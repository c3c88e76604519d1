#!/bin/bash
# Checks the reports of dtc against their published schemas: reports.sh DTC. The schema of SARIF 2.1.0 is that of OASIS,
# at $SARIF_SCHEMA, and the one of JUnit is junit-10.xsd of the xunit plugin of Jenkins, at $JUNIT_SCHEMA. Neither is part of
# this tree. Without one of them, or without python3-jsonschema and xmllint, the claim is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

files=(fixtures/foreign/*.yaml)
invalid=(fixtures/invalid/DT03*.dt)

# Of all files at once, of one file each, of none, and of sources of dt.
report_all() { # FORMAT
    "$dtc" lint --diagnostics "$1" "${files[@]}" fixtures/valid >"$scratch/all.$1"
    "$dtc" lint --strict --diagnostics "$1" "${files[@]}" >"$scratch/strict.$1"
    "$dtc" lint --diagnostics "$1" fixtures/foreign/clean >"$scratch/clean.$1"
    "$dtc" lint --diagnostics "$1" "$scratch/absent" >"$scratch/absent.$1"
    for file in "${files[@]}"; do
        "$dtc" lint --diagnostics "$1" "$file" >"$scratch/${file##*/}.$1"
    done
    for file in "${invalid[@]}"; do
        "$dtc" check --diagnostics "$1" "$file" >"$scratch/${file##*/}.$1"
    done
}

if [ ! -f "${SARIF_SCHEMA:-}" ] || ! python3 -c 'import jsonschema' 2>/dev/null; then
    skip 'SARIF follows its schema: no SARIF_SCHEMA, or no jsonschema'
else
    report_all sarif
    if python3 - "$SARIF_SCHEMA" "$scratch"/*.sarif >"$scratch/faults" 2>&1 <<'END'; then
import json, sys
import jsonschema
with open(sys.argv[1]) as schema:
    validator = jsonschema.Draft4Validator(json.load(schema), format_checker=jsonschema.FormatChecker())
faults = 0
results = 0
for path in sys.argv[2:]:
    with open(path) as file:
        document = json.load(file)
    results += len(document["runs"][0]["results"])
    for fault in validator.iter_errors(document):
        faults += 1
        print(path, list(fault.absolute_path), fault.message[:200])
sys.exit(1 if faults or results < 100 else 0)
END
        pass 'SARIF follows its schema'
    else
        fail 'SARIF follows its schema' 'faults' "$scratch/faults"
    fi
fi

if [ ! -f "${JUNIT_SCHEMA:-}" ] || ! command -v xmllint >/dev/null 2>&1; then
    skip 'JUnit follows its schema: no JUNIT_SCHEMA, or no xmllint'
else
    report_all junit
    if xmllint --noout --schema "$JUNIT_SCHEMA" "$scratch"/*.junit >"$scratch/faults" 2>&1; then
        pass 'JUnit follows its schema'
    else
        grep -v validates "$scratch/faults" >"$scratch/first"
        fail 'JUnit follows its schema' 'faults' "$scratch/first"
    fi
fi

finish
