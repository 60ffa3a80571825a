// SPDX-License-Identifier: Apache-2.0
// Which stages a packet that is followed has reached, and when: an extension of the packet, as the journeys of
// docs/network.md.
#pragma once

#include <string>
#include <vector>

#include "golden/state/stage_probe.h"
#include "systemc/fabric/packet.h"
#include "systemc/fabric/time.h"

namespace tilefly::fabric {

/// Set this extension with `set_auto_extension`: it ends with the packet's last reference.
class Journey final : public tlm::tlm_extension<Journey> {
 public:
  struct Step {
    std::string place;    ///< hierarchical name of the module
    golden::Stage stage;
    Cycle cycle;
  };

  tlm::tlm_extension_base* clone() const override { return new Journey(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { steps_ = static_cast<const Journey&>(other).steps_; }

  const std::vector<Step>& steps() const { return steps_; }
  /// Adds a step if the packet is followed.
  static void Note(const Packet& packet, const char* place, golden::Stage stage, Cycle cycle) {
    if (auto* journey = packet.get_extension<Journey>()) journey->steps_.push_back({place, stage, cycle});
  }

 private:
  std::vector<Step> steps_;
};

}  // namespace tilefly::fabric
