"""Writes every script that stands inside an expected template into a folder: template_scripts.py FOLDER."""
import glob
import os
import re
import sys

import templates


def scripts(text):
    """Texts from a line that begins with #! up to the next MIME boundary."""
    for match in re.finditer(r"^#!/.*?(?=^--[^\n]*$|\Z)", text, re.MULTILINE | re.DOTALL):
        yield match.group(0)


def unsubstituted(text):
    """What Fn::Sub leaves for the shell: ${!x} is ${x}; what it replaces is a word."""
    return re.sub(r"\$\{([^}!][^}]*)\}", "value", text).replace("${!", "${")


def main(folder):
    os.makedirs(folder)
    for path in sorted(glob.glob("fixtures/*/*/expected/*.cfn.*")):
        if path.endswith(".map.json"):
            continue
        for place, text in templates.strings(templates.load(path)):
            if ".Fn::Sub" in place:
                text = unsubstituted(text)
            for number, script in enumerate(scripts(text)):
                name = "%s.%s.%d" % (path, place, number)
                with open(os.path.join(folder, name.replace("/", "_")), "w", encoding="utf-8") as file:
                    file.write(script)


main(sys.argv[1])
