// SPDX-License-Identifier: Apache-2.0
#include "apps/program.h"
#include "extensions.h"

int main(int argc, char** argv) {
  return tilefly::RunCommand(argc, argv, [] {
    AddNearby();
    AddRing();
    AddClockwise();
    AddLottery();
    AddByDistance();
  });
}
