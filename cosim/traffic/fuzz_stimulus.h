// SPDX-License-Identifier: Apache-2.0
// Inputs of a switch that no correct endpoint would give: good packets, damaged ones, fragments, random words, bad
// headers, impossible credit returns, links that go down, and register writes while packets are inside. All of it
// follows from one seed.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "cosim/device.h"
#include "cosim/setup/frame.h"
#include "generated/profile.h"

namespace tilefly::cosim {

class FuzzStimulus {
 public:
  FuzzStimulus(const Profile& profile, unsigned seed);

  /// Register writes for the start, one a bus cycle.
  std::vector<Cfg> Setup();
  /// Register writes after which everything that is inside can leave.
  std::vector<Cfg> Release() const;
  /// Inputs of the next cycle. `outputs` are the words on the links in this cycle; their cells are returned sooner or
  /// later. Without `traffic` the inputs are only words of packets that have begun, credits, and links that come up
  /// again.
  const Device::Inputs& Next(Cycle now, const std::vector<Link>& outputs, bool traffic);

 private:
  static constexpr int kGroup = 3;  ///< group of the switch
  static constexpr int kSwitch = 2;
  static constexpr int kGroups = 16;  ///< groups with routes, most of the time

  struct Port {
    PortMode mode;
    std::deque<Word> words;       ///< still to be sent
    Cycle next_word = 0;
    int word_number = 0;          ///< of the packet, for the rate of fewer lanes
    Cycle packet_start = 0;
    std::array<std::uint16_t, 16> returned{};
    std::array<int, 16> owed{};   ///< cells received and not yet returned
  };

  bool OneIn(int n) { return random_() % static_cast<unsigned>(n) == 0; }
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Cfg RandomWrite();
  Cfg RandomClassWrite(int port, std::uint64_t any);
  std::uint64_t RandomPause();
  std::uint64_t RandomCredit();
  std::uint64_t RandomFlowMark();
  std::uint64_t RandomFlowChannel();
  std::uint64_t RandomPorts();
  Cfg RandomRouteWrite(std::uint64_t any);
  std::uint64_t RandomMac();
  std::uint16_t RandomFlow();
  Header RandomHeader(int length);
  void MakePacket(Port* port);
  Bytes MakeFrame(bool enh, int length);
  void Damage(std::vector<Word>* words);
  void Collect(int port, const Link& link);
  void SendWord(Cycle now, int port, bool traffic);
  void SendCredit(int port, bool traffic);
  void SendAck(int port, bool traffic);

  const Profile profile_;
  std::mt19937 random_;
  std::vector<Port> ports_;
  std::vector<std::uint64_t> macs_;
  int calm_ = 0;        ///< how rarely something is wrong
  int busy_ = 1;        ///< how rarely a packet starts
  Device::Inputs inputs_;
};

}  // namespace tilefly::cosim
