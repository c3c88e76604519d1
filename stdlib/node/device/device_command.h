// `dtc-collective device`: the second stage of a node's check.
#pragma once

int device_command(int argc, char **argv);
