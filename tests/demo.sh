#!/bin/sh
# Starts a project, builds it, and shows the result, as a new user would type it: demo.sh DTC FOLDER. tests/conformance/demo.sh
# types what this prints.
set -eu
cd "$(dirname "$0")/.."
dtc=$1
folder=$2
case $dtc in
/*) path=$(dirname "$dtc") ;;
*) path=\$PWD/$(dirname "$dtc") ;;
esac
program=$(realpath "$dtc")
rm -rf "${folder:?}"
mkdir -p "$folder"

echo "\$ cd $folder"
cd "$folder"
for command in 'dtc init small' 'cat infra.dt' 'dtc build' 'sed -n 1,40p out/train.cfn.yaml'; do
    echo
    echo "\$ $command"
    case $command in
    dtc*) "$program" ${command#dtc} ;;
    *) $command ;;
    esac
done
echo '…'
cat <<END

The project is in $folder. The commands under \`next:\` deploy its two stacks into the account of your AWS CLI.

To type next, where you typed \`make demo\`:
  PATH=$path:\$PATH           # this shell finds dtc; \`make install\`, as root, puts it into /usr/local/bin
  dtc explain p4d.24xlarge         # what is known of a type, and how its interfaces are placed
  dtc explain nodes                # what a block takes
  dtc init                         # what else a project can start from
END
