#!/bin/sh
# Tells CloudFormation what came of a node, in a part behind the check: where the group's CreationPolicy or UpdatePolicy
# waits for signals, too many nodes that fail end the stack's operation. One where the check did not run has failed.
: "${stack:?}" "${resource:?}" "${region:?}"
PATH=/usr/sbin:/usr/bin:/opt/aws/bin
[ -e /run/dtc/verdict.json ] && [ ! -e /run/dtc/failed ]
cfn-signal --exit-code $? --stack "$stack" --resource "$resource" --region "$region"
