// SPDX-License-Identifier: Apache-2.0
// The reduction ring in a switch.
#include "golden/switch/switch.h"

namespace tilefly::golden {

void Switch::CommitReductions(Cycle now) {
  reductions_->Commit(
      now,
      [&](int output, int input, int vl, int cells) {
        grants_.Request(now, output, context_.profile.ports + input, vl, cells);
        if (meters_ != nullptr) {  // an input of row R asks for one packet at a time
          meters_->Request(output, vl, cells, 1, false, reductions_->row().Head(output, input).more);
        }
      },
      [&](Index id) { FirstCell(now, id); });
}

void Switch::MakeReductions() {
  if (reductions_ != nullptr) return;
  reductions_ = std::make_unique<Reductions>(context_);
  context_.reductions = reductions_.get();
}

}  // namespace tilefly::golden
