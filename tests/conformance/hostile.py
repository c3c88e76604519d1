"""Puts hostile texts into every attribute that `dtc explain` lists, into params, files and their names, and holds what is
written against the same build with a harmless text: the same shape in YAML, nothing run by the commands of the plan, nothing
that a terminal acts upon on the screen."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

import yaml

# One text for each language that reads one; a shell's would make a file.
HOSTILE = {
    "shell": "a'\"; touch CANARY; $(touch CANARY) `touch CANARY` #",
    "yaml": "x: y\n- w: [\"{\n# &a *b !c | > % @ ` ' \"",
    "sub": "${AWS::AccountId}",
    "resolve": "{{resolve:ssm:/a/b}}",
    "terminal": "\x1b[31m\x07\u202eevil\u200b\u2066\x9b1m",
    "option": "--profile=x",
}
HARMLESS = "harmless"

# Behind the example of a pattern type, without blanks: patterns of URLs and names let much through.
BEHIND = {
    "shell": "/$(touch${IFS}CANARY)`touch${IFS}CANARY`;touch${IFS}CANARY;'\"&|>x#",
    "sub": "/${AWS::AccountId}",
    "resolve": "/{{resolve:ssm:/a/b}}",
    "terminal": "/\u202eevil\u200b\x9b1m",
}

BASE = {
    "batch": {
        "cluster": {"network": "lab"},
        "nodes": {"instance": '"c5.large"', "count": "0..2"},
        "image": {},
        "job": {"image": "app", "command": '["run"]'},
    },
    "parallelcluster": {
        "cluster": {"network": "lab", "artifacts": '"s3://bucket/place"', "storage": "[disk]"},
        "head": {"instance": '"c5.large"'},
        "nodes": {"instance": '"c5.large"', "count": "0..2"},
        "slurm": {},
        "monitoring": {},
        "storage": {"kind": "efs", "mount": '"/shared"'},
    },
    "eks": {
        "cluster": {"network": "lab", "version": '"1.34"', "storage": "[disk]"},
        "nodes": {"instance": '"g5.xlarge"', "count": "0..2"},
        "addon": {},
        "storage": {"kind": "efs", "existing": '"fs-0123456789abcdef0"', "mount": '"/shared"'},
    },
}
NETWORK = {
    "batch": {"zones": '["us-east-1a"]'},
    "parallelcluster": {
        "vpc": '"vpc-0123456789abcdef0"',
        "public": '["subnet-0123456789abcdef0"]',
        "private": '["subnet-0123456789abcdef1"]',
        "zones": '["us-east-1a"]',
    },
    "eks": {
        "vpc": '"vpc-0123456789abcdef0"',
        "private": '["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]',
        "zones": '["us-east-1a", "us-east-1b"]',
    },
}


def quoted(text):
    """As a string of the language."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("${", "\\${")
    return '"' + text + '"'


def block(head, attributes):
    return head + " {\n" + "".join("  %s = %s\n" % pair for pair in attributes.items()) + "\n"


def source(target, kind, attribute, value):
    kinds = {name: dict(attributes) for name, attributes in BASE[target].items()}
    network = dict(NETWORK[target])
    nested = {}
    if kind == "network":
        network[attribute] = value
    elif kind == "validate":
        nested = {attribute: value}
    elif kind in kinds:
        kinds[kind][attribute] = value
    else:
        return None
    text = "dt 1\n\n" + block("network lab", network) + "}\n"
    if "storage" in kinds:
        text += block("storage disk", kinds["storage"]) + "}\n"
    if "image" in kinds:
        text += block("image app", kinds["image"]) + "}\n"
    text += block("cluster train on " + target, kinds["cluster"])
    for name in ("head", "slurm", "monitoring"):
        if name in kinds:
            text += block(name, kinds[name]) + "}\n"
    if "addon" in kinds:
        text += block("addon nvidia", kinds["addon"]) + "}\n"
    text += block("nodes group", kinds["nodes"])
    if nested:
        text += block("validate", nested) + "}\n"
    text += "}\n}\n"
    if "job" in kinds:
        text += block("job work on train", kinds["job"]) + "}\n"
    return text


def forms(type_text):
    """How a text can stand in a value of the type."""
    if "list(" in type_text:
        yield "list", lambda text: "[" + quoted(text) + "]"
    if "map(" in type_text:
        yield "map", lambda text: "{ key = " + quoted(text) + " }"
        yield "key", lambda text: "{ " + quoted(text) + ' = "value" }'
    yield "text", quoted


class Loader(yaml.SafeLoader):
    """Reads the short forms of CloudFormation's functions as what they hold."""


def plain(loader, suffix, node):
    if suffix == "Sub":
        return "text"  # with a list, where `${` stands for itself
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


Loader.add_multi_constructor("!", plain)


def shape(value):
    """What is left of data without its texts."""
    if isinstance(value, dict):
        return sorted((repr(shape(item)) for item in value.values())), len(value)
    if isinstance(value, list):
        return [shape(item) for item in value]
    return type(value).__name__


def is_unsafe(text):
    for character in text:
        if character != "\n" and (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") or character == "\u034f"):
            return repr(character)
    return None


class Harness:
    def __init__(self, dtc, root):
        self.dtc = dtc
        self.core = os.path.join(root, "fixtures", "core")
        self.scratch = tempfile.mkdtemp()
        self.bin = os.path.join(self.scratch, "bin")
        os.mkdir(self.bin)
        for name in ("aws", "pcluster", "eksctl", "kubectl", "docker", "ssh-keygen"):
            with open(os.path.join(self.bin, name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\nexit 0\n")
            os.chmod(os.path.join(self.bin, name), 0o755)
        self.environment = dict(os.environ, PATH=self.bin + ":" + os.environ["PATH"], NO_COLOR="1")
        self.counts = {"built": 0, "refused": 0}
        self.faults = []

    def fault(self, name, what):
        self.faults.append("%s: %s" % (name, what))

    def build(self, name, text, arguments=(), main="main.dt", output="out"):
        """The shapes of what is written, or None where the source is refused."""
        work = os.path.join(self.scratch, "work")
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)
        if isinstance(text, str):
            text = {main: text}
        for path, content in text.items():
            with open(os.path.join(work, path), "w", encoding="utf-8") as file:
                file.write(content)
        path = "./" + main if main.startswith("-") else main
        done = subprocess.run([self.dtc, "build", path, "--core", self.core, "-o", output, *arguments], cwd=work,
                              capture_output=True, check=False)
        screen = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode not in (0, 1):
            self.fault(name, "ends with %d: %s" % (done.returncode, screen[:300]))
        bad = is_unsafe(screen)
        if bad:
            self.fault(name, "%s on the screen" % bad)
        if done.returncode != 0:
            self.counts["refused"] += 1
            if "error[" not in screen and done.returncode == 1:
                self.fault(name, "is refused without a message")
            return None
        self.counts["built"] += 1
        return self.look(name, work, output, screen)

    def look(self, name, work, output, screen):
        shapes = {}
        written = os.path.join(work, output)
        for path in sorted(glob.glob(glob.escape(written) + "/*.yaml")):
            try:
                with open(path, encoding="utf-8") as file:
                    shapes[os.path.basename(path)] = [shape(part) for part in yaml.load_all(file, Loader)]
            except (yaml.YAMLError, UnicodeError) as error:
                self.fault(name, "%s is no YAML: %s" % (os.path.basename(path), error))
        with open(os.path.join(written, "plan.json"), encoding="utf-8") as file:
            plan = json.load(file)
        commands = [step["apply"] for wave in plan["waves"] for step in wave]
        commands += [step["command"] for step in plan["delete"]] + [quota["command"] for quota in plan["quotas"]]
        commands += [fact["command"] for file in plan["waiting"] for fact in file["facts"] if "command" in fact]
        self.run(name, written, "\n".join(commands))
        # The screen's, from where the build was run.
        shown = re.findall(r"^(?:next|then):\n((?:  .*\n)+)", screen, re.M)
        self.run(name, work, "".join(shown).replace("  dtc build", "  true build"))
        for path in glob.glob(glob.escape(written) + "/*.s[hb]*"):
            if subprocess.run(["bash", "-n", path], capture_output=True, check=False).returncode != 0:
                self.fault(name, "%s is no script" % os.path.basename(path))
        return shapes

    def run(self, name, folder, script):
        names = set(re.findall(r"\$\{([A-Z_0-9]+):\?\}", script))
        environment = dict(self.environment, **{variable: "value" for variable in names})
        done = subprocess.run(["sh", "-eu", "-c", script], cwd=folder, env=environment, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            self.fault(name, "a command fails: %s" % done.stderr.decode("utf-8", "replace")[:300])
        for place, _, files in os.walk(os.path.join(self.scratch, "work")):
            if "CANARY" in files:
                self.fault(name, "a command was run in %s: %s" % (place, script[:300]))
                return

    # ---- places ----------------------------------------------------------------------------------------------------

    def attributes(self):
        for kind in re.findall(r"^(\w+)$", self.ask("kinds"), re.M):
            for name, rest in re.findall(r"^  ([a-z_0-9]+) : (.*)$", self.ask(kind).split("\noutputs:")[0], re.M):
                yield kind, name, rest

    def ask(self, topic):
        return subprocess.run([self.dtc, "explain", topic], capture_output=True, check=True, text=True).stdout

    def hold(self, name, make, harmless=HARMLESS, texts=None):
        """Builds what `make` gives for a harmless text and for each hostile one."""
        expected = self.build(name, *make(harmless))
        for word, text in (texts or HOSTILE).items():
            if expected is None and word not in ("shell", "terminal"):
                continue  # it takes no such text
            got = self.build("%s, %s" % (name, word), *make(text))
            if expected is not None and got is not None and sorted(got) == sorted(expected) and got != expected:
                self.fault("%s, %s" % (name, word), "the shape of the output is another one")

    def every_attribute(self):
        count = 0
        examples = dict(re.findall(r'^([a-z_0-9]+) +"(.*)"$', self.ask("types"), re.M))
        for kind, attribute, rest in self.attributes():
            patterns = [examples[word] for word in re.findall(r"[a-z_0-9]+", rest) if word in examples]
            for target in BASE:
                for form, write in forms(rest):
                    def make(text, target=target, kind=kind, attribute=attribute, write=write):
                        return (source(target, kind, attribute, write(text)),)
                    if make(HARMLESS)[0] is None:
                        continue
                    count += 1
                    name = "%s.%s on %s as %s" % (kind, attribute, target, form)
                    if not patterns:
                        self.hold(name, make)
                    for example in patterns[:1]:
                        self.hold(name, make, example, {word: example + text for word, text in BEHIND.items()})
        return count

    def every_way_in(self):
        raw = ("dt 1\n\n%s\nnetwork lab {\n  zones = [\"us-east-1a\"]\n  output given = %s\n"
               "  resource \"AWS::SSM::Parameter\" r { Type = \"String\", Value = %s }\n}\n")
        self.hold("late default", lambda t: (raw % ("late param p : string = " + quoted(t), "p", "p"),))
        self.hold("-p", lambda t: (raw % ("param p : string", "p", "p"), ["-p", "p=" + t]))
        self.hold("late by -p", lambda t: (raw % ("late param p : string", "p", "p"), ["-p", "p=" + t]))
        self.hold("-p in JSON", lambda t: (raw % ("param p : list(string)", "p[0]", "p[0]"),
                                           ["-p", "p=" + json.dumps([t])]))
        self.hold("params file", lambda t: ({"main.dt": raw % ("param p : string", "p", "p"),
                                             "p.json": json.dumps({"p": t})}, ["--params", "p.json"]))
        self.hold("file()", lambda t: ({"main.dt": raw % ("", 'file("f")', 'file("f")'), "f": t},))
        self.hold("file name", lambda t: ({"main.dt": raw % ("", "file(%s)" % quoted(t.replace("/", "_")), '"x"'),
                                           t.replace("/", "_"): "text"},))
        self.hold("script name", lambda t: ({"main.dt": source("batch", "nodes", "setup", "[script(%s)]" % quoted(
            t.replace("/", "_"))), t.replace("/", "_"): "#!/bin/sh\nexit 0\n"},))
        self.hold("main file", lambda t: (raw % ("", '"x"', '"x"'), [], t.replace("/", "_") + ".dt"))
        self.hold("folder", lambda t: (raw % ("", '"x"', '"x"'), [], "main.dt", t.replace("/", "_")))
        self.hold("comment", lambda t: (raw % ("# " + t.replace("\n", " "), '"x"', '"x"'),))
        self.hold("description", lambda t: (raw % (
            "## %s\nlate param p : string" % t.replace("\n", " "), "p", "p"),))
        for word, text in HOSTILE.items():
            for arguments in ([text], ["explain", text], ["build", text], ["build", "--" + text], ["instances", text],
                              ["build", "-o"], ["check", "--params", text], ["help", text]):
                done = subprocess.run([self.dtc, *arguments], cwd=self.scratch, capture_output=True, check=False)
                bad = is_unsafe((done.stdout + done.stderr).decode("utf-8", "replace"))
                if bad or done.returncode not in (0, 1, 2, 3):
                    self.fault("dtc %s, %s" % (arguments[0], word), "%s on the screen, status %d" % (bad, done.returncode))


def main():
    harness = Harness(os.path.realpath(sys.argv[1]), os.getcwd())
    try:
        count = harness.every_attribute()
        harness.every_way_in()
    finally:
        shutil.rmtree(harness.scratch)
    for fault in harness.faults:
        print("not ok " + fault)
    print("ok %d places of attributes; %d builds, %d refused with a message" % (
        count, harness.counts["built"], harness.counts["refused"]))
    if count < 100 or harness.counts["built"] < 200:
        print("not ok hostile: too little was tried")
        harness.faults.append("too little")
    print("%d passed, %d failed, 0 skipped" % (count, len(harness.faults)))
    sys.exit(1 if harness.faults else 0)


main()
