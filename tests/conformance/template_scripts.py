"""Writes every shell script that stands inside an expected template into a folder: template_scripts.py FOLDER."""
import email
import glob
import os
import re
import sys

import templates

SHELL = re.compile(r"#!(/usr)?/bin/(env )?(ba)?sh\s")
HERE_DOCUMENT = re.compile(r"<<'(END(?:-\d+)?)'\n(.*?\n)\1\n", re.DOTALL)


def scripts(text):
    """The parts of a MIME message and the here-documents in them, or texts from a line that begins with #!"""
    if not text.startswith("MIME-Version:"):
        for match in re.finditer(r"^#!/.*", text, re.MULTILINE | re.DOTALL):
            yield match.group(0)
        return
    for part in email.message_from_bytes(text.encode()).get_payload():
        payload = part.get_payload(decode=True).decode()
        yield payload
        for match in HERE_DOCUMENT.finditer(payload):
            yield match.group(2)


def main(folder):
    os.makedirs(folder)
    for path in sorted(glob.glob("fixtures/*/*/expected/*.cfn.*")):
        if path.endswith(".map.json"):
            continue
        for place, text in templates.strings(templates.load(path)):
            if ".Fn::Sub" in place:
                text = templates.unsubstituted(text)
            for number, script in enumerate(scripts(text)):
                if SHELL.match(script):
                    name = "%s.%s.%d" % (path, place, number)
                    with open(os.path.join(folder, name.replace("/", "_")), "w", encoding="utf-8") as file:
                        file.write(script)


main(sys.argv[1])
