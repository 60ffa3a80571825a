// SPDX-License-Identifier: Apache-2.0
// The golden device with scripted words on its links, and the packets that leave, put together from their words.
#pragma once

#include <map>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {

class WordRig {
 public:
  struct Received {
    Cycle first;  ///< wire cycle of the first word
    bool enh;
    Header header;  ///< when enh
    Bytes bytes;    ///< of the frame
  };

  explicit WordRig(const Profile& profile) : device(profile) {
    idle_.links.resize(profile.ports);
    idle_.link_up.assign(profile.ports, true);
    open_.resize(profile.ports);
    received.resize(profile.ports);
  }

  void Write(CfgSpace space, int port, int index, std::uint64_t data) {
    Device::Inputs inputs = idle_;
    inputs.cfg.valid = true;
    inputs.cfg.port = static_cast<std::uint8_t>(port);
    inputs.cfg.space = static_cast<std::uint8_t>(space);
    inputs.cfg.index = static_cast<std::uint16_t>(index);
    inputs.cfg.data = data;
    Step(inputs);
  }
  void WriteMode(int port, const PortMode& mode) {
    Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kMode), mode.ToBits());
  }
  /// Puts a word on a link in cycle `at`.
  void Put(int port, Cycle at, const Word& word) { script_[at].push_back({port, word}); }
  /// Puts a whole frame on a link from cycle `at` on.
  void Send(int port, Cycle at, const Frame& frame, int lanes = 4) {
    for (int k = 0; k < frame.words(); ++k) Put(port, at + WordOffset(k, lanes), MakeWord(frame, k));
  }
  void SetLink(int port, bool up) { idle_.link_up[port] = up; }

  /// Runs up to cycle `end`, exclusive.
  void RunTo(Cycle end) {
    while (device.cycle() < end) {
      Device::Inputs inputs = idle_;
      for (const auto& [port, word] : script_[device.cycle()]) inputs.links[port].word = word;
      script_.erase(device.cycle());
      Step(inputs);
    }
  }

  std::uint64_t Count(int port, Drop reason) { return device.Counter(port, static_cast<int>(reason)); }
  std::uint64_t Count(int port, Counter counter) { return device.Counter(port, static_cast<int>(counter)); }

  GoldenDevice device;
  std::vector<std::vector<Received>> received;

 private:
  void Step(const Device::Inputs& inputs) {
    const std::vector<Link>& links = device.Outputs();
    for (std::size_t p = 0; p < links.size(); ++p) Take(p, links[p].word);
    device.Step(inputs);
  }
  void Take(std::size_t port, const Word& word) {
    if (!word.valid) return;
    Received& packet = open_[port];
    std::size_t from = 0;
    if (word.sop) {
      packet = {device.cycle(), word.enh, {}, {}};
      if (word.enh) {
        packet.header = Header::UnpackBytes(word.data.data());
        from = Header::kBytes;
      }
    }
    packet.bytes.insert(packet.bytes.end(), word.data.begin() + from, word.data.begin() + word.last + 1);
    if (word.eop) received[port].push_back(packet);
  }

  Device::Inputs idle_;
  std::map<Cycle, std::vector<std::pair<int, Word>>> script_;
  std::vector<Received> open_;
};

}  // namespace tilefly::cosim
