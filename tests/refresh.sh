#!/bin/bash
# Checks the difference that small dumps make: refresh.sh REFRESH SCHEMAGEN DTC. tests/refresh holds the dumps, which
# are made up, and the lines that they change. The script applies the difference to a copy of the rows, and gives the
# result to schemagen and dtc. With PROOF=FOLDER it builds a second dtc from these rows there, and tries rules on the
# new rows.
set -u
cd "$(dirname "$0")/.." || exit 3
refresh=$PWD/$1
schemagen=$PWD/$2
dtc=$PWD/$3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
skipped=0

claim() { # CLAIM COMMAND…
    local name=$1
    shift
    if "$@"; then
        echo "ok refresh: $name"
        passed=$((passed + 1))
    else
        echo "not ok refresh: $name"
        failed=$((failed + 1))
    fi
}
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
    exit
}
fails_with() { # TEXT FOLDER: exit status 1, this on stderr, nothing on stdout
    "$refresh" "$work/schema" "$2" >"$work/out" 2>"$work/err"
    [ $? = 1 ] && [ ! -s "$work/out" ] && grep -qF -- "$1" "$work/err"
}

if ! command -v patch >/dev/null; then
    echo 'skipped: refresh: patch is not installed'
    skipped=1
    finish
fi

cp -r schema "$work/schema" && cp -r tests/refresh "$work/dumps" || exit 3
rm -f "$work/dumps/expected" "$work/dumps/proof.dt"
# All names but one, and one that is new.
mkdir "$work/dumps/instance-type-names"
{ "$dtc" instances | awk 'NR > 1 && $1 != "a1.metal" { print $1 }'; echo x99.large; } \
    >"$work/dumps/instance-type-names/sdk.txt"

"$refresh" "$work/schema" "$work/dumps" >"$work/patch" 2>"$work/remarks"
claim 'dumps make a difference' [ $? = 0 ]
# Lines around a change are those of other tables' days.
grep '^[-+]' "$work/patch" >"$work/lines"
if [ -n "${UPDATE:-}" ]; then
    cp "$work/lines" tests/refresh/expected
fi
claim 'only what changes is in it' diff -u tests/refresh/expected "$work/lines"
claim 'a type that no list names is remarked' grep -q '`a1.metal` is in no list' "$work/remarks"
claim 'patch takes it' patch -s -p1 -d "$work" -i patch
mkdir "$work/c"
claim 'schemagen takes the rows' "$schemagen" "$work/schema" "$work/c"
for name in p9.48xlarge m5.32xlarge x99.large eu-north-2 1.38 v0.6.0 012345678901; do
    claim "$name is in its tables" grep -qF "\"$name\"" "$work/c/schema_tables.c"
done
"$refresh" "$work/schema" "$work/dumps" >"$work/again" 2>/dev/null
claim 'a second time there is nothing to change' [ ! -s "$work/again" ]
cp "$work/dumps/instance-types/all.json" "$work/dumps/instance-types/other-region.json"
"$refresh" "$PWD/schema" "$work/dumps" 2>/dev/null | grep '^[-+]' >"$work/lines"
claim 'what two regions say alike counts once' diff -u tests/refresh/expected "$work/lines"
rm "$work/dumps/instance-types/other-region.json"

cat >"$work/a.dt" <<'SOURCE'
dt 1
network lab { zones = ["us-east-1a"] }
cluster train on batch {
  network = lab
  nodes gpu { instance = "p9.48xlarge", count = 0..4 }
}
SOURCE
claim 'dtc explains the new type' \
    grep -q 'card 1: 4 interfaces, EFA' <("$dtc" explain p9.48xlarge --schema "$work/schema/instances/p9.yaml")
"$dtc" check --schema "$work/schema/instances/p9.yaml" "$work/a.dt" >/dev/null
claim 'dtc plans nodes of it' [ $? = 0 ]

