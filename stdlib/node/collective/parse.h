// The command `parse`: reads a benchmark's output and gives a verdict.
#pragma once

// Options and files, without the program's and the command's names. Returns what to exit with.
int parse_command(int argc, char **argv);
