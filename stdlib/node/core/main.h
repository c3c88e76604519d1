// The whole of dtc-node, from its arguments to its exit status; see contract.h.
#pragma once

int core_main(int argc, char **argv);
