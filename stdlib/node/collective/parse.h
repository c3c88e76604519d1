// The command `parse`: a benchmark's output in, a verdict out.
#pragma once

// Options and files, without the program's and the command's names. Returns what to exit with.
int parse_command(int argc, char **argv);
