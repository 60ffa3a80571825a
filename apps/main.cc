// SPDX-License-Identifier: Apache-2.0
#include "apps/program.h"

int main(int argc, char** argv) { return tilefly::RunCommand(argc, argv); }
