"""What runs on nodes to check them, as dtc writes it: parts of user data, which eksctl writes from dtc's file or which stand
in a template, and custom actions of ParallelCluster. `node_checks.py EXPECTED FOLDER` puts each into a file of FOLDER."""
import email
import glob
import os
import re
import sys

import eksctl_user_data
import templates


def user_data(folder):
    """Each MIME message of the files in the folder, behind whose it is."""
    for path in sorted(glob.glob(folder + "/*.cfn.yaml")):
        for place, text in templates.strings(templates.load(path)):
            if ".UserData.Fn::Base64" in place and text.startswith("MIME-Version:"):
                yield place.split(".")[1], (templates.unsubstituted(text) if "Fn::Sub" in place else text).encode()
    for path in sorted(glob.glob(folder + "/*.eksctl.yaml")):
        document = templates.load(path)
        for group, is_managed in eksctl_user_data.groups(document):
            message = eksctl_user_data.message(document, group, is_managed)
            if message:
                yield "%s-%s" % (document["metadata"]["name"], group["name"]), message


def parts(folder):
    """Each part of user data: whose it is, and its bytes. Whose is a resource's id, or the names of cluster and group."""
    for name, message in user_data(folder):
        for part in email.message_from_bytes(message).get_payload():
            yield name, part.get_payload(decode=True)


def checks(folder):
    """Those of the parts, and the custom actions, that check a node."""
    for path in sorted(glob.glob(folder + "/*.sh")):
        with open(path, "rb") as file:
            body = file.read()
        if b"\npreflight <<" in body:
            yield re.sub(r"-node-[0-9a-f]*\.sh$", "", os.path.basename(path)), body
    for name, body in parts(folder):
        if b"\npreflight <<" in body:
            yield name, body


if __name__ == "__main__":
    for number, (name, body) in enumerate(checks(sys.argv[1])):
        with open("%s/%03d-%s" % (sys.argv[2], number, name), "wb") as file:
            file.write(body)
