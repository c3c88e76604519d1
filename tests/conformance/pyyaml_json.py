"""Builds each valid fixture in YAML and in JSON, and compares what is read back, types included."""
import glob
import json
import os
import subprocess
import sys
import tempfile

import templates


def build(dtc, folder, form, output):
    main = "main.dt" if os.path.exists(os.path.join(folder, "main.dt")) else "infra.dt"
    arguments = []
    run = os.path.join(folder, "run")
    if os.path.exists(run):
        with open(run, encoding="utf-8") as file:
            arguments = file.read().split()
    for index, word in enumerate(arguments):
        if word == "--format":
            del arguments[index:index + 2]
            break
    arguments = [word for word in arguments if not word.startswith("--format=")]
    for name in ("params.json", "params.yaml"):
        if os.path.exists(os.path.join(folder, name)):
            arguments += ["--params", name]
    subprocess.run([dtc, "build", main, *arguments, "--format", form, "-o", output], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def canonical(document):
    return json.dumps(document, sort_keys=True, indent=1)


def compare(dtc, folder, scratch):
    """The names of files whose two forms differ, and how many were compared."""
    outputs = {form: os.path.join(scratch, form) for form in ("yaml", "json")}
    for form, output in outputs.items():
        build(dtc, folder, form, output)
    differing = []
    names = sorted(name for name in os.listdir(outputs["yaml"]) if name.endswith(".cfn.yaml"))
    for name in names:
        as_yaml = templates.load(os.path.join(outputs["yaml"], name), templates.IN_PYTHON)
        as_json = templates.load(os.path.join(outputs["json"], name[:-len("yaml")] + "json"))
        if canonical(as_yaml) != canonical(as_json):
            differing.append(name)
    return differing, len(names)


def main(dtc):
    dtc = os.path.realpath(dtc)
    passed = failed = 0
    for folder in sorted(glob.glob("fixtures/valid/*/") + glob.glob("fixtures/reference/*/")):
        try:
            with tempfile.TemporaryDirectory() as scratch:
                differing, count = compare(dtc, folder, scratch)
        except Exception as error:  # a broken file is this fixture's failure, not the end of the run
            differing, count = [repr(error)], 1
        if differing:
            failed += 1
            print("not ok %s: %s" % (folder, ", ".join(differing)))
        elif count:
            passed += 1
            print("ok %s" % folder)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed > 0


sys.exit(main(sys.argv[1]))
