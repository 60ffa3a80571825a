// SPDX-License-Identifier: Apache-2.0
// What happens to a link beside the faults of its words and slots: it is taken down, a direction loses all, a receiver says
// nothing, SerDes lanes die. Each mishap has its period. A link is that of port_link.h, or one of failing_link.h.
#pragma once

#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {

class LinkMishaps {
 public:
  /// Behind cycle `last` there are none, and all is mended. A period is longer than a link that nothing mends takes to go down.
  /// `number` tells the links of a run apart.
  LinkMishaps(const PortSetup& setup, const Stimulus& random, Cycle period, Cycle last, std::uint32_t number = 0)
      : setup_(setup), random_(random), period_(period), last_(last), number_(number) {}

  /// Call it before each step.
  void Cause(PortLink* link) {
    if (link->cycle == last_) link->Drain();
    if (Cause(link->cycle, link)) link->WriteMode();
  }
  /// Likewise, of any link that has `decides`, `SetFaults`, `Stick` and `Kill`; true: MODE is to be written at both ends.
  template <typename AnyLink>
  bool Cause(Cycle now, AnyLink* link) {
    if (now == kFirstUp) link->decides.Raise();
    if (now == last_) {
      Mend(link, true);
      link->decides.TakeDown(now, kLastDown);  // plain ports, and what they have lost, end with it
    } else if (now > kFirstUp && now < last_) {
      const Cycle shifted = now + kShift * static_cast<Cycle>(number_);
      if (shifted % period_ == period_ / 4) Begin(link, now, shifted / period_);
      if (link->decides.downs() > downs_ || shifted % period_ == period_ - 1) Mend(link, false);
    }
    if (link->decides.downs() > downs_) {
      downs_ = link->decides.downs();
      write_ = now + setup_.delay + kMacIsEmpty;
    }
    // Best effort: each second time the ports stay plain.
    return now == write_ && (downs_ % 2 == 0 || now >= last_);
  }

 private:
  static constexpr Cycle kFirstUp = 600;
  static constexpr Cycle kMacIsEmpty = 540;  ///< cycles of a link down, at one SerDes lane
  static constexpr Cycle kLastDown = 1000;   ///< there is time to write MODE of all ports
  static constexpr Cycle kShift = 37;        ///< of the periods of two links that follow each other

  template <typename AnyLink>
  void Begin(AnyLink* link, Cycle now, Cycle number) {
    const auto draw = [&](std::uint64_t below, const char* what) { return random_.Below(below, what, number, number_); };
    const std::size_t end = draw(2, "end");
    switch ((number + static_cast<Cycle>(draw(2, "kind"))) % 4) {
      case 0:
        link->decides.TakeDown(now, static_cast<Cycle>(draw(1000, "down time")));
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
  template <typename AnyLink>
  void Mend(AnyLink* link, bool clean) {
    for (std::size_t i = 0; i < 2; ++i) {
      link->SetFaults(i, clean ? RetryFaults{} : setup_.words, clean ? RetryFaults{} : setup_.slots);
      link->Stick(i, Stuck::kNothing);
      link->Kill(i, 0);
    }
  }

  PortSetup setup_;
  Stimulus random_;
  Cycle period_, last_;
  std::uint32_t number_;
  Cycle write_ = -1;
  int downs_ = 0;
};

}  // namespace tilefly::bench
