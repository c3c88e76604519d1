"""The AWS CLI, loaded once: a program of its own that forks for each command, so that a command costs a fork rather than
the start of Python. The commands stay as they are printed: `aws`, first in PATH, is a client of a few lines of shell.

A request is the client's process number, its directory, its AWS_* variables and its words, each ended by a NUL; the answer
is the exit status. Output goes to the client's own descriptors, by /proc."""
import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback

# Its own descriptors stand elsewhere while it speaks: bash moves 1 for the time of a redirection.
CLIENT = r"""#!/bin/bash
exec 4<&0 5>&1 6>&2
exec 3<>"/dev/tcp/127.0.0.1/$AWS_SERVER_PORT" || exit 255
{
    printf '%s\0' "$$" "$PWD"
    for name in "${!AWS_@}"; do printf '%s=%s\0' "$name" "${!name}"; done
    printf '\0'
    [ $# = 0 ] || printf '%s\0' "$@"
    printf '\1\0'
} >&3
read -r -u 3 status
exit "${status:-255}"
"""
SERVICES = ("cloudformation", "ec2", "eks", "s3", "secretsmanager")
END = b"\1"


class AwsServer:
    """A context in which `variables` make `aws` a client of ours."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        client = os.path.join(self.folder.name, "aws")
        with open(client, "w", encoding="utf-8") as file:
            file.write(CLIENT)
        os.chmod(client, 0o755)
        self.process = subprocess.Popen([sys.executable, "-B", os.path.abspath(__file__)], stdout=subprocess.PIPE,
                                        text=True)
        port = self.process.stdout.readline().strip()
        if not port:
            raise RuntimeError("the AWS CLI's server did not start")
        self.variables = {"AWS_SERVER_PORT": port, "PATH": self.folder.name + ":" + os.environ["PATH"]}
        return self

    def __exit__(self, *_):
        self.process.kill()  # it keeps nothing that is worth a farewell
        self.process.wait()
        self.folder.cleanup()


def read_request(connection):
    data = b""
    while not data.endswith(b"\0" + END + b"\0"):
        piece = connection.recv(65536)
        if not piece:
            raise EOFError("a request that does not end")
        data += piece
    process, folder, *rest = data.split(b"\0")[:-2]
    middle = rest.index(b"")
    return process.decode(), folder, [word.decode() for word in rest[:middle]], [word.decode() for word in rest[middle + 1:]]


def run(driver, connection):
    """One command, in a process that has forked for it."""
    process, folder, variables, words = read_request(connection)
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY | os.O_APPEND), (2, os.O_WRONLY | os.O_APPEND)):
        opened = os.open("/proc/%s/fd/%d" % (process, descriptor + 4), flags)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(folder)
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(variable.split("=", 1) for variable in variables)
    # Their output is not buffered before, in the process that forked.
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    try:
        status = driver.main(words)
    except SystemExit as end:
        status = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    return status if isinstance(status, int) else 255


def main():
    import yaml
    # The parser in C takes a tenth of the time, where PyYAML has it. What the one in Python says is pyyaml.sh's.
    yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    from awscli import clidriver
    from botocore.exceptions import UnknownServiceError
    driver = clidriver.create_clidriver()
    # What a command reads of botocore's data stays in memory behind this, so that a command takes 20 ms and not 100.
    loader = driver.session.get_component("data_loader")
    driver.session.get_available_services()
    for service in SERVICES:
        for kind in ("service-2", "endpoint-rule-set-1", "paginators-1", "waiters-2"):
            try:
                loader.load_service_model(service, kind)
            except UnknownServiceError:
                pass  # a service without waiters
        driver.session.create_client(service, "us-east-1", aws_access_key_id="test", aws_secret_access_key="test")
    # A command is too short to need a collector, which would also copy the pages that it marks.
    gc.freeze()
    gc.disable()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            status = 255
            try:
                status = run(driver, connection)
            except BaseException:
                traceback.print_exc()
            finally:
                connection.sendall(b"%d\n" % status)
                os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
