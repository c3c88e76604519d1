#!/bin/bash
# A custom action of AWS ParallelCluster, which compares no SHA-256 of what it fetches. This one stands where the nodes
# fetch scripts, and fetches the author's, compares its sum, and runs it with the arguments that it was given. Where one
# of those fails, so does the action, and with it the bootstrap; the last line of its log says why. `url` and `sum` are
# set in front of this.
: "${url:?}" "${sum:?}"

fail() {
    echo "setup: $1" >&2
    logger -t setup -p user.err -- "setup: $1"
    exit 1
}

# From S3 by the role of the nodes. `-g` takes brackets in a URL as they are.
download() {
    case $url in
    s3:*) timeout 60 aws s3 cp --only-show-errors "$url" "$file" ;;
    *) curl -fsSLg --proto '=https' --connect-timeout 10 -m 60 -o "$file" "$url" ;;
    esac
}

umask 077
mkdir -p /var/lib/dtc || fail '/var/lib/dtc cannot be made'
file=/var/lib/dtc/setup-$sum
for try in 1 2 3 4 5; do
    download && break
    [ "$try" != 5 ] || fail "$url could not be fetched, five times"
    sleep $((try * 5))
done
echo "$sum  $file" | sha256sum -c --status || fail "$url has another SHA-256 than $sum"
chmod 700 "$file"
"$file" "$@" </dev/null || fail "$url failed with status $?"