# A new row beside one that changes: neither is lost.
rm -rf "$work/beside" && cp -r schema "$work/beside"
newest=$(sed -n 's/^  - { version: "\([0-9.]*\)".*/\1/p' schema/kubernetes.yaml | head -1)
rm -rf "$work/broken" && cp -r "$work/dumps" "$work/broken"
sed "s/1\\.36/$newest/; s/2027-08-02/2027-08-03/" "$work/dumps/cluster-versions.json" >"$work/broken/cluster-versions.json"
"$refresh" "$work/beside" "$work/broken" 2>/dev/null | grep '^+  - { version' >"$work/lines"
claim 'a new version beside one that changes is in it' grep -q '1\.38' "$work/lines"
claim 'the one that changes is in it too' grep -q "$newest.*2027-08-03" "$work/lines"

sed 's/eu-north-2/xx-north-1/' "$work/dumps/offerings/eu-north-2.json" >"$work/broken/offerings/xx-north-1.json"
"$refresh" "$work/schema" "$work/broken" >/dev/null 2>"$work/remarks"
claim 'offers of a region without a row are remarked' grep -q '`xx-north-1` has no row' "$work/remarks"

# ---- a dtc of these rows

if [ -n "${PROOF:-}" ]; then
    rm -rf "$PROOF" && mkdir -p "$PROOF/build" || exit 3
    cp -a Makefile compiler emitters stdlib "$PROOF/" || exit 3
    # What is built already stays built: only what the rows make is built again.
    (cd "${1%/*}" && cp -a deps.stamp packer pack generated node obj lib*.a schemagen "$OLDPWD/$PROOF/build/") || exit 3
    cp -a schema "$PROOF/" && patch -s -p1 -d "$PROOF" -i "$work/patch" || exit 3
    make -C "$PROOF" build/dtc >"$work/make.log" 2>&1
    claim 'dtc is built from the rows' [ $? = 0 ] || tail "$work/make.log"
    "$dtc" check tests/refresh/proof.dt >"$work/out" 2>&1
    claim 'dtc without them refuses the file' [ $? = 1 ]
    for name in eu-north-2a p9.48xlarge m5.32xlarge 1.38; do
        claim "it names $name" grep -qF "$name" "$work/out"
    done
    "$PROOF/build/dtc" check tests/refresh/proof.dt >"$work/out" 2>&1
    claim 'dtc with them takes it' [ $? = 0 ]
    sed 's/1\.38/1.39/; s/eu-north-2b/eu-north-2c/' tests/refresh/proof.dt >"$work/late.dt"
    "$PROOF/build/dtc" check "$work/late.dt" >"$work/late" 2>&1
    claim 'rules speak of the new rows: zones' grep -q 'eu-north-2c' "$work/late"
    claim 'rules speak of the new rows: versions' grep -q '1\.38' "$work/late"
fi

# ---- dumps that are absent or broken

mkdir "$work/empty"
"$refresh" "$work/schema" "$work/empty" >"$work/out" 2>"$work/err"
claim 'absent dumps change nothing' [ $? = 0 ]
claim 'absent dumps are named' grep -q 'there is no .*/zones.: what it would bring stays as it is' "$work/err"
claim 'nothing is printed then' [ ! -s "$work/out" ]

broken() { # NAME TEXT: the dumps with this file in place
    rm -rf "$work/broken" && cp -r "$work/dumps" "$work/broken" && printf '%s\n' "$2" >"$work/broken/$1"
}
broken instance-types/all.json '{ "InstanceTypes": [
  { "InstanceType": "c5.large", "VCpuInfo": { "DefaultVCpus": "two" } } ] }'
claim 'a field of another kind has its place' fails_with 'instance-types/all.json:2:' "$work/broken"
sed 's/"SizeInMiB": 8192/"SizeInMiB": 4096/' "$work/dumps/instance-types/all.json" >"$work/other.json"
broken instance-types/other.json "$(cat "$work/other.json")"
claim 'what two regions say differently has both places' \
    fails_with "is 4096 here and 8192 in $work/broken/instance-types/all.json:4" "$work/broken"
broken cluster-versions.json '{ "clusterVersions": ['
claim 'a dump that ends early has its place' fails_with 'cluster-versions.json:' "$work/broken"
broken zones/eu-north-2.json '{ "AvailabilityZones": [
  { "RegionName": "eu-north-2", "ZoneName": "eu-north-2a", "ZoneId": "seven" } ] }'
