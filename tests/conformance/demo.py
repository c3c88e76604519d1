"""Types what tests/demo.sh prints, see demo.sh."""
import os
import re
import subprocess
import sys
import tempfile

import deploy

VCPUS_MOST = 500  # of the quota that the example may use up: what a reader's account may have


def claim(text, holds, evidence=""):
    print("%s %s" % ("ok" if holds else "not ok", text))
    if not holds and evidence:
        print("    " + str(evidence).replace("\n", "\n    "))
    return holds


def block(screen, head):
    """The lines behind the last one that begins with `head`, which are indented."""
    lines = screen.splitlines()
    start = max((number for number, line in enumerate(lines) if line.startswith(head)), default=len(lines)) + 1
    end = next((number for number in range(start, len(lines)) if not lines[number].startswith("  ")), len(lines))
    return [line.strip() for line in lines[start:end]]


def typed(world, commands, folder, variables):
    """What a shell says that is given the commands; None: all of them ended well."""
    try:
        world.run("set -e\n" + "\n".join(commands), folder, variables)
    except deploy.Failure as failure:
        return str(failure)
    return None


def main(dtc):
    passed = []
    with tempfile.TemporaryDirectory() as scratch, deploy.AwsServer() as aws, deploy.Server(aws) as server:
        folder = scratch + "/demo"
        done = subprocess.run(["sh", "tests/demo.sh", dtc, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        screen = done.stdout
        passed.append(claim("the demo ends well", done.returncode == 0, screen))
        world = deploy.World(server, "us-east-1")
        stacks = block(screen, "next:")
        passed.append(claim("it has commands that deploy two stacks", sum(" deploy " in line for line in stacks) == 2, screen))
        said = typed(world, stacks, folder, {})
        passed.append(claim("its stacks fit: they are deployed as printed", said is None, said))
        names = {stack["StackName"]: stack["StackStatus"] for stack in world.client("cloudformation").describe_stacks()["Stacks"]}
        passed.append(claim("both are there", names == {"lab": "CREATE_COMPLETE", "train": "CREATE_COMPLETE"}, names))
        said = typed(world, block(screen, "To type next"), os.getcwd(), {})
        passed.append(claim("what it says to type next, with `dtc` in the PATH, can be typed", said is None, said))
        quota = re.search(r"^quota .*: ([0-9]+) vCPUs at most", screen, re.M)
        passed.append(claim("it is an example that an account may have", quota and int(quota.group(1)) <= VCPUS_MOST, screen))
    noise = subprocess.run(["make", "-nB", "demo"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    passed.append(claim("`make demo` shows no line of a compiler", "demo.sh" in noise and "printf '  %-9s" not in noise))
    print("%d passed, %d failed, 0 skipped" % (sum(passed), len(passed) - sum(passed)))
    return not all(passed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
