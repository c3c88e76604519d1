"""Puts hostile texts into every attribute that `dtc explain` lists, into params, files and their names, and holds what is
written against the same build with a harmless text. The YAML is the same but for the text itself: it stands, whole, where
the harmless one stood. The commands of the plan and every script in what is written run, beside stand-ins, and do not run the
text. Nothing that a terminal acts upon reaches the screen.

With SANDBOX, a folder, this runs in a mount namespace where nothing else can be written to (hostile.sh), and scripts run."""
import base64
import email
import glob
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unicodedata

import yaml

import templates

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

# What makes scripts of a group: its names, paths and settings stand in them.
SCRIPTED = {"instance": '"p4d.24xlarge"', "count": "0..2", "zone": '"us-east-1a"', "scratch": '"/scratch"',
            "setup": '[script("setup.sh")]'}
SCRIPTS = {"setup.sh": "#!/bin/sh\nexit 0\n"}

BASE = {
    "batch": {
        "cluster": {"network": "lab", "artifacts": '"s3://bucket/place"', "storage": "[disk]"},
        "nodes": SCRIPTED,
        "validate": {"image": '"example.com/fabric:1"'},
        "storage": {"kind": "nfs", "server": '"nfs.example.com:/x"', "mount": '"/shared"'},
        "bucket": {"expiry": '{ "tmp/" = 7d }'},
        "image": {"base": '"ubuntu:24.04"', "run": '["true"]', "tag": '"v1"'},
        "job": {"image": "app", "command": '["run"]'},
    },
    "parallelcluster": {
        "cluster": {"network": "lab", "artifacts": '"s3://bucket/place"', "storage": "[disk]"},
        "head": {"instance": '"c5.large"'},
        "nodes": SCRIPTED,
        "validate": {},
        "slurm": {},
        "monitoring": {},
        "storage": {"kind": "lustre", "size": "1200GiB", "mount": '"/shared"'},
        "link": {"uri": '"s3://bucket/corpus"'},
        "job": {"command": '["run"]', "nodes": "2", "launcher": "torchrun"},
    },
    "eks": {
        "cluster": {"network": "lab", "version": '"1.36"', "storage": "[disk]"},
        "nodes": {**SCRIPTED, "scratch": "kubelet"},
        "validate": {"image": '"example.com/fabric:1"'},
        "addon": {},
        "storage": {"kind": "efs", "existing": '"fs-0123456789abcdef0"', "mount": '"/shared"'},
        "job": {"image": '"example.com/train:1"', "command": '["run"]', "nodes": "2", "launcher": "torchrun"},
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
    if kind == "network":
        network[attribute] = value
    elif kind in kinds:
        kinds[kind][attribute] = value
    else:
        return None
    text = "dt 1\n\n" + block("network lab", network) + "}\n"
    if "storage" in kinds:
        text += block("storage disk", kinds["storage"])
        text += (block("link corpus", kinds["link"]) + "}\n" if "link" in kinds else "") + "}\n"
    if "bucket" in kinds:
        text += block("bucket data", kinds["bucket"]) + "}\n"
    if "image" in kinds:
        text += block("image app", kinds["image"]) + "}\n"
    text += block("cluster train on " + target, kinds["cluster"])
    for name in ("head", "slurm", "monitoring"):
        if name in kinds:
            text += block(name, kinds[name]) + "}\n"
    if "addon" in kinds:
        text += block("addon nvidia", kinds["addon"]) + "}\n"
    text += block("nodes group", kinds["nodes"])
    if kinds["validate"]:
        text += block("validate", kinds["validate"]) + "}\n"
    text += "}\n}\n"
    if "job" in kinds:
        text += block("job work on train", kinds["job"]) + "}\n"
    if target == "parallelcluster":  # the same in a container
        text += block("job boxed on train", {"image": '"example.com/train:1"', **kinds["job"]}) + "}\n"
    return text


def forms(type_text):
    """How a text can stand in a value of the type."""
    if "list(" in type_text:
        yield "list", lambda text: "[" + quoted(text) + "]"
    if "map(" in type_text:
        yield "map", lambda text: "{ key = " + quoted(text) + " }"
        yield "key", lambda text: "{ " + quoted(text) + ' = "value" }'
    yield "text", quoted
    if "list(string)" in type_text:
        yield "late", lambda name: "[" + name + "]"
    elif re.search(r"\bstring\b", type_text):
        yield "late", lambda name: name


def flat(node, parameters):
    """Every key and text of a document in its order, behind the kind of what holds it. Of Fn::Sub the text that the service
    makes of it: `${!x}` is `${x}`, a parameter is its default."""
    if isinstance(node, dict):
        if list(node) == ["Fn::Sub"]:
            text, more = (node["Fn::Sub"], {}) if isinstance(node["Fn::Sub"], str) else node["Fn::Sub"]
            given = {name: value for name, value in more.items() if isinstance(value, str)}
            yield "text", substituted(text, {**parameters, **given})
            return
        yield "map", len(node)
        for key, value in node.items():
            yield "key", key
            yield from flat(value, parameters)
    elif isinstance(node, list):
        yield "list", len(node)
        for value in node:
            yield from flat(value, parameters)
    elif isinstance(node, str):
        yield "text", node
    else:
        yield type(node).__name__, str(node)


def substituted(text, parameters):
    """A reference that is no parameter with a default stays a mark that no text of an author's is."""
    def value(match):
        name = match.group(1)
        return "${" + name[1:] + "}" if name.startswith("!") else parameters.get(name, "<%s>" % name)
    return re.sub(r"\$\{([^}]*)\}", value, text)


def instructions(text):
    """The leaves of a Dockerfile: names of instructions, and their words as Docker gives them to what runs."""
    for line in text.split("\n"):
        name, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        yield "instruction", name
        while rest.startswith("--"):
            option, _, rest = rest.partition(" ")
            yield "option", option
        if rest.startswith("["):
            words = json.loads(rest)
        elif name == "ENV":
            variable, _, value = rest.partition("=")
            words = [variable, re.sub(r"\\(.)", r"\1", value[1:-1]) if value[0] == '"' else value[1:-1]]
        else:
            words = [rest]
        if name == "RUN":
            words = words[-1:]  # a shell's text, whichever way it is given
        yield "list", len(words)
        for word in words:
            yield "text", word


def defaults(document):
    given = document.get("Parameters", {}) if isinstance(document, dict) else {}
    return {name: str(parameter["Default"]) for name, parameter in given.items() if "Default" in parameter}


def spellings(text):
    """A text as the languages inside of a text spell it: JSON, a word of the shell, what Kubernetes shall not take for a
    variable, and a comment on one line."""
    yield text
    yield text.replace("$(", "$$(")
    yield "".join("\ufffd" if is_unsafe(character) or character == "\n" else character for character in text)
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield "'" + text.replace("'", "'\\''") + "'"
    yield "\"$(printf '%s')\"" % "".join(chr(byte) if chr(byte).isalnum() and byte < 128 or chr(byte) in " _-./,:@+" else
                                       "%%" if chr(byte) == "%" else "\\%03o" % byte for byte in text.encode())


PACKED = re.compile(r"H4sI[A-Za-z0-9+/=\n]*?(?=\nEND$)", re.MULTILINE)


def unpacked(packed):
    """What travels compressed in user data; the text may be in it."""
    return gzip.decompress(base64.b64decode(packed[0])).decode("utf-8", "surrogateescape")


def without_sums(leaf):
    """A leaf without the sum of a script that nodes fetch, which has the text in it, and its beginning in the script's name; nor
    with the lengths of what travels compressed, which is unpacked."""
    if not isinstance(leaf[1], str):
        return leaf
    text = re.sub(r"\bcheck=[0-9]+", "LENGTH", PACKED.sub(unpacked, leaf[1]))
    return leaf[:1] + (re.sub(r"-node-[0-9a-f]{12}\.sh|\b[0-9a-f]{64}\b", "SUM", text),) + tuple(leaf[2:])


def is_same(expected, got, harmless, text):
    """Whether two leaves are the same but for the text, and whether the text stands there."""
    expected, got = without_sums(expected), without_sums(got)
    if expected == got:
        return True, False
    if expected[0] != got[0] or not isinstance(got[1], str):
        return False, False
    pairs = [(harmless, text)]
    for sign in ("://", "/"):  # what stands behind a URL's scheme, and its path
        if "://" in harmless:
            before, now = pairs[-1]
            pairs.append((before.split(sign, 1)[-1], now.split(sign, 1)[-1]))
    if any(got[1] == expected[1].replace(before, word) for before, now in pairs for word in spellings(now)):
        return True, True
    lines, others = expected[1].split("\n"), got[1].split("\n")
    return len(lines) == len(others) and all(is_line(line, other, pairs) for line, other in zip(lines, others)), True


def is_line(line, other, pairs):
    """Of a script: the same, or the same words for a shell but for the text in them."""
    if line == other:
        return True
    try:
        words, others = shlex.split(line), shlex.split(other)
    except ValueError:
        return False
    return any(others == [word.replace(before, now) for word in words] for before, now in pairs)


SCRIPT = re.compile(r"#!(/usr)?/bin/(env )?(ba)?sh\s")
PLAIN_TOOLS = ("awk base64 bash basename cat chmod cksum cmp cp cut date dirname env expr find grep gzip head hostname id install "
               "ln ls mkdir mktemp mv nproc od paste printf readlink realpath rm rmdir sed seq sh sha256sum sort stat tail tee "
               "test touch tr true uname uniq wc xargs").split()
STAND_INS = ("apt-get aws blkid cfn-signal chown curl dnf docker journalctl kubectl logger lsblk mdadm mkfs.xfs mount mountpoint "
             "mpirun nvidia-smi sleep ssh sudo systemctl systemd-run timeout torchrun udevadm umount yum").split()
# What a job goes on after, and what starts its command.
ANSWERS = {
    "scontrol": "echo 'NodeName=group-1 NodeAddr=10.0.0.1 State=IDLE'",
    "srun": 'while [ "${1#-}" != "$1" ]; do shift; done; "$@"; echo "$1" >>"$STARTED"',
}


def scripts(document, parameters):
    """Those inside of a document: parts of MIME messages, texts that begin with #!, what eksctl is to run, `sh -c`."""
    texts = [value for kind, value in flat(document, parameters) if kind == "text"]
    for before, text in zip([""] + texts, texts):
        if text.startswith("MIME-Version:"):
            for part in email.message_from_bytes(text.encode("utf-8", "replace")).walk():
                payload = (part.get_payload(decode=True) or b"").decode("utf-8", "replace")
                if SCRIPT.match(payload):
                    yield payload
        elif SCRIPT.match(text) or before == "-c":
            yield text
    if isinstance(document, dict):
        for section in ("nodeGroups", "managedNodeGroups"):
            for group in document.get(section, []):
                for command in group.get("preBootstrapCommands", []):
                    yield "#!/bin/bash\n" + command


def is_unsafe(text):
    for character in text:
        if character != "\n" and (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") or character == "\u034f"):
            return repr(character)
    return None


class Harness:
    def __init__(self, dtc, root):
        self.dtc = dtc
        self.core = os.path.join(root, "fixtures", "core")
        self.sandbox = os.environ.get("SANDBOX")
        self.scratch = tempfile.mkdtemp(dir=self.sandbox)
        self.bin = os.path.join(self.scratch, "bin")
        os.mkdir(self.bin)
        for name in ("aws", "pcluster", "eksctl", "kubectl", "docker", "ssh-keygen"):
            with open(os.path.join(self.bin, name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n[ \"$2\" != describe-images ]\n")  # else an image is not built
            os.chmod(os.path.join(self.bin, name), 0o755)
        self.started = os.path.join(self.scratch, "started")  # by srun, a word for each
        self.tools = os.path.join(self.scratch, "tools")
        os.mkdir(self.tools)
        for name in STAND_INS + list(ANSWERS):
            with open(os.path.join(self.tools, name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n%s\nexit 0\n" % ANSWERS.get(name, ":"))
            os.chmod(os.path.join(self.tools, name), 0o755)
        for name in PLAIN_TOOLS:
            if shutil.which(name):
                os.symlink(shutil.which(name), os.path.join(self.tools, name))
        self.seen = set()
        self.ran = set()
        self.environment = dict(os.environ, PATH=self.bin + ":" + os.environ["PATH"], NO_COLOR="1",
                                TMPDIR=self.scratch)
        self.counts = {"built": 0, "refused": 0, "scripts": 0, "texts": 0}
        self.faults = []

    def fault(self, name, what):
        self.faults.append("%s: %s" % (name, what))

    def build(self, name, text, arguments=(), main="main.dt", output="out"):
        """What is written, or None where the source is refused."""
        work = os.path.join(self.scratch, "work")
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)
        if isinstance(text, str):
            text = {main: text, **SCRIPTS}
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
        found = {}
        written = os.path.join(work, output)
        for path in sorted(glob.glob(glob.escape(written) + "/*.yaml")):
            try:
                with open(path, encoding="utf-8") as file:
                    documents = list(yaml.load_all(file, templates.FASTEST))
                found[os.path.basename(path)] = [leaf for part in documents for leaf in flat(part, defaults(part))]
                for part in documents:
                    for script in scripts(part, defaults(part)):
                        self.run_script(name, script)
            except (yaml.YAMLError, UnicodeError) as error:
                self.fault(name, "%s is no YAML: %s" % (os.path.basename(path), error))
        for path in sorted(glob.glob(glob.escape(written) + "/*.Dockerfile")):
            with open(path, encoding="utf-8") as file:
                try:
                    found[os.path.basename(path)] = list(instructions(file.read()))
                except ValueError as error:
                    self.fault(name, "%s is no Dockerfile: %s" % (os.path.basename(path), error))
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
            with open(path, encoding="utf-8") as file:
                self.run_script(name, file.read())
        return found

    def run_script(self, name, script):
        """Each once; what it ends with is not looked at, as there is no node around it."""
        key = hashlib.sha256(script.encode("utf-8", "surrogateescape")).digest()
        if key in self.seen:
            return
        self.seen.add(key)
        self.counts["scripts"] += 1
        if subprocess.run(["bash", "-n"], input=script.encode(), capture_output=True, check=False).returncode != 0:
            self.fault(name, "this is no script: %s" % script[:300])
        if not self.sandbox:
            return
        script = re.sub(r"(?m)^PATH=.*$", "PATH=" + self.tools, script)
        place = os.path.join(self.scratch, "work", "node")
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "script"), "w", encoding="utf-8") as file:
            file.write(script)
        environment = {"PATH": self.tools, "HOME": place, "STARTED": self.started, "SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "1",
                       "SLURM_JOB_PARTITION": "group", "SLURM_JOB_NODELIST": "group-1"}
        try:
            subprocess.run(["bash", "script"], cwd=place, env=environment, capture_output=True, check=False, timeout=10,
                           stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.fault(name, "a script hangs: %s" % script[:300])
        self.look_for_canary(name, script)

    def try_canary(self):
        """A script that does what none may do is noticed, or nothing here means anything."""
        self.run_script("a script that makes the file", "#!/bin/bash\ncd /var/lib && touch CANARY\n")
        if self.sandbox and len(self.faults) != 1:
            self.fault("hostile", "a text that is run is not noticed")
        else:
            self.faults.clear()

    def expect_jobs(self):
        """Commands of jobs were started on nodes and in containers, or their words were only read."""
        if self.sandbox and (not os.path.exists(self.started) or os.path.getsize(self.started) < 100):
            self.fault("hostile", "srun started too few commands")

    def look_for_canary(self, name, script):
        for place, _, files in os.walk(self.sandbox or os.path.join(self.scratch, "work")):
            if "CANARY" in files:
                self.fault(name, "a text was run, its file is in %s: %s" % (place, script[:300]))
                os.remove(os.path.join(place, "CANARY"))

    def run(self, name, folder, script):
        """Each once, wherever it is: no text of a file becomes words of a command, but for base64."""
        if script in self.ran:
            return
        self.ran.add(script)
        names = set(re.findall(r"\$\{([A-Z_0-9]+):\?\}", script))
        environment = dict(self.environment, **{variable: "value" for variable in names})
        done = subprocess.run(["sh", "-eu", "-c", script], cwd=folder, env=environment, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            self.fault(name, "a command fails: %s" % done.stderr.decode("utf-8", "replace")[:300])
        self.look_for_canary(name, script)

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
            if expected is not None and got is not None and sorted(got) == sorted(expected):
                self.compare("%s, %s" % (name, word), expected, got, harmless, text)

    def compare(self, name, expected, got, harmless, text):
        for file, leaves in expected.items():
            if len(leaves) != len(got[file]):
                self.fault(name, "%s has another shape" % file)
                continue
            for leaf, other in zip(leaves, got[file]):
                same, is_there = is_same(leaf, other, harmless, text)
                self.counts["texts"] += same and is_there
                if not same:
                    self.fault(name, "%s has %.300r for %.300r" % (file, other, leaf))
                    break

    def every_attribute(self):
        count = 0
        examples = dict(re.findall(r'^([a-z_0-9]+) +"(.*)"$', self.ask("types"), re.M))
        for kind, attribute, rest in self.attributes():
            patterns = [examples[word] for word in re.findall(r"[a-z_0-9]+", rest) if word in examples]
            for target in BASE:
                for form, write in forms(rest):
                    def make(text, target=target, kind=kind, attribute=attribute, write=write, form=form):
                        if form == "late":
                            late = "late param given : string = %s\n" % quoted(text)
                            return ((source(target, kind, attribute, write("given")) or "").replace("\n\n", "\n" + late, 1),)
                        return (source(target, kind, attribute, write(text)),)
                    if not make(HARMLESS)[0]:
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
        names = {word: text.replace("/", "_") for word, text in HOSTILE.items()}
        self.hold("file name", lambda t: ({"main.dt": raw % ("", "file(%s)" % quoted(t), '"x"'), t: "text"},), texts=names)
        self.hold("script name", lambda t: ({"main.dt": source("batch", "nodes", "setup", "[script(%s)]" % quoted(t)),
                                             t: "#!/bin/sh\nexit 0\n"},), texts=names)
        # It stands in comments, those of scripts among them. The umlaut makes each message UTF-8, whatever is replaced.
        scripted = source("batch", "nodes", "scratch", '"/scratch"')
        endings = {"line": "a\ntouch CANARY\n#", "return": "a\rtouch CANARY\r#"}
        self.hold("main file", lambda t: (scripted, [], t + ".dt"), HARMLESS + "\u00fc",
                  {word: text + "\u00fc" for word, text in {**names, **endings}.items()})
        self.hold("folder", lambda t: (raw % ("", '"x"', '"x"'), [], "main.dt", t), texts=names)
        lines = {word: text.replace("\n", " ") for word, text in HOSTILE.items()}
        self.hold("comment", lambda t: (raw % ("# " + t, '"x"', '"x"'),), texts=lines)
        self.hold("description", lambda t: (raw % ("## %s\nlate param p : string" % t, "p", "p"),), texts=lines)
        self.fixes({**names, **endings})
        for word, text in HOSTILE.items():
            for arguments in ([text], ["explain", text], ["build", text], ["build", "--" + text], ["instances", text],
                              ["build", "-o"], ["check", "--params", text], ["help", text]):
                done = subprocess.run([self.dtc, *arguments], cwd=self.scratch, capture_output=True, check=False)
                bad = is_unsafe((done.stdout + done.stderr).decode("utf-8", "replace"))
                if bad or done.returncode not in (0, 1, 2, 3):
                    self.fault("dtc %s, %s" % (arguments[0], word), "%s on the screen, status %d" % (bad, done.returncode))


    def fixes(self, names):
        """What --fix says of a file in a folder of such a name, and the difference, which patch takes."""
        wrong = "dt 1\n\nnetwork lab {\n  zonse = [\"us-east-1a\"]\n}\n"
        for word, text in names.items():
            work = os.path.join(self.scratch, "work")
            shutil.rmtree(work, ignore_errors=True)
            os.makedirs(os.path.join(work, text))
            path = os.path.join(text, "main.dt")
            with open(os.path.join(work, path), "w", encoding="utf-8") as file:
                file.write(wrong)
            for arguments in (["--fix", "--diff"], ["--fix"]):
                done = subprocess.run([self.dtc, "check", *arguments, "./" + path], cwd=work, capture_output=True, check=False)
                bad = is_unsafe((done.stdout + done.stderr).decode("utf-8", "replace"))
                if bad or not done.stdout + done.stderr:
                    self.fault("check %s, %s" % (" ".join(arguments), word), "%s on the screen" % bad)
                if "--diff" in arguments and shutil.which("patch"):
                    patch = subprocess.run(["patch", "--dry-run", "-p0"], cwd=work, input=done.stdout, capture_output=True,
                                           check=False, env=dict(self.environment, TMPDIR=work))
                    if patch.returncode != 0:
                        self.fault("the difference, %s" % word, "patch does not take it: %s" % (patch.stdout + patch.stderr)[:200])


def main():
    harness = Harness(os.path.realpath(sys.argv[1]), os.getcwd())
    try:
        harness.try_canary()
        count = harness.every_attribute()
        harness.every_way_in()
        harness.expect_jobs()
    finally:
        shutil.rmtree(harness.scratch)
    for fault in harness.faults:
        print("not ok " + fault)
    print("ok %d places of attributes; %d builds, %d refused with a message; %d texts found as they are; %d scripts %s" % (
        count, harness.counts["built"], harness.counts["refused"], harness.counts["texts"], harness.counts["scripts"],
        "run" if harness.sandbox else "read"))
    if count < 100 or harness.counts["built"] < 200:
        print("not ok hostile: too little was tried")
        harness.faults.append("too little")
    print("%d passed, %d failed, %d skipped" % (count, len(harness.faults), 0 if harness.sandbox else 1))
    sys.exit(1 if harness.faults else 0)


main()
