#!/bin/bash
# Holds the manifests that the fixtures expect against the published schemas of Kubernetes, Volcano and Kubeflow:
# kubernetes.sh DTC. README.md says where the schemas come from.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh

schemas=${KUBERNETES_SCHEMAS:-build/judges/kubernetes}
[ -f "$schemas/openapi.json" ] || skip_all "$schemas has no schemas of Kubernetes"
python3 -c 'import jsonschema, yaml' 2>/dev/null || skip_all 'jsonschema and PyYAML for Python are not installed'

scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
judge() { # FILE…
    python3 -B tests/conformance/kubernetes_schemas.py "$schemas" "$@" >"$scratch/said"
}

shopt -s nullglob
manifests=(fixtures/*/*/expected/*.k8s.yaml)
judge "${manifests[@]}"
for manifest in "${manifests[@]}"; do
    if grep -qxF "$manifest: ok" "$scratch/said"; then
        pass "$manifest"
    else
        fail "$manifest" "$(grep -F "$manifest: " "$scratch/said")"
    fi
done

# The judge itself: each of these must be found in a manifest that is right.
right=fixtures/valid/eks-jobs/expected/bert.k8s.yaml
spoil() { # WHAT SED-SCRIPT WHAT-IS-SAID
    sed "$2" "$right" >"$scratch/spoiled.yaml"
    judge "$scratch/spoiled.yaml"
    claim "$1 is found" grep -q "$3" "$scratch/said"
}
spoil 'a field that is not known' '0,/minAvailable:/s//minAvailables:/' "'minAvailables' was unexpected"
spoil 'a quantity that is none' '0,/ memory: .*/s// memory: some/' "'some' does not match"
spoil 'a pod with a field that is not known' '0,/mountPath:/s//mountpath:/' "'mountpath' was unexpected"
spoil 'a kind that is not known' '0,/^kind: Job/s//kind: Jop/' 'Jop of .*: no schema'
finish
