#!/bin/bash
# Types the steps of plan.json that submit jobs on EKS behind other jobs: job_order.sh DTC. aws, kubectl and sleep are
# stand-ins: a job goes through the words of a file of its name, one each time that somebody asks for them, and stays in
# the last. `DELETED` and `UNREACHABLE` are two words of the stand-in.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 scratch

"$dtc" build "$root/fixtures/valid/jobs-in-order/main.dt" --core "$root/fixtures/core" -o "$scratch/out" \
    >/dev/null 2>&1 || exit 3
mkdir "$scratch/bin" "$scratch/jobs"

cat >"$scratch/bin/kubectl" <<'END'
#!/bin/bash
echo "kubectl $*" >>"$scratch/typed"
[ -s "${KUBECONFIG:?}" ] || { echo 'no cluster is chosen' >&2; exit 1; }
for word; do [[ $word != */* ]] || job=$scratch/jobs/${word/\//.}; done
case $1 in
get)
    state=$(head -n 1 "$job" 2>/dev/null || echo DELETED)
    [[ $* != *jsonpath* || ! -e $job || $(wc -l <"$job") = 1 ]] || sed -i 1d "$job"
    case $state in
    DELETED)
        [[ $* != *--ignore-not-found* ]] || exit 0
        echo 'Error from server (NotFound)' >&2
        exit 1
        ;;
    UNREACHABLE)
        echo 'Unable to connect to the server' >&2
        exit 1
        ;;
    esac
    [[ $* != *jsonpath* ]] || echo "Job $state"
    ;;
wait)
    wanted=${2##*=}
    grep -qw "$wanted" "$job" || { echo 'error: timed out waiting for the condition' >&2; exit 1; }
    ;;
apply) [ -e "$3" ] || exit 1 ;;
*) exit 1 ;;
esac
END
cat >"$scratch/bin/aws" <<'END'
#!/bin/sh
echo "$4" >"$KUBECONFIG"
END
cat >"$scratch/bin/sleep" <<'END'
#!/bin/sh
echo sleep >>"$scratch/typed"
[ "$(grep -c sleep "$scratch/typed")" -lt 20 ] || kill -TERM "$PPID" # it would never end
END
chmod +x "$scratch"/bin/*
PATH=$scratch/bin:$PATH

evidence() {
    cat "$scratch/typed" "$scratch/report"
}

step_of() { # JOB
    sed -n "s/^ *\"apply\": \"\(.* $1\.k8s\.yaml)\)\",*$/\1/p" "$scratch/out/plan.json" | sed 's/\\"/"/g; s/\\\\/\\/g'
}

job_is() { # RESOURCE.NAME, and a line for each time that somebody asks
    local name=$1
    shift
    printf '%s\n' "$@" >"$scratch/jobs/$name"
}

submit() { # JOB
    : >"$scratch/typed"
    step_of "$1" >"$scratch/step"
    [ -s "$scratch/step" ] && (cd "$scratch/out" && sh -eu "$scratch/step") >"$scratch/report" 2>&1
}

is_applied() { # JOB, after so many SLEEPS
    submit "$1" && [ "$(tail -n 1 "$scratch/typed")" = "kubectl apply -f $1.k8s.yaml" ] &&
        [ "$(grep -c sleep "$scratch/typed")" = "$2" ]
}

is_refused() { # JOB, after so many SLEEPS
    ! submit "$1" && ! grep -q apply "$scratch/typed" && [ "$(grep -c sleep "$scratch/typed")" = "$2" ]
}

about='a Job of Kubernetes'
job_is job.tokens '' '' Suspended 'SuccessCriteriaMet Complete'
claim 'is awaited' is_applied warm 3
job_is job.tokens '' FailureTarget 'FailureTarget Failed'
claim 'that fails ends the wait' is_refused warm 2
rm "$scratch/jobs/job.tokens"
claim 'that is not there ends the wait' is_refused warm 0
job_is job.tokens Suspended '' DELETED
claim 'that is deleted ends the wait' is_refused warm 2
job_is job.tokens '' UNREACHABLE '' Complete
claim 'is awaited while the cluster cannot be asked' is_applied warm 3

about='a Job of Volcano'
job_is vcjob.compile '' Pending Running Completing Completed
claim 'is awaited' is_applied measure 4
for phase in Failed Aborted Terminated; do
    job_is vcjob.compile Running Restarting Aborting Terminating $phase
    claim "that is $phase ends the wait" is_refused measure 4
done

about='several jobs'
job_is job.tokens Complete
job_is trainjob.warm '' Complete
job_is mpijob.measure 'Created Running' 'Created Succeeded'
claim 'are awaited' is_applied fit 2
job_is mpijob.measure 'Created Running' 'Created Failed'
claim 'of which an MPIJob fails end the wait' is_refused fit 1
job_is trainjob.warm Suspended Failed
claim 'of which a TrainJob fails end the wait' is_refused fit 1
finish