claim 'an id that is none has its place' fails_with 'zones/eu-north-2.json:2:' "$work/broken"
broken instance-type-names/sdk.txt 'c5 large'
claim 'a name that is none has its place' fails_with 'instance-type-names/sdk.txt:1:' "$work/broken"
broken plugins/eksctl-types.go 'eksResourceAccountUSEast9 = "123"'
claim 'an account that is none has its place' fails_with 'plugins/eksctl-types.go:1:' "$work/broken"
broken plugins/efa-chart.yaml 'name: aws-efa-k8s-device-plugin'
claim 'a chart without a release has its place' fails_with 'plugins/efa-chart.yaml:1:' "$work/broken"
broken plugins/eksctl-efa.yaml '  - image: "registry/aws-efa-k8s-device-plugin:${TAG}"'
claim 'a manifest without a release has its place' fails_with 'plugins/eksctl-efa.yaml:1:' "$work/broken"
rm -rf "$work/broken" && cp -r "$work/dumps" "$work/broken" && rm "$work/broken/plugins/eksctl-nvidia.yaml"
claim 'a manifest that is missing is named' fails_with 'manifests of eksctl come together' "$work/broken"
broken plugins/eksctl-efa.yaml '  - image: "registry/aws-efa-k8s-device-plugin:v0.6.0"'
claim 'a manifest that ends before its types is refused' fails_with 'eksctl-efa.yaml` names no instance type' "$work/broken"
broken cluster-versions.json '{ "clusterVersions": [ { "clusterVersion": "1.38" },
  { "clusterVersion": "1.38", "releaseDate": "2026-12-01" } ] }'
claim 'a version that is there twice has its place' fails_with 'cluster-versions.json:' "$work/broken"
broken cluster-versions.json '{ "clusterVersions": [
  { "releaseDate": "2026-12-01" } ] }'
claim 'an entry without a version has its place' fails_with 'cluster-versions.json:2:' "$work/broken"
broken cluster-versions.json '{ "clusterVersions": [ { "clusterVersion": "1.38",
  "releaseDate": "2026-99-99" } ] }'
claim 'a day that is none has its place' fails_with 'cluster-versions.json:2:' "$work/broken"
broken zones/eu-north-2.json '{ "AvailabilityZones": [
  { "RegionName": "eu-north-2", "ZoneName": "eu-north-2a" } ] }'
claim 'a zone without an id has its place' fails_with 'zones/eu-north-2.json:2:' "$work/broken"
broken zones/eu-north-2.json '{ "AvailabilityZones": [
  { "RegionName": "eu-north-2", "ZoneName": "eu-north-2a", "ZoneId": "eun2-az1" },
  { "RegionName": "eu-north-2", "ZoneName": "eu-north-2b", "ZoneId": "use1-az2" } ] }'
claim 'ids of two regions are refused' fails_with 'zones/eu-north-2.json:3:' "$work/broken"
broken instance-types/all.json '{ "InstanceTypes": [
  { "InstanceType": "../../c5.large" } ] }'
claim 'a name that is a path has its place' fails_with 'instance-types/all.json:2:' "$work/broken"
broken instance-types/all.json '{ "InstanceTypes": [
  { "InstanceType": "c5.large", "GpuInfo": { "Gpus": [ { "Name": "A: b }\n", "Count": 1 } ] } } ] }'
claim 'a name that breaks its row has its place' fails_with 'instance-types/all.json:2:' "$work/broken"
broken instance-types/all.json '{ "InstanceTypes": [
  { "InstanceType": "c5.large", "VCpuInfo": { "DefaultVCpus": 4, "DefaultCores": 64, "DefaultThreadsPerCore": 2 } } ] }'
claim 'vCPUs that are not those of the cores have their place' fails_with 'instance-types/all.json:2:' "$work/broken"
rm -rf "$work/broken" && cp -r "$work/dumps" "$work/broken"
sed -i '/^zones:/s/:.*/: "somewhere"/' "$work/broken/sources.yaml"
claim 'a source without its dates is refused' fails_with '`zones` ends with its date' "$work/broken"
broken sources.yaml 'zones: "somewhere, 2026-12, read 2026-12"'
claim 'a dump without its source is refused' fails_with 'has no text `instance-types`' "$work/broken"
finish
