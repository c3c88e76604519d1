#!/bin/bash
# Tries the hooks of .pre-commit-hooks.yaml with the real pre-commit in a repository of its own: precommit.sh DTC. A commit
# with two faulty templates is refused, `dtc lint --fix` repairs them, and the commit is accepted. Without pre-commit or
# git this is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
if ! command -v pre-commit >/dev/null 2>&1 || ! command -v git >/dev/null 2>&1; then
    skip 'hooks of pre-commit' 'no pre-commit, or no git'
    finish
    exit
fi
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 HOME=$scratch/home PRE_COMMIT_HOME=$scratch/cache
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@example.org
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
mkdir -p "$HOME" "$scratch/bin" "$scratch/hooks" "$scratch/repository"
ln -s "$dtc" "$scratch/bin/dtc"
PATH=$scratch/bin:$PATH

evidence() {
    cat "$scratch/log"
}

# The repository that the hooks come from.
cp .pre-commit-hooks.yaml "$scratch/hooks/"
cd "$scratch/hooks" || exit 3
git init -q . && git add . && git commit -qm hooks --no-verify || exit 3
revision=$(git rev-parse HEAD)

cd "$scratch/repository" || exit 3
git init -q . || exit 3
cat >.pre-commit-config.yaml <<END
repos:
  - repo: $scratch/hooks
    rev: $revision
    hooks:
      - id: dtc-lint
        args: [--strict]
      - id: dtc-fmt
      - id: dtc-check
END
cat >template.yaml <<'END'
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        InstanceType: m6i.large
        MetadataOptions:
          HttpTokens: optional
END
cat >request.json <<'END'
{
  "LaunchTemplateName": "train",
  "LaunchTemplateData": {
    "InstanceType": "m6i.large",
    "MetadataOptions": {"HttpTokens": "optional"}
  }
}
END
printf 'words: that are nothing to dtc\n' >other.yaml
"$dtc" init infra.dt >/dev/null 2>&1 || cp "$root/fixtures/valid/batch-access/main.dt" infra.dt

commit() { # NAME
    git add -A && git commit -qm "$1" >"$scratch/log" 2>&1
}

refused() { # NAME
    ! commit "$1"
}

named() { # TEXT…
    for text; do
        grep -qF -- "$text" "$scratch/log" || return
    done
}

parses() {
    python3 -c 'import json; json.load(open("request.json"))'
}

pre-commit install >"$scratch/log" 2>&1
claim 'a commit with two faulty files is refused' refused faulty
claim 'each is named, with its code' named 'template.yaml:9:23' 'request.json:5:' 'DT1600'
claim 'dtc lint --fix repairs them' "$dtc" lint --strict --fix template.yaml request.json 2>"$scratch/log"
claim 'JSON is still JSON' parses
claim 'the commit is accepted' commit repaired

printf '\n\n\n# the end   \n' >>infra.dt
claim 'a file in another style is refused' refused style
claim 'it is written in the style' "$dtc" fmt --check infra.dt
claim 'then it is accepted' commit style
printf 'cluster {\n' >>infra.dt
claim 'a program with an error is refused' refused error
claim 'its mistake is named' named 'infra.dt:' 'dtc check'
finish
