// SPDX-License-Identifier: Apache-2.0
// What happens to the link of port_link.h beside the faults of its words and slots: it is taken down, a direction loses all, a
// receiver says nothing, SerDes lanes die. Each mishap has its period.
#pragma once

#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {

class LinkMishaps {
 public:
  /// Behind cycle `last` there are none, and all is mended. A period is longer than a link that nothing mends takes to go down.
  LinkMishaps(const PortSetup& setup, const Stimulus& random, Cycle period, Cycle last)
      : setup_(setup), random_(random), period_(period), last_(last) {}

  /// Call it before each step.
  void Cause(PortLink* link) {
    const Cycle now = link->cycle;
    if (now == kFirstUp) link->Raise();
    if (now == last_) {
      Mend(link, true);
      link->Drain();
      link->decides.TakeDown(now);  // plain ports, and what they have lost, end with it
    } else if (now > kFirstUp && now < last_) {
      const Cycle number = now / period_;
      if (now % period_ == period_ / 4) Begin(link, number);
      if (link->decides.downs() > downs_ || now % period_ == period_ - 1) Mend(link, false);
    }
    if (link->decides.downs() > downs_) {
      downs_ = link->decides.downs();
      write_ = now + setup_.delay + kMacIsEmpty;
    }
    // Best effort: each second time the ports stay plain.
    if (now == write_ && (downs_ % 2 == 0 || now >= last_)) link->WriteMode();
  }

 private:
  static constexpr Cycle kFirstUp = 600;
  static constexpr Cycle kMacIsEmpty = 540;  ///< cycles of a link down, at one SerDes lane

  void Begin(PortLink* link, Cycle number) {
    const auto draw = [&](std::uint64_t below, const char* what) { return random_.Below(below, what, number); };
    const std::size_t end = draw(2, "end");
    switch ((number + static_cast<Cycle>(draw(2, "kind"))) % 4) {
      case 0:
        link->decides.TakeDown(link->cycle, static_cast<Cycle>(draw(1000, "down time")));
        break;
      case 1:
        link->SetFaults(end, {1, 0, 0, 0, 1}, setup_.slots);
        break;
      case 2:
        link->Stick(end, draw(2, "stuck") == 0 ? Stuck::kAll : Stuck::kCredits);
        break;
      default:
        link->Kill(end, 1u << draw(4, "lane"));
        break;
    }
  }
  void Mend(PortLink* link, bool clean) {
    for (std::size_t i = 0; i < 2; ++i) {
      link->SetFaults(i, clean ? RetryFaults{} : setup_.words, clean ? RetryFaults{} : setup_.slots);
      link->Stick(i, Stuck::kNothing);
      link->Kill(i, 0);
    }
  }

  PortSetup setup_;
  Stimulus random_;
  Cycle period_, last_;
  Cycle write_ = -1;
  int downs_ = 0;
};

}  // namespace tilefly::bench
