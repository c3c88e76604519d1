// The whole of dtc-node, from its arguments to the number it ends with; see contract.h.
#pragma once

int core_main(int argc, char **argv);
