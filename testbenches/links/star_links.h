// SPDX-License-Identifier: Apache-2.0
// A switch all of whose ports are links with retry (docs/blocks/link_retry.md), over wires that fail all at once. Each half of
// its ports leads to the lower ports of one of two golden switches; hosts are at the upper ports of these. Each packet goes from
// a host of one golden switch, through the switch in the middle, to a host of the other.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "testbenches/links/failing_link.h"
#include "testbenches/links/packet_hosts.h"

namespace tilefly::bench {

/// What stands at the far end of a port of the middle in place of a golden switch.
class FarEnd {
 public:
  virtual ~FarEnd() = default;
  /// One cycle of a link without delay: the port shows `out`, and is given `in`; `up`: the port sees the link up.
  virtual void Step(Cycle now, bool up, const Link& out, Link* in) = 0;
};

class StarLinks {
 public:
  /// `setups`: one for each port of the middle. `beside`: a device that is to do in every cycle what the golden switch in the
  /// middle does; Step throws DivergenceError, unless TILEFLY_COMPARE is `off`. `apart`: ports of the middle at which something else stands; no packet of a host
  /// goes there unless it was asked for.
  StarLinks(const std::vector<PortSetup>& setups, const Stimulus& random, std::unique_ptr<cosim::Device> beside,
            golden::PortMask apart = 0);

  /// All links come up for the first time, in the next cycle.
  void Raise();
  /// Hosts start no further packets.
  void Stop();
  /// Writes MODE of a link at its ends once more, as soon as the buses are free.
  void WriteMode(int port);
  void Step();
  /// As Step. A difference becomes a failure of the test, in the words that scripts/test-faults reads.
  void StepOrFail();
  /// Reads all counters of the middle, and compares those of the device beside it. Fails likewise.
  void CompareCounters();

  /// What stands at a port of `apart`; it must outlive this.
  void Stand(int port, FarEnd* end) { ends_[static_cast<std::size_t>(port)] = end; }
  FailingLink& link(int port) { return links_[static_cast<std::size_t>(port)]; }
  PacketHost& host(int number) { return hosts_[static_cast<std::size_t>(number)]; }
  int hosts() const { return static_cast<int>(hosts_.size()); }
  int ports() const { return profile_.ports; }
  /// Fabric addresses of a host, and of a port of the middle.
  std::uint32_t AddressOfHost(int number) const;
  static std::uint32_t AddressOfPort(int port) { return Address(kMiddle, port); }

  /// Of the middle.
  cosim::Lockstep& device() { return *switches_[kMiddle]; }
  std::uint64_t Counter(int port, tilefly::Counter counter) const { return Count(port, static_cast<int>(counter)); }
  std::uint64_t Dropped(int port, tilefly::Drop reason) const { return Count(port, static_cast<int>(reason)); }

  /// Whether no packet is inside a switch, and at every link with retry all credits are home.
  bool AllHome() const;
  /// The switches' own checks of a drained switch; throws DeviceError.
  void CheckDrained();

  Cycle cycle = 0;
  PacketBooks books;

 private:
  static constexpr std::size_t kMiddle = 2;  ///< the golden switches are 0 and 1
  static std::uint32_t Address(std::size_t at, int port) {
    return static_cast<std::uint32_t>(at << golden::kPortBits) | static_cast<std::uint32_t>(port);
  }
  std::uint64_t Count(int port, int index) const { return golden_[kMiddle]->golden_switch().ReadCounter(port, index); }
  int half() const { return profile_.ports / 2; }
  /// The golden switch to which a port of the middle leads; its port there.
  std::size_t OuterOf(int port) const { return port < half() ? 0 : 1; }
  int PortThere(int port) const { return port % half(); }
  bool Apart(int port) const { return (apart_ >> port & 1) != 0; }

  void SetUp();
  void SetUpLink(int port);
  void StepLink(int port);
  FailingLink::Shown ShownBy(std::size_t at, int port);
  void StepSwitch(std::size_t at);

  const Profile& profile_;
  const golden::PortMask apart_;
  const bool compares_;
  std::vector<FailingLink> links_;  ///< by port of the middle
  std::vector<FarEnd*> ends_;       ///< likewise; null: a golden switch
  std::vector<PacketHost> hosts_;   ///< those of switch 0, then those of switch 1
  std::array<std::unique_ptr<cosim::Lockstep>, 3> switches_;
  std::array<cosim::GoldenDevice*, 3> golden_{};  ///< the first device of each
  std::array<const cosim::Observation*, 3> seen_{};      ///< its record of this cycle
  std::array<cosim::Device::Inputs, 3> inputs_;
  std::array<std::deque<Cfg>, 3> writes_;
};

}  // namespace tilefly::bench
