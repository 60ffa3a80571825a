// SPDX-License-Identifier: Apache-2.0
// Each adds one extension to its registry; docs/extending.md of Tilefly explains them.
#pragma once

void AddNearby();
void AddRing();
void AddClockwise();
void AddLottery();
void AddByDistance();
