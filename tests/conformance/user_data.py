"""Holds the user data of each expected template against two readers that know nothing of dtc. Python's email package
must find a message without a defect, with parts of types that cloud-init knows. Bash must hand each script of `setup`
on as it stands in the project, byte for byte: its part is run with a `setup` that keeps what it is given."""
import email
import email.policy
import glob
import os
import subprocess
import tempfile

import templates

TYPES = {"text/cloud-boothook", "text/cloud-config", "text/x-shellscript"}
SETUP = 'setup() { cat >"$KEEP"; printf "%s" "$2"; }; export -f setup; fetch() { :; }; export -f fetch; exec bash "$1"'


def user_data(path):
    for place, text in templates.strings(templates.load(path)):
        if place.endswith(".UserData.Fn::Base64"):
            yield place, text


def handed_on(script, folder):
    """Name and bytes of the script that a part hands to `setup`; nothing for one that is fetched."""
    part, kept = os.path.join(folder, "part"), os.path.join(folder, "kept")
    with open(part, "wb") as file:
        file.write(script)
    if os.path.exists(kept):
        os.remove(kept)
    done = subprocess.run(["bash", "-c", SETUP, "bash", part], env={"KEEP": kept, "PATH": os.environ["PATH"]},
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    if not os.path.exists(kept):
        return None, None
    with open(kept, "rb") as file:
        return done.stdout.decode(), file.read()


def project_file(fixture, name):
    found = [path for path in glob.glob(fixture + "/**", recursive=True)
             if path.endswith("/" + name) and "/expected/" not in path]
    assert len(found) == 1, "%s stands in the fixture %d times" % (name, len(found))
    with open(found[0], "rb") as file:
        return file.read()


def check(fixture, text, folder):
    """How many scripts of the project the user data holds."""
    message = email.message_from_bytes(text.encode(), policy=email.policy.strict)
    assert message.get_content_type() == "multipart/mixed" and message["MIME-Version"] == "1.0"
    scripts = 0
    for part in message.iter_parts():
        assert part.get_content_type() in TYPES, part.get_content_type()
        payload = part.get_payload(decode=True)
        assert payload.startswith(b"#") and payload.endswith(b"\n"), "a part begins or ends oddly"
        if part.get_content_type() == "text/x-shellscript":
            name, kept = handed_on(payload, folder)
            assert name is None or kept == project_file(fixture, name), "%s comes out changed" % name
            scripts += name is not None
    return scripts


def main():
    passed = failed = scripts = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob("fixtures/*/*/expected/*.cfn.*")):
            if path.endswith(".map.json"):
                continue
            for place, text in user_data(path):
                try:
                    scripts += check(path.split("/expected/")[0], text, folder)
                    passed += 1
                    print("ok %s: %s" % (path, place))
                except (AssertionError, email.errors.MessageError) as fault:
                    failed += 1
                    print("not ok %s: %s: %s" % (path, place, fault))
    if scripts == 0:
        failed += 1
        print("not ok: no user data holds a script of a project")
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    raise SystemExit(failed > 0)


main()
