// `dtc init`: writes a first small infra.dt that builds as it is.
#include "compiler/driver/command/command.h"

#include "compiler/base/file_set.h"
#include "compiler/driver/output/write.h"

#include <unistd.h>

#define INIT_FILE "infra.dt"

static const char INIT_TEXT[] =
    "dt 1\n"
    "\n"
    "# `dtc build` checks this file and writes CloudFormation templates under out/; `dtc explain nodes` lists what a\n"
    "# block takes, `dtc instances efa` what there is to choose from.\n"
    "\n"
    "network lab {\n"
    "  zones = [\"us-east-1a\"]\n"
    "}\n"
    "\n"
    "cluster train on batch {\n"
    "  network = lab\n"
    "\n"
    "  nodes gpu {\n"
    "    instance = \"p4d.24xlarge\"\n"
    "    count    = 0..2\n"
    "  }\n"
    "}\n";

ExitStatus command_init(Run *run) {
    if (access(INIT_FILE, F_OK) == 0) {
        return command_fail(run, STATUS_FILES, STR("`" INIT_FILE "` is there already"),
                            STR("`dtc init` overwrites nothing: go to another directory, or move it away"));
    }
    (void)output_repair(run->session, STR(".")); // so that it is said; where it cannot, files_begin() says why
    command_print_diagnostics(run);
    FileSet *files = files_open(run->arena, STR("."));
    const char *fault = file_stage(files, STR(INIT_FILE), (Str){ .data = INIT_TEXT, .len = sizeof(INIT_TEXT) - 1 });
    if (fault != NULL) {
        files_abort(files);
    } else {
        fault = files_commit(files);
    }
    if (fault != NULL) {
        return command_fail(run, STATUS_FILES, str_format(run->arena, "cannot write `" INIT_FILE "`: %s", fault),
                            STR_NONE);
    }
    strbuf_add(&run->out, STR("wrote " INIT_FILE "\n\nnext:\n  dtc build\n"));
    return STATUS_CLEAN;
}
