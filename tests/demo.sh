#!/bin/sh
# Builds the reference fixtures that make a cluster with its network, and shows the result: demo.sh DTC FOLDER.
set -eu
cd "$(dirname "$0")/.."
dtc=$1
folder=$2

show() { # FIXTURE
    source=fixtures/reference/$1/infra.dt
    [ -e "$source" ] || return 0
    rm -rf "${folder:?}/$1"
    set -- "$1" "$source" -o "$folder/$1"
    [ ! -e "fixtures/reference/$1/params.json" ] || set -- "$@" --params "fixtures/reference/$1/params.json"
    name=$1
    shift
    echo
    echo "\$ cat $source"
    cat "$source"
    echo
    echo "\$ dtc build $*"
    "$dtc" build "$@"
    for template in "$folder/$name"/*.cfn.yaml; do
        echo
        echo "\$ head -n 40 $template    # of $(wc -l <"$template") lines"
        head -n 40 "$template"
        break
    done
}

show vpc-one-az
show batch-gpu-p4d
echo
echo "To type next:"
echo "  $dtc explain p5.48xlarge          # what is known of a type, and how its interfaces are placed"
echo "  $dtc explain nodes                # what a block takes"
echo "  $dtc init small && $dtc build     # a file of your own"
