#!/bin/sh
# A group's first job on AWS Batch, in each of its containers: fetches dtc-collective and measures, with all others.
# Arguments: the object's place in S3, its SHA-256, options of dtc-collective. Ends as dtc-collective does, or with 70 where
# the program is not there or another one than was built.
#
# shellcheck disable=SC2154 # the last line becomes the run of the program, and of accelerators where they are wanted
url=$1 sum=$2
shift 2
program=$(mktemp -d)/dtc-collective || exit 70
aws s3 cp --only-show-errors "$url" "$program"
if [ "$(sha256sum <"$program")" != "$sum  -" ]; then
    echo "$url is not there, or not the program that was built" >&2
    exit 70
fi
chmod 700 "$program"
: "${measure:?}"
